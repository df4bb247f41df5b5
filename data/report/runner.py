"""Runs the program under test and the benchmarks, and keeps what they said: every number of the report goes through here.

What a command said is kept in OUT/raw/NAME.json with the command, its exit code, time, memory, date and machine, the file that it
wrote, where it is one that the report reads, in OUT/raw/NAME.made. A command that
fails, hangs or is not there gives a Result that says so in one line; nothing here throws because of it, so that the report is
whole on any machine.
"""
import datetime
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


NOTHING = {"out": "", "wall_s": 0, "cpu_s": 0, "memory_mib": 0}  # of a command that did not run


def copied(source, target):
    """Copies a file with its access rights; False where there is none, or no room."""
    try:
        shutil.copy2(source, target)
        return True
    except OSError:
        return False


class OtherMachine(Exception):
    """Results that are to be drawn again are another machine's; its text is one line."""


class Result:
    """What a command said, and what it took. `shortened` takes the folders out of a text."""

    def __init__(self, fields, shortened=lambda text: text):
        self._shortened = shortened
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
        return f"`{self.shown}` ended with {self.code}" + (f": {self._shortened(lines[-1].strip())}" if lines else "")

    def rows(self):
        """The rows of a table in JSON, as the program and Google Benchmark write them, or of one in TSV under its columns' names;
        [] where there are none."""
        try:
            said = json.loads(self.out)
        except ValueError:
            return self._rows_of_tsv()
        return said.get("rows", said.get("benchmarks", []))

    def _rows_of_tsv(self):
        names, *lines = [line.split("\t") for line in self.out.splitlines()] or [[]]
        if len(names) < 2 or not lines or any(len(line) != len(names) for line in lines):
            return []
        return [{name: to_value(text) for name, text in zip(names, line)} for line in lines]

    def meta(self):
        try:
            return json.loads(self.out).get("meta", {})
        except ValueError:
            return {}


