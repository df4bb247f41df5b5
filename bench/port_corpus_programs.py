"""What port_corpus.py knows of HeCBench's programs: their Makefiles, what they use, how they are run, what their output says."""
import dataclasses
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time

SOURCE = (".cu", ".cpp", ".cc", ".cxx", ".c")
COMPILERS = {"nvcc", "nvc++", "g++", "gcc", "cc", "c++", "clang++", "clang", "mpicxx", "mpicc", "mpiCC", "icpx", "icx"}
OUR_LIBRARIES = {"-lm", "-lpthread", "-lrt", "-ldl", "-lz"}

# What the translator refuses, by what shows it in a source.
REFUSED = [
    ("cub", r"#\s*include\s*<cub/|\bcub::"),
    ("thrust", r"#\s*include\s*<thrust/|\bthrust::"),
    ("cublas", r"#\s*include\s*[<\"]cublas|\bcublas[A-Z]\w+\s*\("),
    ("cusparse", r"#\s*include\s*[<\"]cusparse|\bcusparse[A-Z]\w+\s*\("),
    ("curand", r"#\s*include\s*[<\"]curand|\bcurand\w*\s*\("),
    ("cudnn", r"#\s*include\s*[<\"]cudnn|\bcudnn[A-Z]\w+\s*\("),
    ("cufft", r"#\s*include\s*[<\"]cufft|\bcufft[A-Z]\w+\s*\("),
    ("cusolver", r"#\s*include\s*[<\"]cusolver"),
    ("other CUDA library", r"#\s*include\s*[<\"](npp|nvjpeg|nvrtc|nvml|nvtx3|nvToolsExt|cutlass|cute/|cutensor|nvshmem|cudss|nvgraph)"),
    ("libcu++", r"#\s*include\s*<(cuda/|nv/)|\bcuda::(std|atomic|pipeline|barrier|memcpy_async|thread_scope)"),
    ("8-bit floating point", r"#\s*include\s*[<\"]cuda_fp8|\b__nv_fp8"),
    ("tensor cores", r"#\s*include\s*[<\"]c?r?t?/?mma\.h|\bwmma::|\bnvcuda::"),
    ("textures", r"\btexture\s*<|\btex[123]D\w*\s*[(<]|\btex1Dfetch|\bcuda(Texture|Surface)Object_t|\bsurf[123]D\w+|\bcudaCreateTexture"),
    ("inline PTX", r"\basm\s*(volatile|__volatile__)?\s*\("),
    ("grid-wide sync", r"\bthis_grid\s*\(|\bgrid_group\b|\bcudaLaunchCooperativeKernel"),
    ("driver API", r"\bcu(Init|Device[A-Z]|Ctx[A-Z]|Module[A-Z]|LaunchKernel|Mem(Alloc|Free|cpy|set|Create|Map|Address)|Func[A-Z])\w*\s*\("
                   r"|\bCU(deviceptr|device|context|module|function)\b"),
    ("nccl", r"#\s*include\s*[<\"]nccl"),
    ("MPI", r"#\s*include\s*[<\"]mpi\.h"),
    ("third-party headers", r"#\s*include\s*[<\"](boost/|gsl/|opencv|Eigen/|torch/|ATen/|c10/|pybind11/|glm/|tbb/|fftw|hdf5|H5|png\.h"
                            r"|jpeglib|libxml|zlib|bzlib|nlohmann|GL/|SDL|R\.h|Python\.h|jsoncpp|cblas|mkl|lapack|openblas)"),
    ("standard parallelism", r"\bstd::execution::par"),
]
REFUSED = [(name, re.compile(pattern)) for name, pattern in REFUSED]

# Arguments in place of the Makefile's, where these keep two cores busy for minutes. {} stands for one that stays.
ARGUMENTS = {}


@dataclasses.dataclass
class Limits:
    seconds: float
    kibibytes: object = 0  # or UNLIMITED: CUDA reserves more address space than there is memory


@dataclasses.dataclass
class Done:
    code: int
    text: str
    seconds: float
    cpu: float  # seconds of the processor
    megabytes: float
    timed_out: bool


@dataclasses.dataclass
class Source:
    path: str
    is_cuda: bool
    translated: bool = False


