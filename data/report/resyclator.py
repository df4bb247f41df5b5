"""Chapter: ReSYCLator (Stauber and Sommerlad), CUDA sources made sources of a portable model; here by `portable-hpc port`."""
import os
import re
import shutil

from tables import Table

LISTINGS = ("launch", "memory", "block")
# What of CUDA, what ReSYCLator does with it as far as it is known here, in which listing it stands, and the line of it.
CONVERSIONS = [
    ("kernel", "converted", "launch", r"__global__ void scale.*", r"PHPC_KERNEL void scale_thread.*"),
    ("launch", "converted", "launch", r"scale<<<.*", r"scale\(phpc::cuda::Grid\(.*"),
    ("launcher", "part of the launch", "launch", None, r"void scale\(phpc::cuda::Grid.*"),
    ("indices", "converted", "launch", r"const int column = .*", None),
    ("dim3", "converted", "launch", r"const dim3 block.*", None),
    ("header", "converted", "launch", r"#include <cuda_runtime.h>", r'#include "phpc/cuda/cuda.hpp"'),
    ("wait", "not quoted", "launch", r"cudaDeviceSynchronize.*", None),
    ("memory of a device", "converted, to buffers", "memory", r"cudaMalloc\(.*", None),
    ("copy", "converted", "memory", r"cudaMemcpy\(on_device.*", None),
    ("free", "converted", "memory", r"cudaFree\(.*", None),
    ("managed memory", "converted, to buffers", "memory", r"cudaMallocManaged\(.*", None),
    ("shared memory", "never shown", "block", r"__shared__ .*", r"auto &part = .*"),
    ("barrier", "never shown", "block", r"__syncthreads.*", None),
    ("atomic sum", "not quoted", "block", r"atomicAdd.*", None),
    ("constant memory", "named as future work", "block", r"__constant__ .*", r"float weight;\n#pragma omp .*"),
    ("copy to a constant", "named as future work", "block", r"cudaMemcpyToSymbol.*", None),
    ("stream", "named as future work", "block", r"weighted_sum<<<.*", r"weighted_sum\(phpc::cuda::Grid\(.*"),
]


def chapter(page, here):
    one = page.chapter(
        "resyclator", "ReSYCLator: CUDA sources in a portable model",
        "ReSYCLator translates CUDA C++ into SYCL 1.2 within an editor and shows it on one program, a multiplication of matrices. "
        "Here `portable-hpc port` translates CUDA C++ into C++ with OpenMP over this program's launcher; what follows was "
        "translated in this run.")
    texts, why = translate(here)
    conversions(one, texts, why)
    listings(one, here, texts, why)
    multiplication(one, here, why)
    speed(one, here, why)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def translate(here):
    """{listing: (CUDA, ours)}, and why there is none of ours."""
    texts, why = {}, ""
    for name in LISTINGS:
        source = os.path.join(here.folder, "listings", name + ".cu")
        target = os.path.join(here.runner.scratch, name + ".cpp")
        done = here.runner.portable_hpc(f"port-{name}", "port", source, "-o", target, made=target)
        texts[name] = (read(source), read(target) if done.ok else "")
        why = why or done.why
    return texts, why


def lacks_translator(why):
    return ("The translator is not there, so nothing is translated in this run (it needs libclang 19; `make port` builds it): " +
            why + ".")


def conversions(chapter, texts, why):
    item = chapter.item("resyclator-table", "The table of conversions")
    item.claim("Kernels, indices, launches, memory and managed memory become SYCL 1.2 (buffers and accessors); streams and "
               "constant memory are future work; shared memory and barriers are never shown. The paper's SYCL texts: not quoted.")
    if why:
        item.missing(lacks_translator(why))
    table = Table(["what", "ReSYCLator", "CUDA", "ours, by port in this run"])
    for what, theirs, name, cuda, ours in CONVERSIONS:
        source, translation = texts[name]
        line = re.search(cuda, source).group(0) if cuda else ""
        if not translation:
            becomes = "not translated here"
        elif ours:
            found = re.search(ours, translation)
            becomes = found.group(0) if found else "not found in the translation"
        else:
            becomes = "unchanged" if line in translation else "changed"
        table.add(what, theirs, f"`{line}`" if line else "", becomes if becomes.startswith(("un", "not", "changed"))
                  else f"`{becomes}`")
    item.table(table)


def listings(chapter, here, texts, why):
    item = chapter.item("resyclator-listings", "Listings: CUDA beside ours")
    if why:
        item.missing(lacks_translator(why))
    table = Table(["listing", "lines_of_CUDA", "lines_of_ours", "lines_changed_or_added"])
    for name in LISTINGS:
        source, translation = texts[name]
        if translation:
            item.listing(f"`{name}.cu`", source, "by `portable-hpc port` in this run", translation)
        else:
            item.text(source)
        before = source.rstrip().split("\n")
        after = translation.rstrip().split("\n") if translation else []
        table.add(name, len(before), len(after) or None, sum(line not in before for line in after) if after else None)
    item.table(table, caption="How much of the text changes")


