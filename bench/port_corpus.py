#!/usr/bin/env python3
"""Translates the CUDA programs of a HeCBench checkout with `portable-hpc port`, compiles and runs what comes out, and says how many
programs pass each stage and why the others do not. Writes a TSV row for each program; nothing is written into the checkout.

    bench/port_corpus.py --corpus HeCBench --port build/libexec/portable-hpc/port --build build --tsv port.tsv --keep /tmp/ported
    bench/port_corpus.py ... --arch sm_90 --run --seconds 15 --repeat 2 --only '^(bfs|scan)$' --resume --jobs 2
    bench/port_corpus.py ... --run --twins     (the hand-written *-omp programs beside ours, built by the same compiler)
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import statistics
import sys
import threading

from port_corpus_programs import (Limits, classify, expected_arguments, first_error, has_barriers, link_or_copy, normalised, program_of,
                                  reachable_files, reported_time, run_limited, shrunk, verdict_of)

COLUMNS = ["program", "class", "reason", "barriers", "lines", "translate", "translate_error", "translate_s", "translate_mb", "compile",
           "compile_error", "compile_s", "gpu", "gpu_error", "gpu_s", "run", "run_detail", "run_s", "arguments", "time_us", "time_name",
           "twin", "twin_detail", "twin_time_us", "ratio"]
CUDA_MARK = re.compile(r"\b(cuda[A-Z]\w+|__global__|__device__)\b|<<<|#\s*include\s*[<\"]cuda")


class Bench:
    """What all programs share: the tools, the folders and the rows."""

    def __init__(self, options):
        self.options = options
        self.source = os.path.join(os.path.abspath(options.corpus), "src")
        self.keep = os.path.abspath(options.keep)
        self.mirror = os.path.join(self.keep, "src")  # the checkout's folders: links, and copies of those where a program runs
        self.lock = threading.Lock()
        self.rows = {}
        prefix = os.path.abspath(options.prefix or options.build)
        self.lib = os.path.join(prefix, "lib")
        self.include = os.path.join(prefix, "include")
        if options.build:  # the headers are the source folder's
            with open(os.path.join(prefix, "CMakeCache.txt"), encoding="utf-8") as cache:
                self.include = os.path.join(re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache.read(), re.MULTILINE).group(1), "include")
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

    def compile(self, program, out, exe, arch):
        """Compiles and links a translated program. Gives the verdict, the first error and the seconds."""
        options = self.options
        common = ["-O3", "-march=native", "-fopenmp=libomp", "-w"]
        as_nvcc = ["-fno-math-errno", "-fveclib=libmvec", "-mllvm", "-enable-interleaved-mem-accesses=false",
                   "-mllvm", "-pragma-vectorize-scev-check-threshold=4096", "-DPHPC_CUDA_VECTORS=1"]
        passes = os.path.dirname(options.port)
        if os.path.exists(os.path.join(passes, "thread_lanes.so")):
            as_nvcc += ["-Xarch_host", "-fpass-plugin=" + os.path.join(passes, "thread_lanes.so"), "-DPHPC_CUDA_THREAD_LANES=1"]
        if arch:
            runtime = os.path.dirname(os.path.realpath(run_limited([options.compiler, "-print-file-name=libomp.so"], Limits(10)).text.strip()))
            common += ["-fopenmp-targets=nvptx64-nvidia-cuda", f"--offload-arch={arch}", f"--cuda-path={options.cuda_path}",
                       f"--libomptarget-nvptx-bc-path={runtime}", "-fopenmp-cuda-mode", "-Wno-unknown-cuda-version", "-L" + runtime]
            nvidia = "-Xopenmp-target=nvptx64-nvidia-cuda"  # as phpc_compile_as_nvcc (src/offload.cmake)
            common += ["-mllvm", "-openmp-opt-disable", nvidia, "-ffp-contract=fast", nvidia, "-mllvm=-unroll-partial-threshold=300",
                       nvidia, "-mllvm=-unroll-threshold=1000", nvidia, "-mllvm=-inline-threshold=1000",
                       nvidia, "-includephpc/cuda/global_lerp.inc", nvidia, "-D_LIBCPP_COMPLEX=1"]
            read_only_loads = os.path.join(passes, "read_only_loads.so")
            if os.path.exists(read_only_loads):
                common += [nvidia, "-fpass-plugin=" + read_only_loads, nvidia, "-DPHPC_CUDA_READ_ONLY_LOADS=1"]
        with_gpu = 1 if arch else 0
        definitions = [f"-DPHPC_WITH_OFFLOAD={with_gpu}", f"-DPHPC_WITH_GPU_IMAGES={with_gpu}"]
        objects = []
        seconds = 0.0
        os.makedirs(os.path.dirname(exe), exist_ok=True)
        if os.path.exists(exe):
            os.unlink(exe)
        # Includes of the translation lead; what was not translated stays in the mirror.
        includes = []
        for folder in program.includes:
            for root in (out, self.mirror):
                path = os.path.normpath(os.path.join(root, os.path.relpath(folder, self.mirror)))
                if os.path.isdir(path):
                    includes.append("-I" + path)
        for number, source in enumerate(program.sources):
            relative = os.path.relpath(source.path, self.mirror)
            path = os.path.join(out, relative)
            if not source.translated and not os.path.isfile(path):
                path = source.path  # of another program's folder
            if source.translated:
                path = os.path.splitext(path)[0] + ".cpp"
                language = ["-std=gnu++20"] + definitions + ["-I" + self.include]
                compiler, flags = options.compiler, common + as_nvcc
            else:
                is_c = path.endswith(".c")
                compiler = options.compiler.replace("clang++", "clang") if is_c else options.compiler
                language = [] if is_c else ["-std=gnu++20"]
                flags = [flag for flag in common if flag.startswith(("-O", "-march", "-w"))]
                flags += ["-fopenmp=libomp"] if program.openmp else []
                if os.path.splitext(relative)[0] in {os.path.splitext(os.path.relpath(other.path, self.mirror))[0]
                                                     for other in program.sources if other.translated}:
                    path = source.path  # its namesake's translation has its place
            target = f"{exe}.{number}.o"
            done = run_limited([compiler, *flags, *language, *program.definitions, *includes, "-iquote", os.path.dirname(source.path),
                                "-c", path, "-o", target], Limits(options.compile_seconds), cwd=os.path.join(out, program.name))
            seconds += done.seconds
            if done.code != 0:
                return ("timeout" if done.timed_out else "fails"), first_error(done.text), seconds
            objects.append(target)
        # --link leads: the libomptarget that it names must be found before the one beside libomp.
        done = run_limited([options.compiler, *options.link, *common, *objects, "-L" + self.lib, "-lphpc_cuda", "-lphpc_exec",
                            "-lphpc_core", "-Wl,-rpath," + self.lib, *program.libraries, "-o", exe], Limits(options.compile_seconds))
        for item in objects:
            os.unlink(item)
        seconds += done.seconds
        return ("ok", "", seconds) if done.code == 0 else ("fails", "link: " + first_error(done.text), seconds)

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

    def run(self, program, exe, arguments, environment=None):
        limits = Limits(self.options.seconds, self.options.memory * 1024)
        return run_limited([exe, *arguments], limits, cwd=os.path.join(program.folder, program.run_folder),
                           environment={**program.environment, **(environment or {})})

    def one(self, name):
        options = self.options
        folder = self.folder(name + "-cuda")
        program = program_of(folder, self.mirror)
        row = self.rows.get(name) or dict.fromkeys(COLUMNS, "")
        row["program"] = name
        texts = {path: text for source in program.sources for path, text in reachable_files(source.path, program.includes).items()}
        for source in program.sources:
            source.translated = source.is_cuda or any(
                CUDA_MARK.search(text) for text in reachable_files(source.path, program.includes).values()) and not source.path.endswith(".c")
        row["class"], row["reason"] = classify(texts, program)
        row["barriers"] = "yes" if has_barriers(texts) else "no"
        row["lines"] = sum(text.count("\n") for text in texts.values())
        out = os.path.join(self.keep, "out", name)
        exe = os.path.join(self.keep, "exe", name)
        if row["class"] == "eligible" or options.libraries:
            stale = row["translate"] != "ok" or not os.path.isdir(out)
            if stale or not options.resume or options.again:
                for column in COLUMNS[5:]:
                    row[column] = ""
                self.translate(program, out, row)
            if row["translate"] == "ok" and not options.translate_only and (row["compile"] != "ok" or not os.path.exists(exe)):
                row["compile"], row["compile_error"], seconds = self.compile(program, out, exe, None)
                row["compile_s"] = f"{seconds:.1f}"
                row["run"] = row["twin"] = ""
            if row["translate"] == "ok" and options.arch and not options.translate_only and (row["gpu"] != "ok" or options.run_gpu and not os.path.exists(exe + ".gpu")):
                row["gpu"], row["gpu_error"], seconds = self.compile(program, out, exe + ".gpu", options.arch)
                row["gpu_s"] = f"{seconds:.1f}"
                if not options.run_gpu and os.path.exists(exe + ".gpu"):
                    os.unlink(exe + ".gpu")
            if row["run"] == "" or not options.resume or options.retry and re.search(options.retry, row["run"]):
                self.run_ours(program, exe, row, texts)
            if options.twins and row["run"] not in ("", "timeout", "needs data") and (row["twin"] == "" or not options.resume):
                self.run_twin(name, program, exe, row)
        self.rows[name] = row
        self.save()
        print(name, row["class"], *(row[column] or "-" for column in ("reason", "translate", "translate_error", "compile", "compile_error",
                                                                      "gpu", "run", "run_detail", "ratio")), sep="\t", flush=True)

    def run_ours(self, program, exe, row, texts):
        options = self.options
        exe += ".gpu" if options.run_gpu else ""
        if not options.run or not os.path.exists(exe):
            return
        arguments = expected_arguments(program, texts, options.repeat)
        done = self.run(program, exe, arguments)
        verdict, detail = verdict_of(done, program)
        smaller = shrunk(arguments, options.shrink) if options.shrink and verdict in ("timeout", "memory") else arguments
        if smaller != arguments:
            again = self.run(program, exe, smaller)
            said, why = verdict_of(again, program)
            if said in ("PASS", "no check"):
                arguments, done, verdict, detail = smaller, again, said, why
            else:  # the program may not be meant for sizes as small as these
                detail = f"{detail}; with {' '.join(smaller)}: {said} {why}"
        row["arguments"] = " ".join(arguments)
        row["run"], row["run_detail"] = verdict, detail
        row["run_s"] = f"{done.seconds:.2f}"
        row["time_us"], row["time_name"] = reported_time(done)

    def run_twin(self, name, program, exe, row):
        """The hand-written OpenMP program, with our arguments; its time as it reports it, if it names it as ours does."""
        options = self.options
        row["twin"] = "none"
        if not os.path.isdir(os.path.join(self.source, name + "-omp")):
            return
        twin = program_of(self.folder(name + "-omp"), self.mirror, "Makefile.aomp")
        flags = ["-O3", "-march=native", "-w", "-fopenmp=libomp"]
        if options.run_gpu:
            flags += ["-fopenmp-targets=nvptx64-nvidia-cuda", f"--offload-arch={options.arch}", f"--cuda-path={options.cuda_path}"]
        binary = exe + ".twin"
        done = run_limited([options.compiler, "-std=c++17", *flags, *twin.definitions, *("-I" + path for path in twin.includes),
                            *(source.path for source in twin.sources), *options.link, *twin.libraries, "-o", binary],
                           Limits(options.compile_seconds), cwd=twin.folder)
        if done.code != 0:
            row["twin"], row["twin_detail"] = "fails to compile", first_error(done.text)
            return
        done = self.run(twin, binary, row["arguments"].split(" ") if row["arguments"] else [])
        row["twin"], row["twin_detail"] = verdict_of(done, twin)
        time, time_name = reported_time(done)
        if done.timed_out:
            return
        ours = row["time_us"]
        if time_name != row["time_name"]:  # they time different things
            ours, time = float(row["run_s"]) * 1e6, done.seconds * 1e6
        row["twin_time_us"] = time
        row["ratio"] = f"{float(time) / max(float(ours), 1e-3):.3f}"


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
    for stage, label in (("compile", "Compiled for the host:"), ("gpu", "Compiled for the GPU:")):
        tried = [row for row in translated if row[stage]]
        if tried:
            print(label, share(sum(row[stage] == "ok" for row in tried), len(tried)))
            print_failures(tried, stage, stage + "_error")
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
    ratios = sorted((float(row["ratio"]), row["program"]) for row in rows if row["ratio"] and row["run"] in ("PASS", "no check"))
    if ratios:
        print(f"Twin's time / ours, {len(ratios)} programs: median {statistics.median(r for r, _ in ratios):.2f},",
              f"tenth percentile {ratios[len(ratios) // 10][0]:.2f}; least:", *(f"{name} {value:.2f}" for value, name in ratios[:10]))


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
    parser.add_argument("--link", nargs="*", default=["-Wl,-rpath,/usr/lib/llvm-19/lib", "-L/usr/lib/llvm-19/lib"], help="link options")
    parser.add_argument("--arch", help="compile for this GPU too, sm_90 for instance")
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
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for task in [pool.submit(bench.one, name) for name in names]:
                task.result()
    if not bench.rows:
        sys.exit("no program matches")
    summary([row for name, row in bench.rows.items() if re.search(options.only, name)])


if __name__ == "__main__":
    main()