@dataclasses.dataclass
class Program:
    """What the Makefile says: sources, options that the compiler needs, and how it is run. Paths are whole."""
    name: str
    folder: str
    sources: list
    includes: list
    definitions: list
    libraries: list
    openmp: bool = False
    separate: bool = False  # compiled with -rdc=true: device code of several sources is linked
    run_folder: str = "."
    arguments: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)


UNLIMITED = "unlimited"


def run_limited(command, limits, cwd=None, environment=None):
    """Runs a command with its output kept, up to a limit of seconds and of address space; its children end with it. Without a word on
    address space it is a tool: its seconds are the processor's, so that a busy machine changes nothing."""
    if not limits.kibibytes:
        command = ["sh", "-c", f'ulimit -St {max(1, int(limits.seconds))}; exec "$@"', "sh", *command]
        limits = Limits(20 * limits.seconds)
    else:
        command = ["sh", "-c", f'ulimit -v {limits.kibibytes}; ulimit -s unlimited 2>/dev/null; ulimit -c 0; exec "$@"', "sh", *command]
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd,
                                   env={**os.environ, **(environment or {})}, start_new_session=True)
        late = threading.Event()

        def stop():
            late.set()
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limits.seconds, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begin
        size = output.tell() if output.seek(0, os.SEEK_END) else 0
        output.seek(0)
        text = output.read(2_000_000)
        if size > 4_000_000:
            output.seek(size - 2_000_000)
            text += output.read()
    if process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        late.set()
    return Done(process.returncode, text.decode(errors="replace"), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, late.is_set())


def link_or_copy(source, target, keep_existing=False):
    """Copies a folder, links staying links to the same files. Files that are there already stay, if asked."""
    for folder, _, files in os.walk(source):
        place = os.path.join(target, os.path.relpath(folder, source))
        os.makedirs(place, exist_ok=True)
        for name in files:
            path = os.path.join(place, name)
            if not (keep_existing and os.path.lexists(path)) and os.path.isfile(os.path.join(folder, name)):
                shutil.copyfile(os.path.join(folder, name), path)
                shutil.copymode(os.path.join(folder, name), path)


def without_comments(text):
    """The text with comments blanked; strings stay."""
    pattern = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/'
    return re.sub(pattern, lambda found: found.group(0) if found.group(0)[0] in "\"'" else re.sub(r"[^\n]", " ", found.group(0)), text,
                  flags=re.DOTALL)


def reachable_files(path, includes):
    """The source and the headers that it includes from the checkout, directly or not: path -> text without comments."""
    found = {}
    left = [path]
    while left:
        path = os.path.normpath(left.pop())
        if path in found or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            found[path] = without_comments(file.read())
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^">]+)[">]', found[path], re.MULTILINE):
            for folder in [os.path.dirname(path), *includes]:
                if os.path.isfile(os.path.join(folder, name)):
                    left.append(os.path.join(folder, name))
                    break
    return found


def classify(texts, program):
    """`eligible`, `library` and which, or `no program`."""
    if not program.sources:
        return "no program", "no sources found"
    text = "\n".join(texts.values())
    used = [name for name, pattern in REFUSED if pattern.search(text)]
    if used:
        return "library", ",".join(used)
    if not re.search(r"__global__|<<<|\bcuda[A-Z]", text):
        return "no program", "no CUDA in its sources"
    return "eligible", ""


def has_barriers(texts):
    return any(re.search(r"\b__syncthreads\w*\s*\(|\.sync\s*\(\s*\)", text) for text in texts.values())


