#!/usr/bin/env python3
"""Translates the CUDA programs of a HeCBench checkout with `portable-hpc port`, compiles and runs what comes out, and says how many
programs pass each stage and why the others do not. Writes a TSV row for each program; nothing is written into the checkout.

    bench/port_corpus.py --corpus HeCBench --port build/libexec/portable-hpc/port --build build --tsv port.tsv --keep /tmp/ported
    bench/port_corpus.py ... --arch sm_90 --run --seconds 15 --repeat 2 --only '^(bfs|scan)$' --resume --jobs 2
    bench/port_corpus.py ... --run --twins     (the hand-written *-omp programs beside ours, built by the same compiler)

On a machine with a GPU, where nvcc's build of the original, ours and the twin are built by all cores, run four at a time for what they say
of themselves, and timed in turn, one at a time, the least of three times each:

    bench/port_corpus.py ... --arch sm_90 --gpu-only --nvcc nvcc --twins --run --run-gpu --repeat 20 --seconds 10 --jobs 16 --at-once 4 --rounds 3
"""
import argparse
import concurrent.futures
import os
import random
import re
import shlex
import shutil
import statistics
import sys
import threading
import time

from port_corpus_builds import Builder
from port_corpus_programs import (UNLIMITED, Limits, classify, expected_arguments, first_error, has_barriers, link_or_copy, normalised,
                                  program_of, reachable_files, reported_time, run_limited, shrunk, verdict_of)

COLUMNS = ["program", "class", "reason", "barriers", "lines", "translate", "translate_error", "translate_s", "translate_mb", "compile",
           "compile_error", "compile_s", "gpu", "gpu_error", "gpu_s", "run", "run_detail", "run_s", "arguments", "time_us", "time_name",
           "twin_build", "twin_error", "twin", "twin_detail", "twin_s", "twin_time_us", "twin_time_name", "ratio",
           "nvcc_build", "nvcc_error", "nvcc", "nvcc_detail", "nvcc_s", "nvcc_time_us", "nvcc_time_name", "nvcc_ratio", "rounds"]
KINDS = ("nvcc", "run", "twin")  # who runs a program: nvcc's build, ours, the hand-written OpenMP program
CUDA_MARK = re.compile(r"\b(cuda[A-Z]\w+|__global__|__device__)\b|<<<|#\s*include\s*[<\"]cuda")


