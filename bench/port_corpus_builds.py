"""How port_corpus.py builds a program of HeCBench: our translation of it, nvcc's build of the original, and its hand-written OpenMP twin."""
import os

from port_corpus_programs import Limits, first_error, program_of, run_limited


class Builder:
    """The compilers, their options and the folders. Each build gives a verdict, the first error and the processor's seconds."""

    def __init__(self, options, mirror, lib, include):
        self.options = options
        self.mirror = mirror
        self.lib = lib  # libphpc_cuda.so and its kin
        self.include = include  # phpc/
        self.device_linker = os.path.join(options.build or "", "device_linker")  # of a build folder with images for NVIDIA GPUs
        self.runtime = os.path.dirname(os.path.realpath(
            run_limited([options.compiler, "-print-file-name=libomp.so"], Limits(10)).text.strip()))

    def gpu_options(self):
        """What clang needs to make and link code for the GPU."""
        options = self.options
        return ["-fopenmp-targets=nvptx64-nvidia-cuda", f"--offload-arch={options.arch}", f"--cuda-path={options.cuda_path}",
                f"--libomptarget-nvptx-bc-path={self.runtime}", "-Wno-unknown-cuda-version", "-L" + self.runtime]

    def common_options(self, arch):
        return ["-O3", "-march=native", "-fopenmp=libomp", "-w"] + (self.gpu_options() + ["-fopenmp-cuda-mode"] if arch else [])

    def translation_options(self, arch):
        """The options that phpc_compile_as_nvcc (src/offload.cmake) gives translated sources."""
        listed = ["-fno-math-errno", "-Xclang", "-no-enable-noundef-analysis", "-fveclib=libmvec",
                  "-mllvm", "-enable-interleaved-mem-accesses=false",
                  "-mllvm", "-pragma-vectorize-scev-check-threshold=4096", "-DPHPC_CUDA_VECTORS=1"]
        passes = os.path.dirname(self.options.port)
        if os.path.exists(os.path.join(passes, "thread_lanes.so")):
            listed += ["-Xarch_host", "-fpass-plugin=" + os.path.join(passes, "thread_lanes.so"), "-DPHPC_CUDA_THREAD_LANES=1"]
        if arch:
            nvidia = "-Xopenmp-target=nvptx64-nvidia-cuda"
            listed += ["-mllvm", "-openmp-opt-disable", nvidia, "-ffp-contract=fast", nvidia, "-mllvm=-unroll-partial-threshold=300",
                       nvidia, "-mllvm=-inline-threshold=1000", nvidia, "-mllvm=-instcombine-code-sinking=false",
                       nvidia, "-mllvm=-disable-machine-sink",
                       nvidia, "-includephpc/cuda/clang_overlays.inc"]
            nvidia_memory = os.path.join(passes, "nvidia_memory.so")
            if os.path.exists(nvidia_memory):
                listed += [nvidia, "-fpass-plugin=" + nvidia_memory, "-DPHPC_CUDA_READ_ONLY_LOADS=1"]
        with_gpu = 1 if arch else 0
        return listed + ["-std=gnu++20", f"-DPHPC_WITH_OFFLOAD={with_gpu}", f"-DPHPC_WITH_GPU_IMAGES={with_gpu}", "-I" + self.include]

    def is_whole(self, program):
        """Whether each source is compiled as a whole program, as nvcc compiles it (phpc_as_whole_program)."""
        return os.path.isdir(self.device_linker) and not program.separate

    def source_command(self, program, source, out, arch):
        """The command, but for its files, that compiles one source of a translated program, and the file that it compiles."""
        options = self.options
        relative = os.path.relpath(source.path, self.mirror)
        path = os.path.join(out, relative)
        if source.translated:
            marked = ["-include", "phpc/cuda/detail/whole_program.inc", "-DPHPC_WHOLE_PROGRAM=1"]
            whole = ["-fnoopenmp-relocatable-target", *marked] if arch and self.is_whole(program) else []
            command = [options.compiler, *self.common_options(arch), *self.translation_options(arch), *whole]
            return command, os.path.splitext(path)[0] + ".cpp"
        translated = {os.path.splitext(os.path.relpath(other.path, self.mirror))[0] for other in program.sources if other.translated}
        if not os.path.isfile(path) or os.path.splitext(relative)[0] in translated:
            path = source.path  # of another program's folder, or its namesake's translation has its place
        is_c = path.endswith(".c")
        compiler = options.compiler.replace("clang++", "clang") if is_c else options.compiler
        flags = ["-O3", "-march=native", "-w"] + ([] if is_c else ["-std=gnu++20"])
        return [compiler, *flags, *(["-fopenmp=libomp"] if program.openmp else [])], path

    def ours(self, program, out, exe, arch):
        """Compiles and links a translated program for the host, or for the GPU too."""
        options = self.options
        # Includes of the translation lead; what was not translated stays in the mirror.
        places = [os.path.normpath(os.path.join(root, os.path.relpath(folder, self.mirror)))
                  for folder in program.includes for root in (out, self.mirror)]
        includes = ["-I" + path for path in places if os.path.isdir(path)]
        objects = []
        seconds = 0.0
        for number, source in enumerate(program.sources):
            command, path = self.source_command(program, source, out, arch)
            objects.append(f"{exe}.{number}.o")
            done = run_limited([*command, *program.definitions, *includes, "-iquote", os.path.dirname(source.path), "-c", path,
                                "-o", objects[-1]], Limits(options.compile_seconds), cwd=os.path.join(out, program.name))
            seconds += done.cpu
            if done.code != 0:
                return ("timeout" if done.timed_out else "fails"), first_error(done.text), seconds
        linker = "-B" + os.path.abspath(self.device_linker)
        whole = [linker, "-Xoffload-linker-nvptx64-nvidia-cuda", linker] if arch and self.is_whole(program) else []
        # --link leads: the libomptarget that it names must be found before the one beside libomp.
        done = run_limited([options.compiler, *options.link, *self.common_options(arch), *objects, "-L" + self.lib, "-lphpc_cuda", "-lphpc_exec",
                            "-lphpc_core", "-Wl,-rpath," + self.lib, *program.libraries, *whole, "-o", exe], Limits(options.compile_seconds))
        for item in objects:
            if os.path.exists(item):
                os.unlink(item)
        seconds += done.cpu
        return ("ok", "", seconds) if done.code == 0 else ("fails", "link: " + first_error(done.text), seconds)

    def twin(self, folder, exe, arch):
        """Builds the hand-written OpenMP program by the same clang, for the host or for the GPU."""
        options = self.options
        twin = program_of(folder, self.mirror, "Makefile.aomp")
        flags = ["-O3", "-march=native", "-w", "-fopenmp=libomp", *(self.gpu_options() if arch else [])]
        done = run_limited([options.compiler, *options.link, "-std=c++17", *flags, *twin.definitions, *("-I" + path for path in twin.includes),
                            *(source.path for source in twin.sources), *twin.libraries, "-o", exe],
                           Limits(options.compile_seconds), cwd=twin.folder)
        return ("ok", "", done.cpu) if done.code == 0 else ("fails", first_error(done.text), done.cpu)

    def nvcc(self, program, exe):
        """Builds the original by nvcc."""
        options = self.options
        flags = ["-O3", f"-arch={options.arch}", "-std=c++17", "-w", "--expt-relaxed-constexpr", "--extended-lambda",
                 *(["-Xcompiler", "-fopenmp"] if program.openmp else []),
                 *(["-rdc=true"] if program.separate else []),
                 *(["-x", "cu"] if any(source.is_cuda and not source.path.endswith(".cu") for source in program.sources) else [])]
        done = run_limited([options.nvcc, *flags, *program.definitions, *("-I" + path for path in program.includes),
                            *(source.path for source in program.sources), *program.libraries, "-o", exe],
                           Limits(options.compile_seconds), cwd=program.folder)
        return ("ok", "", done.cpu) if done.code == 0 else ("fails", first_error(done.text), done.cpu)