class Makefile:
    """The commands that make would run, from its dry run, put together to programs."""

    def __init__(self, folder):
        self.folder = folder
        self.sources_of = {}  # by the object or library made of them
        self.includes = []
        self.definitions = []
        self.libraries = []
        self.openmp = False
        self.separate = False
        self.programs = {}  # sources by executable
        self.runs = []  # folder, environment, executable, arguments

    def path(self, name, cwd):
        return os.path.normpath(os.path.join(cwd, name))

    def read(self, text):
        folders = [self.folder]
        for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
            entering = re.match(r"make(\[\d+\])?: (Entering|Leaving) directory '(.*)'", line)
            if entering and entering.group(2) == "Entering":
                folders.append(entering.group(3))
            elif entering and len(folders) > 1:
                folders.pop()
            elif line and not line.startswith(("make", "#")):
                cwd = folders[-1]
                for command in re.split(r"\s*(?:&&|;)\s*", line):
                    try:
                        words = shlex.split(command)
                    except ValueError:
                        continue
                    if len(words) == 2 and words[0] == "cd":
                        cwd = self.path(words[1], cwd)
                    elif words:
                        self.command(words, cwd)

    def command(self, words, cwd):
        tool = os.path.basename(words[0])
        if tool in COMPILERS:
            self.compilation(words[1:], cwd)
        elif tool == "ar" and len(words) > 2:
            members = [self.path(word, cwd) for word in words[3:]]
            self.sources_of[self.path(words[2], cwd)] = [source for member in members for source in self.sources_of.get(member, [])]
        else:
            environment = {}
            while words and re.match(r"[A-Z_]+=", words[0]):
                name, _, value = words.pop(0).partition("=")
                environment[name] = value
            if words and words[0].startswith((".", "build/", "release/")) and "/" in words[0]:
                self.runs.append((cwd, environment, self.path(words[0], cwd), words[1:]))

    def compilation(self, words, cwd):
        output = None
        inputs = []
        compile_only = False
        forced_cuda = False
        words = iter(words)
        for word in words:
            if word in ("-Xcompiler", "-Xlinker", "-Xptxas", "-gencode", "-arch", "-x", "--x", "-Xopenmp-target", "-target", "-MF", "-MT"):
                value = next(words, "")
                self.openmp |= value == "-fopenmp"
                forced_cuda |= word in ("-x", "--x") and value == "cu"
            elif word == "-o":
                output = self.path(next(words, ""), cwd)
            elif word in ("-I", "-isystem", "-include"):
                self.includes.append(self.path(next(words, ""), cwd))
            elif word == "-D":
                self.definitions.append("-D" + next(words, ""))
            elif word.startswith("-I"):
                self.includes.append(self.path(word[2:], cwd))
            elif word.startswith(("-D", "-U")):
                self.definitions.append(word)
            elif word in OUR_LIBRARIES:
                self.libraries.append(word)
            elif word in ("-c", "-dc", "--device-c"):
                compile_only = True
                self.separate |= word != "-c"
            elif word in ("-rdc=true", "--relocatable-device-code=true"):
                self.separate = True
            elif "-fopenmp" in word:
                self.openmp = True
            elif not word.startswith("-"):
                inputs.append(self.path(word, cwd))
        sources = []
        for name in inputs:
            if name in self.sources_of:
                sources += self.sources_of[name]
            elif name.endswith(SOURCE):
                sources.append(Source(name, forced_cuda or name.endswith(".cu")))
        if compile_only:
            base = os.path.join(cwd, os.path.splitext(os.path.basename(inputs[0]))[0] + ".o") if inputs else ""
            self.sources_of[output or base] = sources
        else:
            self.programs[output or os.path.join(cwd, "a.out")] = sources


def unique(items, key=lambda item: item):
    return list({key(item): item for item in items}.values())


def program_of(folder, mirror, name="Makefile"):
    """The program that the folder's Makefile makes and runs; all sources of the folder where it has none."""
    makefile = Makefile(folder)
    if not os.path.isfile(os.path.join(folder, name)):
        name = "Makefile"
    if os.path.isfile(os.path.join(folder, name)):
        done = run_limited(["make", "-nBkw", "-f", name, "run", "LAUNCHER=", "OPTIMIZE=yes", "DEVICE=cpu"], Limits(20), cwd=folder,
                           environment={"MAKEFLAGS": "", "LC_ALL": "C"})
        makefile.read(done.text)
    run = next((run for run in makefile.runs if run[2] in makefile.programs), makefile.runs[0] if makefile.runs else None)
    sources = makefile.programs.get(run[2]) if run else None
    if not sources and makefile.programs:
        sources = max(makefile.programs.values(), key=len)
    if not sources:
        sources = [Source(os.path.join(place, entry), entry.endswith(".cu")) for place, _, files in sorted(os.walk(folder))
                   for entry in sorted(files) if entry.endswith(SOURCE)]
    sources = unique([source for source in sources if os.path.isfile(source.path)], lambda source: source.path)
    includes = [path for path in unique(makefile.includes) if path.startswith(mirror)]
    program = Program(os.path.basename(folder), folder, sources, includes, unique(makefile.definitions), unique(makefile.libraries),
                      makefile.openmp, makefile.separate)
    if run:
        program.run_folder = os.path.relpath(run[0], folder)
        program.environment = run[1]
        program.arguments = [word for word in run[3] if word not in ("|", ">", "2>&1")]
    return program