class Bench:
    """What all programs share: the tools, the folders and the rows."""

    def __init__(self, options):
        self.options = options
        self.source = os.path.join(os.path.abspath(options.corpus), "src")
        self.keep = os.path.abspath(options.keep)
        self.mirror = os.path.join(self.keep, "src")  # the checkout's folders: links, and copies of those where a program runs
        self.lock = threading.Lock()
        self.running = threading.Semaphore(options.at_once)
        self.begin = time.monotonic()
        self.rows = {}
        prefix = os.path.abspath(options.prefix or options.build)
        include = os.path.join(prefix, "include")
        if options.build:  # the headers are the source folder's
            with open(os.path.join(prefix, "CMakeCache.txt"), encoding="utf-8") as cache:
                include = os.path.join(re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache.read(), re.MULTILINE).group(1), "include")
        self.builder = Builder(options, self.mirror, os.path.join(prefix, "lib"), include)
        if options.resume and os.path.exists(options.tsv):
            with open(options.tsv, encoding="utf-8") as table:
                head = table.readline().rstrip("\n").split("\t")
                for line in table:
                    row = dict(zip(head, line.rstrip("\n").split("\t")))
                    self.rows[row["program"]] = {name: row.get(name, "") for name in COLUMNS}

    def folder(self, name):
        """The program's folder of the mirror, a copy of the checkout's, and links to all folders beside it."""
        with self.lock:
            if not os.path.isdir(self.mirror):
                os.makedirs(self.mirror)
                for entry in os.listdir(self.source):
                    os.symlink(os.path.join(self.source, entry), os.path.join(self.mirror, entry))
            copy = os.path.join(self.mirror, name)
            if os.path.islink(copy):
                os.unlink(copy)
                link_or_copy(os.path.join(self.source, name), copy)
        return copy

    def save(self):
        with self.lock:
            with open(self.options.tsv + ".new", "w", encoding="utf-8") as table:
                table.write("\t".join(COLUMNS) + "\n")
                for name in sorted(self.rows):
                    table.write("\t".join(str(self.rows[name].get(column, "")).replace("\t", " ").replace("\n", " ")
                                          for column in COLUMNS) + "\n")
            os.replace(self.options.tsv + ".new", self.options.tsv)

    def late(self):
        """Whether nothing new is to be started."""
        return self.options.until and time.monotonic() - self.begin > self.options.until

    def translate(self, program, out, row):
        cuda = [source for source in program.sources if source.translated]
        shutil.rmtree(out, ignore_errors=True)
        if not cuda:
            row.update(translate="fails", translate_error="no CUDA source found")
            return
        base = os.path.commonpath([os.path.dirname(source.path) for source in cuda])
        folder = os.path.normpath(os.path.join(out, os.path.relpath(base, self.mirror)))
        done = run_limited([self.options.port, *(source.path for source in cuda), "--out-dir", folder,
                            *(word for path in program.includes for word in ("-I", path)),
                            *(word for text in program.definitions if text.startswith("-D") for word in ("-D", text[2:]))],
                           Limits(self.options.compile_seconds), cwd=program.folder)
        row.update(translate_s=f"{done.cpu:.2f}", translate_mb=f"{done.megabytes:.0f}", translate_error="")
        if done.code == 0:
            row["translate"] = "ok"
            link_or_copy(program.folder, os.path.join(out, program.name), keep_existing=True)
            return
        row["translate_error"] = first_error(done.text)
        if done.timed_out:
            row["translate"] = "timeout"
        elif done.code < 0 or "Stack dump" in done.text:
            row["translate"] = "crash"
        else:
            row["translate"] = "refused" if "not translated:" in done.text else "fails"
        missing = re.search(r"'([^']+)' file not found", row["translate_error"])
        if missing and not re.match(r"(cuda|cu_?[A-Z]|cooperative|sm_|vector_|device_|math_|driver_|crt/|nv|cooperative)", missing.group(1)):
            row.update({"class": "incomplete", "reason": f"{missing.group(1)} is neither in the checkout nor here"})

    def run(self, program, exe, arguments):
        options = self.options
        limits = Limits(options.seconds, UNLIMITED if options.run_gpu else options.memory * 1024)
        return run_limited([exe, *arguments], limits, cwd=os.path.join(program.folder, program.run_folder), environment=program.environment)

    def one(self, name):
        if self.late():
            return
        program = program_of(self.folder(name + "-cuda"), self.mirror)
        row = self.rows.get(name) or dict.fromkeys(COLUMNS, "")
        row["program"] = name
        texts = {path: text for source in program.sources for path, text in reachable_files(source.path, program.includes).items()}
        for source in program.sources:
            source.translated = source.is_cuda or any(
                CUDA_MARK.search(text) for text in reachable_files(source.path, program.includes).values()) and not source.path.endswith(".c")
        row["class"], row["reason"] = classify(texts, program)
        row["barriers"] = "yes" if has_barriers(texts) else "no"
        row["lines"] = sum(text.count("\n") for text in texts.values())
        if row["class"] == "eligible" or self.options.libraries:
            exe = os.path.join(self.keep, "exe", name)
            self.build(name, program, exe, row)
            if self.options.run and not self.late():
                with self.running:
                    self.run_all(name, program, exe, row, texts)
        self.rows[name] = row
        self.save()
        print(name, row["class"], *(row[column] or "-" for column in ("reason", "translate", "translate_error", "compile", "compile_error", "gpu",
                                                                      "gpu_error", "nvcc_build", "nvcc", "run", "run_detail", "ratio")),
              sep="\t", flush=True)

    def build(self, name, program, exe, row):
        """Translates, and compiles what is asked for and not there yet."""
        options = self.options
        out = os.path.join(self.keep, "out", name)
        stale = row["translate"] != "ok" or not os.path.isdir(out)
        if stale or not options.resume or options.again:
            for column in COLUMNS[5:]:
                row[column] = ""
            self.translate(program, out, row)
        if row["translate"] != "ok" or options.translate_only:
            return
        os.makedirs(os.path.dirname(exe), exist_ok=True)
        if not options.gpu_only and (row["compile"] != "ok" or not os.path.exists(exe)):
            row["compile"], row["compile_error"], seconds = self.builder.ours(program, out, exe, None)
            row["compile_s"] = f"{seconds:.1f}"
            row["run"] = row["twin"] = ""
        if options.arch and (row["gpu"] != "ok" or options.run_gpu and not os.path.exists(exe + ".gpu")):
            row["gpu"], row["gpu_error"], seconds = self.builder.ours(program, out, exe + ".gpu", options.arch)
            row["gpu_s"] = f"{seconds:.1f}"
            if not options.run_gpu and os.path.exists(exe + ".gpu"):
                os.unlink(exe + ".gpu")
        if options.nvcc and not os.path.exists(exe + ".nvcc"):
            row["nvcc_build"], row["nvcc_error"], _ = self.builder.nvcc(program, exe + ".nvcc")
        if options.twins and not os.path.exists(exe + ".twin"):
            row["twin_build"] = "none"
            if os.path.isdir(os.path.join(self.source, name + "-omp")):
                row["twin_build"], row["twin_error"], _ = self.builder.twin(self.folder(name + "-omp"), exe + ".twin",
                                                                            options.arch if options.run_gpu else None)

    def run_all(self, name, program, exe, row, texts):
        """Runs nvcc's build, ours and the twin, each once, with the same arguments."""
        options = self.options
        for kind, binary in (("nvcc", exe + ".nvcc"), ("run", exe + (".gpu" if options.run_gpu else ""))):
            again = row[kind] == "" or not options.resume or options.retry and re.search(options.retry, row[kind])
            if again and os.path.exists(binary):
                self.run_checked(program, binary, row, texts, kind)
        # On a GPU a twin is there for its time alone.
        wanted = row["run"] not in ("", "timeout", "needs data") and (row["time_name"] != "whole run" or not options.run_gpu)
        if options.twins and wanted and (row["twin"] == "" or not options.resume):
            row["twin"] = "none"
            if row["twin_build"] == "fails":
                row["twin"], row["twin_detail"] = "fails to compile", row["twin_error"]
            elif os.path.exists(exe + ".twin"):
                twin = program_of(self.folder(name + "-omp"), self.mirror, "Makefile.aomp")
                done = self.run(twin, exe + ".twin", row["arguments"].split(" ") if row["arguments"] else [])
                row["twin"], row["twin_detail"] = verdict_of(done, twin)
                note_time(row, "twin", done)
        note_ratios(row, options.run_gpu)

    def run_checked(self, program, exe, row, texts, kind):
        """Runs nvcc's build or ours; the first of them finds the arguments that end within the limit."""
        options = self.options
        first = row["arguments"] == "" or row["nvcc"] in ("", "timeout", "memory")
        arguments = expected_arguments(program, texts, options.repeat) if first else row["arguments"].split(" ")
        done = self.run(program, exe, arguments)
        verdict, detail = verdict_of(done, program)
        smaller = shrunk(arguments, options.shrink) if options.shrink and first and verdict in ("timeout", "memory") else arguments
        if smaller != arguments:
            again = self.run(program, exe, smaller)
            said, why = verdict_of(again, program)
            if said in ("PASS", "no check"):
                arguments, done, verdict, detail = smaller, again, said, why
            else:  # the program may not be meant for sizes as small as these
                detail = f"{detail}; with {' '.join(smaller)}: {said} {why}"
        row["arguments"] = " ".join(arguments)
        row[kind], row[kind + "_detail"] = verdict, detail
        note_time(row, kind, done)

    def time_in_turn(self, names):
        """Times nvcc's build, ours and the twin of each program one after the other, as often as asked for, and notes the least of each.
        Left out are programs that say they have failed, report no time, or have nothing beside them."""
        rows = [self.rows[name] for name in names if name in self.rows]
        rows = [row for row in rows if row["run"] in ("PASS", "no check") and (row["nvcc_ratio"] or row["ratio"])]
        rows.sort(key=lambda row: sum(float(row[kind + "_s"] or 0) for kind in KINDS))
        for row in rows:
            row["rounds"] = 0
        least = {}
        for number in range(self.options.rounds):
            for row in rows:
                if not self.late():
                    self.time_once(row, least)
                    row["rounds"] = number + 1
            self.save()

    def time_once(self, row, least):
        """Runs what there is of a program, and notes the least time of each kind so far."""
        name = row["program"]
        exe = os.path.join(self.keep, "exe", name)
        for kind, end in (("nvcc", ".nvcc"), ("run", ".gpu" if self.options.run_gpu else ""), ("twin", ".twin")):
            if row[kind] not in ("PASS", "no check") or not os.path.exists(exe + end) or kind == "twin" and not row["ratio"]:
                continue
            program = program_of(self.folder(name + ("-omp" if kind == "twin" else "-cuda")), self.mirror,
                                 "Makefile.aomp" if kind == "twin" else "Makefile")
            done = self.run(program, exe + end, row["arguments"].split(" ") if row["arguments"] else [])
            if done.code == 0:
                before = least.get((name, kind))
                if before is None or float(reported_time(done)[0]) < float(reported_time(before)[0]):
                    least[name, kind] = done
                note_time(row, kind, least[name, kind])
            elif (name, kind) not in least:
                row["time_us" if kind == "run" else kind + "_time_us"] = ""  # what it reported earlier was not in turn
        note_ratios(row, self.options.run_gpu)


