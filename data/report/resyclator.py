"""Chapter: ReSYCLator (Stauber and Sommerlad), CUDA sources made sources of a portable model; here by `portable-hpc port`."""
import os
import re
import shutil

from machine import first_value, said
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
    made, why_not = multiplication(one, here, why)
    speed(one, here, made, why_not)


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


def compiler_of(here):
    """(compiler, flags, include, lib) by which translations are compiled, or a sentence that says what is missing."""
    prefix = os.path.dirname(os.path.dirname(here.runner.program))
    cache = os.path.join(prefix, "CMakeCache.txt")
    include = os.path.join(prefix, "include")
    compiler = shutil.which("clang++-19") or shutil.which("g++") or ""
    if os.path.exists(cache):
        include = os.path.join(first_value(cache, "CMAKE_HOME_DIRECTORY:INTERNAL", "="), "include")
        for kind in ("STRING", "FILEPATH"):
            compiler = first_value(cache, f"CMAKE_CXX_COMPILER:{kind}", "=") or compiler
    if not compiler:
        return None, "no C++ compiler was found"
    if not os.path.exists(os.path.join(include, "phpc/cuda/cuda.hpp")):
        return None, f"there are no headers beside the program ({here.runner.shortened(include)})"
    openmp = "-fopenmp=libomp" if "clang" in os.path.basename(compiler) else "-fopenmp"
    flags = ["-O3", "-march=native", openmp, "-w", "-std=gnu++20", "-DPHPC_WITH_OFFLOAD=0", "-DPHPC_WITH_GPU_IMAGES=0", "-I" +
             include]
    lib = os.path.join(prefix, "lib")
    return (compiler, flags, ["-L" + lib, "-lphpc_cuda", "-lphpc_exec", "-lphpc_core", "-Wl,-rpath," + lib]), ""


def multiplication(chapter, here, why):
    """Gives the executable, "" where there is none, and why."""
    item = chapter.item("resyclator-matmul", "The multiplication of matrices, translated and run")
    item.claim("The translated program prints its largest error against the host: `Error: 0`.")
    if why:
        item.missing(lacks_translator(why))
        return "", why
    if not here.sizes.compiles:
        item.missing("Not compiled in a smoke run; the quick report does.")
        return "", "not compiled in a smoke run"
    found, why = compiler_of(here)
    if found is None:
        item.missing(f"Not compiled: {why}.")
        return "", why
    source = os.path.join(here.root, "data/port/matrix_multiplication.cu")
    translation, made = (os.path.join(here.runner.scratch, "matrix_multiplication" + ending) for ending in (".cpp", ""))
    done = here.runner.portable_hpc("port-matmul", "port", source, "-o", translation, made=translation)
    compiler, flags, libraries = found
    if done.ok:
        done = here.runner.run("compile-matmul", [compiler, *flags, translation, *libraries, "-o", made], made=made)
    if not done.ok:
        item.missing(f"The translation was not made: {done.why}.")
        return "", done.why
    table = Table(["matrices", "it_printed", "exit_code", "whole_run_s"])
    for size in (200, 1000) if not here.sizes.is_full else (200, 1000, 2000):
        run = here.runner.run(f"matmul-{size}", [made, size], env={"PHPC_DEVICE": "host"})
        table.add(f"{size} x {size}", run.out.strip() or run.why, run.code, round(run.wall_s, 3))
    item.table(table, caption="On host threads")
    if here.machine.gpus:
        item.missing("The report compiles the translation for the host alone; `portable-hpc port --cmake` and an installation make "
                     "it for the GPU.")
    else:
        item.missing("No GPU here: the translated program ran on host threads alone.")
    return made, ""


def speed(chapter, here, made, why):
    item = chapter.item("resyclator-speed", "Speed beside nvcc")
    item.claim("Numbers of ReSYCLator: not quoted.")
    if not here.machine.gpus:
        there = "nvcc is here, but what it makes needs one" if here.machine.peers["nvcc"] else "nor was nvcc found"
        item.missing(f"No GPU here: {there}.")
    elif not said("nvcc", "--version"):
        item.missing("nvcc was not found here, so nothing stands beside the translation.")
    elif not made:
        item.missing(f"There is no translated program to compare: {why}.")
    else:
        item.missing("The comparison with nvcc is bench/port_corpus.py's, over programs of HeCBench; the report does not run it.")
    item.recorded("resyclator-speed")
