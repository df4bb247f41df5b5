"""Runs the program under test and the benchmarks, and keeps what they said: every number of the report goes through here.

What a command said is kept in OUT/raw/NAME.json with the command, its exit code, time and memory. A command that fails, hangs
or is not there gives a Result that says so in one line; nothing here throws because of it, so that the report is whole on any
machine.
"""
import datetime
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Result:
    """What a command said, and what it took."""

    def __init__(self, fields):
        self.command = fields["command"]
        self.shown = fields["shown"]
        self.code = fields["code"]
        self.out = fields["out"]
        self.err = fields["err"]
        self.wall_s = fields["wall_s"]
        self.cpu_s = fields["cpu_s"]
        self.memory_mib = fields["memory_mib"]
        self.date = fields["date"]

    @property
    def ok(self):
        return self.code == 0

    @property
    def why(self):
        """Why there is no result, in one line."""
        if self.code == 0:
            return ""
        lines = [line for line in self.err.strip().split("\n") if line.strip()]
        return f"`{self.shown}` ended with {self.code}" + (f": {lines[-1].strip()}" if lines else "")

    def rows(self):
        """The rows of a table in JSON, as the program and Google Benchmark write them; [] where there are none."""
        try:
            said = json.loads(self.out)
        except ValueError:
            return []
        return said.get("rows", said.get("benchmarks", []))

    def meta(self):
        try:
            return json.loads(self.out).get("meta", {})
        except ValueError:
            return {}


class Runner:
    """The program, the folder of benchmarks, and the folder that the report goes to."""

    def __init__(self, program, bench_dir, out, reuse=False):
        self.program = os.path.abspath(program)
        self.bench_dir = os.path.abspath(bench_dir) if bench_dir else os.path.dirname(self.program)
        self.out = os.path.abspath(out)
        self.raw = os.path.join(self.out, "raw")
        self.reuse = reuse
        self.commands = []  # as a reader would type them
        self._temporary = tempfile.TemporaryDirectory(prefix="phpc-report-")
        self.scratch = self._temporary.name
        os.makedirs(self.raw, exist_ok=True)

    def close(self):
        self._temporary.cleanup()

    def bench(self, name):
        """The path of a benchmark, or "" where it is not built."""
        path = os.path.join(self.bench_dir, name)
        return path if os.access(path, os.X_OK) else ""

    def has_kept(self, name):
        """Whether an earlier run's words will be taken for this one's."""
        return self.reuse and os.path.exists(os.path.join(self.raw, name + ".json"))

    def portable_hpc(self, name, *words, **how):
        return self.run(name, [self.program, *words], **how)

    def run(self, name, command, env=None, timeout=600, cwd=None, fresh=False):
        """Runs a command and keeps what it says under `name`; with `reuse`, gives what the same command said before, but for
        `fresh` ones, whose result is a file that is not kept."""
        command = [str(word) for word in command]
        kept = os.path.join(self.raw, name + ".json")
        fixed = [word.replace(self.scratch, "SCRATCH") for word in command]
        shown = " ".join([f"{key}={value}" for key, value in (env or {}).items()] + [self.shown_word(word) for word in fixed])
        self.commands.append(shown)
        if self.reuse and not fresh and os.path.exists(kept):
            with open(kept, encoding="utf-8") as file:
                fields = json.load(file)
            if fields["fixed"] == fixed:
                return Result(fields)
        print(f"report: {shown}", file=sys.stderr, flush=True)
        fields = {"name": name, "command": command, "fixed": fixed, "shown": shown,
                  "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds")}
        fields.update(self._execute(command, env, timeout, cwd))
        with open(kept + ".new", "w", encoding="utf-8") as file:
            json.dump(fields, file, indent=1)
        os.replace(kept + ".new", kept)
        return Result(fields)

    def shown_word(self, word):
        """A word of a command as a reader would type it: programs by their names alone."""
        if word == self.program:
            return "portable-hpc"
        if word.startswith(self.bench_dir + os.sep):
            return os.path.basename(word)
        if word.startswith(ROOT + os.sep):
            return shlex.quote(os.path.relpath(word, ROOT))
        return shlex.quote(word)

    def _execute(self, command, env, timeout, cwd):
        begin = time.perf_counter()
        with tempfile.TemporaryFile(dir=self.scratch) as out, tempfile.TemporaryFile(dir=self.scratch) as err:
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd or self.scratch,
                                           env={**os.environ, **(env or {})})
            except OSError as error:
                return {"code": 127, "out": "", "err": f"{command[0]}: {error.strerror}", "wall_s": 0, "cpu_s": 0, "memory_mib": 0}
            usage, code = self._wait(process, timeout)
            wall = time.perf_counter() - begin
            out.seek(0)
            err.seek(0)
            said, complained = out.read().decode(errors="replace"), err.read().decode(errors="replace")
        if code is None:
            code, complained = 124, complained + f"\nit took more than {timeout:g} s"
        return {"code": code, "out": said, "err": complained, "wall_s": wall, "cpu_s": usage.ru_utime + usage.ru_stime,
                "memory_mib": usage.ru_maxrss / 1024}

    @staticmethod
    def _wait(process, seconds):
        """The process' resource usage and exit code; None where it had to be ended."""
        ended = []
        timer = threading.Timer(seconds, lambda: (ended.append(True), process.kill()))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage, None if ended else process.returncode