def note_time(row, kind, done):
    """Notes what a run took, and the time that it reports."""
    prefix = "" if kind == "run" else kind + "_"
    row[kind + "_s"] = f"{done.seconds:.2f}"
    row[prefix + "time_us"], row[prefix + "time_name"] = reported_time(done)


def note_ratios(row, run_gpu):
    """Notes nvcc's and the twin's time by ours where both report it by the same words. On the host, whole runs are compared where these
    differ; on a GPU not, for starting takes longer than most kernels."""
    for kind, column in (("twin", "ratio"), ("nvcc", "nvcc_ratio")):
        row[column] = ""
        if row["time_us"] and row[kind + "_time_us"] and row[kind] in ("PASS", "no check"):
            if row["time_name"] == row[kind + "_time_name"] and (row["time_name"] != "whole run" or not run_gpu):
                row[column] = f"{float(row[kind + '_time_us']) / max(float(row['time_us']), 1e-3):.3f}"
            elif not run_gpu:
                row[column] = f"{float(row[kind + '_s']) / max(float(row['run_s']), 1e-3):.3f}"


def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def print_failures(rows, stage, error):
    """Failures of a stage by cause, the most frequent first."""
    groups = {}
    for row in rows:
        if row[stage] not in ("", "ok", "none"):
            groups.setdefault((row[stage], normalised(row[error])), []).append(row)
    for (verdict, cause), members in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"  {len(members):3}  {verdict}: {cause}\n         {' '.join(row['program'] for row in members)}\n         {members[0][error]}")