def installation(here):
    """(the prefix of an installation of the program, "") or ("", what is missing). Of a build folder one is made."""
    prefix = os.path.dirname(os.path.dirname(here.runner.program))
    if os.path.exists(os.path.join(prefix, "CMakeCache.txt")):
        made = os.path.join(here.runner.scratch, "prefix")
        if os.path.isdir(made):
            return made, ""
        done = here.runner.run("install", ["cmake", "--install", prefix, "--prefix", made], timeout=120)
        return (made, "") if done.ok else ("", done.why)
    if not os.path.isdir(os.path.join(prefix, "lib/cmake/portable_hpc")):
        return "", "there are no libraries and headers beside the program"
    return prefix, ""


def built(here, source, why):
    """(the executable of a translation, "") or ("", why there is none): by `port --cmake` and CMake, for all devices that the
    installed libraries have images for."""
    if why or not here.sizes.compiles:
        return "", why or "not compiled in a smoke run"
    prefix, why = installation(here)
    if why:
        return "", why
    name = os.path.splitext(os.path.basename(source))[0]
    folder = os.path.join(here.runner.scratch, name)
    build = os.path.join(folder, "build")
    for step, command in (("port", [here.runner.program, "port", source, "--out-dir", folder, "--cmake"]),
                          ("configure", ["cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"]),
                          ("build", ["cmake", "--build", build])):
        done = here.runner.run(f"{step}-{name}", command)
        if not done.ok:
            return "", done.why
    return os.path.join(build, name), ""


def run_on(here, name, executable, device, size):
    return here.runner.run(f"{name}-{size}-{device.label}", [executable, size], env={"PHPC_DEVICE": device.label})


def multiplication(chapter, here, why):
    item = chapter.item("resyclator-matmul", "The multiplication of matrices, translated and run")
    item.claim("The translated program prints its largest error against the host: `Error: 0`.")
    if why:
        item.missing(lacks_translator(why))
        return
    executable, why = built(here, os.path.join(here.root, "data/port/matrix_multiplication.cu"), why)
    if not executable:
        item.missing(f"The translation was not made: {why}.")
        return
    table = Table(["device", "matrices", "it_printed", "exit_code", "whole_run_s"])
    for device in here.machine.measured:
        for size in (200, 1000) if not here.sizes.is_full else (200, 1000, 2000):
            run = run_on(here, "matmul", executable, device, size)
            table.add(device.shown, f"{size} x {size}", run.out.strip() or run.why, run.code, round(run.wall_s, 3))
    item.table(table)
    if not here.machine.gpus:
        item.missing("No GPU here: the translated program ran on host threads alone.")


def kernels_of(run):
    """{kernel: (ms, error)} of what speed.cu printed."""
    rows = [line.split("\t") for line in run.out.strip().split("\n") if line.count("\t") == 2]
    return {name: (float(time), float(error)) for name, time, error in rows}


def speed(chapter, here, why):
    """Two kernels of one CUDA source: by nvcc, and by `port` and the compiler of the program, in turn."""
    item = chapter.item("resyclator-speed", "Speed beside nvcc")
    item.claim("Numbers of ReSYCLator: not quoted.")
    source = os.path.join(here.folder, "listings/speed.cu")
    executable, why = built(here, source, why)
    if not executable:
        item.missing(f"There is no translated program to time: {why}.")
    else:
        by_nvcc = nvcc_executable(item, here, source)
        table = Table(["device", "kernel", "n", "ours_ms", "our_error", "nvcc_ms", "nvcc_error", "nvcc_through_ours"])
        for device in here.machine.measured:
            n = 256 if device.is_host else 4096
            ours, theirs = {}, {}
            for turn in range(3):  # the least of each
                for program, best in ((executable, ours), (by_nvcc if device.is_gpu else "", theirs)):
                    run = run_on(here, f"speed-{'ours' if best is ours else 'nvcc'}-{turn}", program, device, n) if program else None
                    for kernel, found in (kernels_of(run) if run else {}).items():
                        best[kernel] = min(best.get(kernel, found), found)
                    if run and not run.ok:
                        item.missing(f"{device.shown}: {run.why}.")
            for kernel, (time, error) in ours.items():
                other, its_error = theirs.get(kernel, (None, None))
                table.add(device.shown, kernel, n, time, error, other, its_error, other / time if other else None)
        if table.rows:
            item.table(table, caption="Least time of a launch by events, n x n numbers; the same source by both compilers, in turn")
    if not here.machine.gpus:
        there = "nvcc is here, but what it makes needs one" if here.machine.peers["nvcc"] else "nor was nvcc found"
        item.missing(f"No GPU here: {there}.")
    item.recorded("resyclator-speed")


def nvcc_executable(item, here, source):
    """The executable that nvcc makes for the GPUs here; "" and a word on why where there is none."""
    if not here.machine.gpus:
        return ""
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        item.missing("nvcc was not found here, so nothing stands beside the translation.")
        return ""
    made = os.path.join(here.runner.scratch, "speed-by-nvcc")
    done = here.runner.run("nvcc-speed", [nvcc, "-O3", "-arch=native", "-o", made, source])
    if not done.ok:
        item.missing(f"nvcc made nothing to compare with: {done.why}.")
    return made if done.ok else ""