REPETITIONS = re.compile(r"repeat|repetition|iteration|iterations|niter|times|trials|loops|runs|\biter", re.IGNORECASE)
STEPS = re.compile(r"time ?step|steps|size|length", re.IGNORECASE)


def expected_arguments(program, texts, most):
    """The Makefile's arguments, or those of the table above; numbers of repetitions, as the usage names them, are at most `most`."""
    name = program.name.rsplit("-", 1)[0]
    arguments = list(ARGUMENTS.get(name, program.arguments))
    if name in ARGUMENTS or most is None:
        return arguments
    usages = re.findall(r'[Uu]sage.*?;', "\n".join(texts.values()), re.DOTALL)
    for usage in usages[:1]:
        usage = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', '"' + usage)) or usage
        places = re.findall(r"<([^<>]+)>|\[([^\[\]]+)\]|\(([^()]+)\)", usage)
        places = ["".join(place) for place in places]
        if len(places) < len(arguments):  # some without brackets: those in brackets are the last
            places = [""] * (len(arguments) - len(places)) + places
        named = [number for number, place in enumerate(places[:len(arguments)])
                 if REPETITIONS.search(place) and not STEPS.search(place) and arguments[number].isdigit()]
        for number in [number for number in named if "repe" in places[number].lower()] or named[-1:]:
            arguments[number] = str(min(int(arguments[number]), most))
    for number, word in enumerate(arguments):
        if re.fullmatch(r"--?(repeat|repeats|niters?|n?iterations|numtimes|passes|itmax|runs|iters?)", word) and number + 1 < len(arguments):
            if arguments[number + 1].isdigit():
                arguments[number + 1] = str(min(int(arguments[number + 1]), most))
        flag = re.fullmatch(r"(--?(?:i|p|repeat|iterations)=)(\d+)", word)
        if flag:
            arguments[number] = flag.group(1) + str(min(int(flag.group(2)), most))
    return arguments