def to_value(text):
    """The number that a field of a table is, else the text."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


class Runner:
    """The program, the folder of benchmarks, and the folder that the report goes to."""

    def __init__(self, program, bench_dir, out, reuse=False, seconds=0):
        """`seconds`: after which no command is started; 0 = no limit."""
        self.program = os.path.abspath(program)
        self.bench_dir = os.path.abspath(bench_dir) if bench_dir else os.path.dirname(self.program)
        self.out = os.path.abspath(out)
        self.raw = os.path.join(self.out, "raw")
        self.reuse = reuse
        self.seconds = seconds
        self._begin = time.monotonic()
        self.machine = ""  # what results are of; Machine sets it
        self.commands = []  # as a reader would type them
        self.dates = []  # of the results, in their order
        os.makedirs(self.raw, exist_ok=True)
        # The made genomes lie there too, of 3.1 GB in a full report, for which $TMPDIR is often too small.
        self._temporary = tempfile.TemporaryDirectory(prefix="scratch-", dir=self.out)
        self.scratch = self._temporary.name

    def close(self):
        self._temporary.cleanup()

    def bench(self, name):
        """The path of a benchmark, or "" where it is not built."""
        path = os.path.join(self.bench_dir, name)
        return path if os.access(path, os.X_OK) else ""

    def has_kept(self, name, command):
        """Whether `run` will take an earlier run's words for this one's."""
        return self._kept(name, self._fixed(command)) is not None

    def look(self, *words):
        """Runs the program and keeps nothing of it."""
        return Result({"command": list(words), "shown": "", "date": "", **self._execute([self.program, *words], None, 60, None)})

    def portable_hpc(self, name, *words, **how):
        return self.run(name, [self.program, *words], **how)

    def run(self, name, command, env=None, timeout=600, cwd=None, made=None):
        """Runs a command and keeps what it says under `name`, and the file `made` that it writes; with `reuse`, gives what the
        same command said and wrote before."""
        command = [str(word) for word in command]
        fixed = self._fixed(command)
        shown = " ".join([f"{key}={value}" for key, value in (env or {}).items()] + self.shown_words(fixed))
        self.commands.append(shown)
        fields = self._kept(name, fixed)
        file = os.path.join(self.raw, name + ".made")
        if made is not None and fields is not None and not copied(file, made) and fields["code"] == 0:
            fields = None
        if fields is None:
            fields = {"name": name, "command": command, "fixed": fixed, "machine": self.machine,
                      "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds")}
            left = self.seconds - (time.monotonic() - self._begin) if self.seconds else timeout
            if left < 1:
                over = f"not started, the {self.seconds:g} s of --seconds were over"
                return Result({**fields, **NOTHING, "shown": shown, "code": 124, "err": over}, self.shortened)
            print(f"report: {shown}", file=sys.stderr, flush=True)
            fields.update(self._execute(command, env, min(timeout, left), cwd))
            self.write_raw(name, fields)
            if made is not None:
                copied(made, file)
        self.dates.append(fields["date"])
        return Result({**fields, "shown": shown}, self.shortened)

    def read_raw(self, name):
        """What lies in OUT/raw under a name; {} where there is nothing that can be read."""
        try:
            with open(os.path.join(self.raw, name + ".json"), encoding="utf-8") as file:
                fields = json.load(file)
        except (OSError, ValueError):
            return {}
        return fields if isinstance(fields, dict) else {}

    def write_raw(self, name, fields):
        path = os.path.join(self.raw, name + ".json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(fields, file, indent=1)
        os.replace(path + ".new", path)

    def _fixed(self, command):
        """A command by which two runs are compared: without the name of this run's scratch folder."""
        return [str(word).replace(self.scratch, "SCRATCH") for word in command]

    def _kept(self, name, fixed):
        """The fields of what the same command said in an earlier run; None where it is to run. Throws OtherMachine."""
        fields = self.read_raw(name) if self.reuse else {}
        if fields.get("fixed") != fixed or "machine" not in fields:
            return None
        if fields["machine"] != self.machine:
            raise OtherMachine(f"--reuse: '{self.raw}' is of another machine ({fields['machine']}) than this one ({self.machine}); "
                               "draw it there, or measure here without --reuse")
        return fields

    def shown_words(self, fixed):
        """The words of a command as a reader would type them: programs by their names alone, no folders of this machine."""
        first = fixed[0] if fixed[0].startswith("SCRATCH") else os.path.basename(fixed[0])
        return [shlex.quote("portable-hpc" if fixed[0] == self.program else first)] + [shlex.quote(self._shown_word(word))
                                                                                        for word in fixed[1:]]

    def _shown_word(self, word):
        begin, path = re.fullmatch(r"(-[IL]|[^/]*[=,]|)(/.*)|.*", word, re.DOTALL).groups()
        return begin + self._shown_path(path) if path else word

    def _shown_path(self, path):
        """A path within this clone or beside the program from there on; that of another file or folder by its last name."""
        prefix = os.path.dirname(os.path.dirname(self.program))
        for folder, instead in ((self.scratch, "SCRATCH/"), (ROOT, ""), (prefix, "PREFIX/")):
            if folder != os.sep and path.startswith(folder + os.sep):
                return instead + path[len(folder) + 1:]
        return os.path.basename(path.rstrip(os.sep)) or path

    def shortened(self, text):
        """A text of words and paths, its paths as in the commands."""
        text = text.replace(self.scratch, "SCRATCH")
        return re.sub(r"(^|(?<=[\s'\"`=,:(]))/[^\s'\"`,:()]+", lambda found: self._shown_path(found.group(0)), text)

    def _execute(self, command, env, timeout, cwd):
        begin = time.perf_counter()
        with tempfile.TemporaryFile(dir=self.scratch) as out, tempfile.TemporaryFile(dir=self.scratch) as err:
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd or self.scratch,
                                           env={**os.environ, **(env or {})})
            except OSError as error:
                return {**NOTHING, "code": 127, "err": f"{command[0]}: {error.strerror}"}
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
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # the report is to end: so must what it started
            process.kill()
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage, None if ended else process.returncode