def summary(rows):
    classes = {}
    for row in rows:
        classes.setdefault(row["class"], []).append(row)
    print("\nPrograms:", len(rows), *(f"{name} {len(members)}" for name, members in sorted(classes.items())))
    reasons = {}
    for row in classes.get("library", []):
        reasons[row["reason"].split(",")[0]] = reasons.get(row["reason"].split(",")[0], 0) + 1
    print("  libraries by the first named:", ", ".join(f"{name} {count}" for name, count in sorted(reasons.items(), key=lambda x: -x[1])))
    for row in classes.get("incomplete", []):
        print(f"  incomplete: {row['program']}: {row['reason']}")
    rows = classes.get("eligible", [])
    translated = [row for row in rows if row["translate"] == "ok"]
    print("Translated:", share(len(translated), len(rows)))
    if translated:
        seconds = sorted(float(row["translate_s"]) for row in translated)
        memory = sorted(float(row["translate_mb"]) for row in translated)
        short = [float(row["translate_s"]) for row in translated if int(row["lines"]) <= 500]
        print(f"  processor seconds: median {statistics.median(seconds):.2f}, most {seconds[-1]:.2f}; of at most 500 lines: most {max(short or [0]):.2f}; "
              f"MB: median {statistics.median(memory):.0f}, most {memory[-1]:.0f}")
    print_failures(rows, "translate", "translate_error")
    for stage, error, label in (("compile", "compile_error", "Compiled for the host:"), ("gpu", "gpu_error", "Compiled for the GPU:"),
                                ("nvcc_build", "nvcc_error", "Compiled by nvcc:"), ("twin_build", "twin_error", "Twins compiled:")):
        tried = [row for row in translated if row[stage] not in ("", "none")]
        if tried:
            print(label, share(sum(row[stage] == "ok" for row in tried), len(tried)))
            print_failures(tried, stage, error)
    ran = [row for row in translated if row["run"]]
    if ran:
        counts = {}
        for row in ran:
            counts[row["run"]] = counts.get(row["run"], 0) + 1
        print("Ran:", len(ran), *(f"{name}: {count}" for name, count in sorted(counts.items())))
        print("  of those that check themselves:", share(counts.get("PASS", 0), counts.get("PASS", 0) + counts.get("FAIL", 0)))
        for row in ran:
            if row["run"] not in ("PASS", "no check"):
                print(f"  {row['run']}: {row['program']} {row['arguments']}: {row['run_detail']}")
    beside = [row for row in ran if row["nvcc"] == "PASS" and row["run"] != "needs data"]
    if beside:
        print("Where nvcc's build passes its check, ours passes:", share(sum(row["run"] == "PASS" for row in beside), len(beside)))
        for row in beside:
            if row["run"] != "PASS":
                print(f"  {row['run']}: {row['program']} {row['arguments']}: {row['run_detail']}; nvcc's: {row['nvcc_detail']}")
        other = [row for row in ran if row["nvcc"] not in ("", "PASS", row["run"])]
        print("  elsewhere, nvcc's build and ours differ:", *(f"{row['program']} ({row['nvcc']}, {row['run']})" for row in other))
    for column, whose in (("nvcc_ratio", "nvcc's"), ("ratio", "Twin's")):
        ratios = sorted((float(row[column]), row["program"]) for row in rows
                        if row[column] and row["run"] in ("PASS", "no check") and (row["rounds"] or not any(other["rounds"] for other in rows)))
        if ratios:
            print(f"{whose} time / ours, {len(ratios)} programs: median {statistics.median(r for r, _ in ratios):.3f},",
                  f"tenth percentile {ratios[len(ratios) // 10][0]:.3f}; least:", *(f"{name} {value:.2f}" for value, name in ratios[:10]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, help="HeCBench checkout")
    parser.add_argument("--port", required=True, help="libexec/portable-hpc/port")
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--prefix", help="where portable-hpc is installed")
    place.add_argument("--build", help="its build folder, with lib/libphpc_cuda.so")
    parser.add_argument("--tsv", required=True, help="table to write")
    parser.add_argument("--keep", required=True, metavar="DIR", help="work folder: the checkout's mirror, translations, executables")
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--link", type=shlex.split, default="-Wl,-rpath,/usr/lib/llvm-19/lib -L/usr/lib/llvm-19/lib", metavar="OPTIONS",
                        help="link options, in one word: --link='-L/usr/lib/llvm-22/lib ...'")
    parser.add_argument("--arch", help="compile for this GPU too, sm_90 for instance")
    parser.add_argument("--gpu-only", action="store_true", help="with --arch: no build for the host")
    parser.add_argument("--nvcc", help="nvcc, to build the originals with: they run beside ours, with --run-gpu")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--run", action="store_true", help="run what compiles, on the host")
    parser.add_argument("--run-gpu", action="store_true", help="with --run and --arch: run on the GPU instead")
    parser.add_argument("--repeat", type=int, help="most repetitions asked of a program, where its usage says which argument that is")
    parser.add_argument("--shrink", type=int, help="after a timeout once more, with numbers from 1024 on divided by this")
    parser.add_argument("--retry", default="", metavar="REGEX", help="with --resume: run again where the verdict matches")
    parser.add_argument("--twins", action="store_true", help="with --run: the *-omp programs beside ours")
    parser.add_argument("--libraries", action="store_true", help="try the programs that use refused libraries too")
    parser.add_argument("--seconds", type=float, default=30, help="limit of a run")
    parser.add_argument("--compile-seconds", type=float, default=300, help="processor seconds of one compilation or translation")
    parser.add_argument("--memory", type=int, default=8192, help="limit of a run, in MiB")
    parser.add_argument("--only", default="", help="programs whose names match")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1, help="programs that run at a time")
    parser.add_argument("--rounds", type=int, default=0, help="time in turn afterwards: runs of each program, one at a time")
    parser.add_argument("--seed", type=int, help="take the programs in random order")
    parser.add_argument("--until", type=float, help="start nothing new after so many seconds; --resume goes on later")
    parser.add_argument("--resume", action="store_true", help="keep what the table has; failures are tried again")
    parser.add_argument("--again", action="store_true", help="with --resume: translate again what is there already")
    parser.add_argument("--translate-only", action="store_true", help="compile nothing")
    parser.add_argument("--summary", action="store_true", help="only print the summary of the table")
    options = parser.parse_args()
    options.resume = options.resume or options.summary
    options.port = os.path.abspath(options.port)
    bench = Bench(options)
    if not options.summary:
        names = sorted(entry[:-5] for entry in os.listdir(bench.source) if entry.endswith("-cuda"))
        names = [name for name in names if re.search(options.only, name)]
        if options.seed is not None:
            random.Random(options.seed).shuffle(names)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for task in [pool.submit(bench.one, name) for name in names]:
                task.result()
        if options.rounds:
            bench.time_in_turn(names)
    if not bench.rows:
        sys.exit("no program matches")
    summary([row for name, row in bench.rows.items() if re.search(options.only, name)])


if __name__ == "__main__":
    main()