def shrunk(arguments, factor):
    """The arguments with sizes a `factor`, a power of two, smaller: numbers from 1024 on that a GPU deals with in a blink."""
    return [str(max(256, int(word) // factor)) if word.isdigit() and int(word) >= 1024 else word for word in arguments]


def first_error(text):
    for pattern in (r"not translated:", r"\b(fatal )?error:|undefined (reference|symbol)|portable-hpc port:", r"\S"):
        for line in text.split("\n"):
            if re.search(pattern, line):
                return re.sub(r"/\S*/src/|/\S*/out/[^/]+/", "", line.strip())[:300]
    return "no message"


def normalised(error):
    """The error without the names that tell one program from another."""
    error = re.sub(r"^\S+?:\d+(:\d+)?: ", "", error)
    error = re.sub(r"'[^']*file not found", lambda found: found.group(0), error)
    if "file not found" not in error and "undeclared" not in error and "unknown type" not in error and "no member" not in error:
        error = re.sub(r"'[^']*'", "'...'", error)
        error = re.sub(r"\b\d+\b", "N", error)
    return re.sub(r"\S+\.(o|cpp|cu|h|cuh|hpp)\b(:\d+)?", "FILE", error) if "file not found" not in error else error


NUMBER = r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?"
# A named amount of errors is a measure; none of them is good news.
NO_ERRORS = re.compile(r"\b(no|zero|0|without)\s+(\w+\s+)?(errors?|mismatch(es)?|failures?|failed)\b"
                       r"|\b(errors?|mismatch(es)?|failures?|failed)(\s+\w+){0,2}\s*[:=]\s*0(\.0*)?([eE][-+]?\d+)?(?![.\d])", re.IGNORECASE)
MEASURE = re.compile(r"\b(error|errors|RMSE|L2|norm|rate|difference)\b[^\n]{0,40}?[:=(<,]\s*" + NUMBER + r"|\b(absolute|relative|average|max\w*|mean|rms|root)[^\n]{0,30}\berror\b"
                     r"|error (rate|tolerance|bound|norm|margin|code|function|threshold)|\berror[ _]?(is|of)\b", re.IGNORECASE)
BAD = re.compile(r"\bFAIL(ED|URE|S|ING)?\b|\bincorrect|\bmis-?match|\berrors?\b|\bwrong\b|\binvalid\b|\bnot (correct|equal|identical|match)", re.IGNORECASE)
GOOD = re.compile(r"\bPASS(ED|ES)?\b|\bsuccess|\bcorrect(ly)?\b|\bverified\b|\bvalid(ated)?\b|\bOK\b|\bmatch(es|ed)?\b", re.IGNORECASE)
NO_DATA = re.compile(r"(can(no|')t|could not|couldn't|unable to|failed to|not able to|fail(ed)? (in|at)?) ?(be )?(read|open|find|load|locate)"
                     r"|no such file|error (opening|reading|loading)|file .{0,60}(not found|does not exist|missing)|cannot access", re.IGNORECASE)


def verdict_of(done, program):
    """What the run says of itself, and the line that says so."""
    lines = done.text.split("\n")
    said = {}
    for line in lines:
        rest = NO_ERRORS.sub(" PASS ", line)
        rest = MEASURE.sub(" ", rest)
        if BAD.search(rest):
            said.setdefault("FAIL", line.strip())
        elif GOOD.search(rest):
            said.setdefault("PASS", line.strip())
    no_data = next((line.strip() for line in lines if NO_DATA.search(line)), None)
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    missing = [word for word in program.arguments if re.search(r"/|\.\w{2,5}$", word) and not re.fullmatch(NUMBER, word)
               and not os.path.exists(os.path.join(program.folder, program.run_folder, word))]
    if done.timed_out:
        return ("FAIL", said["FAIL"]) if "FAIL" in said else ("timeout", last[:200])
    if done.code != 0 and re.search(r"cannot allocate memory|bad_alloc|out of memory", done.text):
        return "memory", last[:200]
    if no_data or (missing and (done.code != 0 or "PASS" not in said)):
        return "needs data", (no_data or " ".join(missing))[:200]
    if done.code != 0:
        why = signal.Signals(-done.code).name if done.code < 0 else f"exit code {done.code}"
        if re.match(r"\s*usage", done.text, re.IGNORECASE):
            return "needs arguments", last[:200]
        return "FAIL", f"{why}: {said.get('FAIL', last)}"[:200]
    if "FAIL" in said:
        return "FAIL", said["FAIL"][:200]
    return ("PASS", said["PASS"][:200]) if "PASS" in said else ("no check", last[:200])


UNITS = {"s": 1e6, "sec": 1e6, "secs": 1e6, "second": 1e6, "seconds": 1e6, "ms": 1e3, "msec": 1e3, "milliseconds": 1e3, "us": 1,
         "usec": 1, "microseconds": 1, "ns": 1e-3, "nanoseconds": 1e-3}


def reported_time(done):
    """Microseconds that the program reports for its kernels, and the words it does so with; the whole run's where it reports none."""
    sums = {}
    for line in done.text.split("\n"):
        if re.search(r"\btime|elapsed|took\b", line, re.IGNORECASE) and re.search(r"kernel|execution|average|total|offload|device|elapsed", line, re.IGNORECASE):
            if re.search(r"\b(cpu|host|serial|reference|copy|transfer|alloc)\b", line, re.IGNORECASE):
                continue
            found = re.search(rf"({NUMBER})\s*\(?\[?({'|'.join(sorted(UNITS, key=len, reverse=True))})\b", line) or \
                re.search(rf"\(({'|'.join(sorted(UNITS, key=len, reverse=True))})\)\s*[:=]?\s*({NUMBER})", line)
            if found:
                number, unit = found.groups() if re.match(NUMBER, found.group(1)) else reversed(found.groups())
                name = re.sub(r"[^a-z]+", " ", re.sub(NUMBER, "", line[:found.start()]).lower()).strip()
                sums[name] = sums.get(name, 0) + float(number) * UNITS[unit]
    if not sums:
        return f"{done.seconds * 1e6:.0f}", "whole run"
    name, value = max(sums.items(), key=lambda item: ("kernel" in item[0], item[1]))
    return f"{value:.3f}", name or "time"
