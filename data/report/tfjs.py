"""Chapter: TensorFlow.js' transforms, dense products with the matrix of roots, in f32."""
import os

import numpy

from fft_runs import rows_of_ours
from sycl_fft import to_us
from tables import Table, to_number

BATCH = 10
ERROR_LENGTHS = [16, 32, 64, 128, 256, 512, 1000, 2048]


def chapter(page, here):
    one = page.chapter(
        "tfjs", "TensorFlow.js: transforms as dense products",
        "TensorFlow.js computes the transform of each line by its definition, in WebGL, with real and imaginary parts in planes of "
        "their own, any length, and the inverse divided by N; it was timed over 100 calls of [10, 10 n] ones, n = 1 to 10.")
    example(one, here)
    matrix(one, here)
    calls(one, here)
    errors(one, here)


def transformed(here, name, values, *options):
    """(What the program makes of an array, why it does not)."""
    source, target = (os.path.join(here.runner.scratch, f"{name}{ending}.npy") for ending in ("", "-out"))
    numpy.save(source, values)
    done = here.runner.portable_hpc(f"fft-{name}", "fft", source, "-o", target, *options, made=target)
    return (numpy.load(target), "") if done.ok else (None, done.why)


def example(chapter, here):
    item = chapter.item("tfjs-example", "Four numbers there and back")
    item.claim("A transform of four points and its inverse give the input again; the paper's numbers: not quoted.")
    x = numpy.array([1, 2, 3, 4], numpy.complex64)
    spectrum, why = transformed(here, "four", x)
    back, why_back = transformed(here, "four-back", spectrum, "--inverse") if spectrum is not None else (None, why)
    if back is None:
        item.missing(f"Nothing was transformed: {why or why_back}.")
        return
    table = Table(["index", "x", "X_real", "X_imaginary", "back_real", "back_imaginary", "by_definition_real",
                   "by_definition_imaginary"])
    by_definition = [sum(x[i] * numpy.exp(-2j * numpy.pi * i * k / 4) for i in range(4)) for k in range(4)]
    for k in range(4):
        table.add(k, float(x[k].real), float(spectrum[k].real), float(spectrum[k].imag), float(back[k].real), float(back[k].imag),
                  round(float(by_definition[k].real), 9) + 0.0, round(float(by_definition[k].imag), 9) + 0.0)
    item.table(table)


def matrix(chapter, here):
    item = chapter.item("tfjs-matrix", "The matrix of roots")
    item.claim("Row k, column j of the matrix is exp(-2 pi i j k / N); the program's is its transform of the unit matrix.")
    for size, show in ((4, True), (16, False)):
        roots, why = transformed(here, f"unit-{size}", numpy.eye(size, dtype=numpy.complex64))
        if roots is None:
            item.missing(f"Nothing was transformed: {why}.")
            return
        table = Table(["row", "column", "re", "im"], title=f"The transform of the unit matrix of {size} rows",
                      plot={"kind": "matrix", "xlabel": "sample j", "ylabel": "frequency k"})
        for column in range(size):
            for row in range(size):
                value = roots[column][row]  # line `column` of the unit matrix gives column `column`
                table.add(row, column, float(value.real) + 0.0, float(value.imag) + 0.0)
        if show:
            small = Table([""] + [f"j = {column}" for column in range(size)])
            for row in range(size):
                small.add(f"k = {row}", *(shown(roots[column][row]) for column in range(size)))
            item.table(small, name="4", caption="N = 4")
        else:
            item.figure(table, name="16")


def shown(value):
    re, im = (0 if abs(part) < 1e-7 else round(float(part), 4) for part in (value.real, value.imag))
    imaginary = {1: "i", -1: "-i"}.get(im, f"{im:g}i")
    return f"{re:g}" if im == 0 else imaginary if re == 0 else f"{re:g}{im:+g}i"


def calls(chapter, here):
    item = chapter.item("tfjs-calls", "100 calls of [10, 10 n] ones")
    item.claim("Time of 100 calls by n = 1 to 10; the numbers: not quoted.")
    lengths = [10 * n for n in range(1, 11)]
    table = Table(["device", "method", "n", "time_ms"], title="100 calls, each a transform of 10 lines of 10 n numbers, f32",
                  plot={"kind": "lines", "x": "n", "y": "time_ms", "by": ["device", "method"], "yscale": "log",
                        "xlabel": "n (lines of 10 n numbers)", "ylabel": "time of 100 calls (ms)", "height": 2.5})
    for device in here.machine.all_kinds:
        run = here.runner.portable_hpc(f"fft-calls-{device.label}", "fft", "--bench", "--lengths", ",".join(map(str, lengths)),
                                       "--batch", BATCH,
                                       "--iterations", here.sizes.calls, "--device", device.label, "--format", "json")
        for row in rows_of_ours(run):
            table.add(device.shown, "FFT, data on the device", int(row["length"]) // 10,
                      to_number(row["total_mean_us"]) / 2 * 100 / 1e3)
        if not run.rows():
            item.missing(f"Nothing of {device.shown}: {run.why}.")
    add_bench(item, here, table)
    if not table.rows:
        return
    item.figure(table)
    wide = Table(["device", "method"] + [f"n_{n}_ms" for n in range(1, 11)])
    for key in dict.fromkeys((row[0], row[1]) for row in table.rows):
        of_key = {int(row[2]): row[3] for row in table.rows if (row[0], row[1]) == key}
        wide.add(*key, *(round(of_key[n], 4) if n in of_key else None for n in range(1, 11)))
    item.table(wide, name="numbers", caption="Milliseconds")
    item.say("FFT: half of the mean of a pair there and back, in the device's memory (`fft --bench --batch 10`). With transfers: "
             "bench_fft's calls, which copy the lines to the device's memory and the result back; on the host these are copies "
             "from memory to memory.")
    if not here.machine.gpus:
        item.missing("No GPU here: all transfers are copies from memory to memory.")
        item.recorded("tfjs-calls")


def add_bench(item, here, table):
    """Calls with their transfers, by the FFT and by the dense product, from bench_fft where it has them."""
    executable = here.runner.bench("bench_fft")
    listed = here.runner.run("fft-calls-listed", [executable, "--benchmark_list_tests"]).out if executable else ""
    if "dense_call" not in listed:
        item.missing(("bench_fft has no calls with transfers and no dense product yet" if executable
                      else "bench_fft is not built (`make bench`)") +
                     ", so neither stands beside the FFT.")
        return
    for device in here.machine.all_kinds:
        run = here.runner.run(f"fft-calls-bench-{device.label}",
                              [executable, "--benchmark_filter=^(dense|fft)_call", "--benchmark_format=json",
                               f"--benchmark_min_time={here.sizes.bench_seconds / 3:.3g}"],
                              env={"PHPC_BENCH_DEVICE": device.label})
        for row in run.rows():
            name, _, rest = row["name"].partition("/")
            if row.get("error_occurred"):
                item.missing(f"{row['name']} on {device.shown}: {row.get('error_message', 'failed')}.")
                continue
            method = "dense product, with transfers" if name == "dense_call" else "FFT, with transfers"
            table.add(device.shown, method, int(rest.split("/")[0]), to_us(row) * 100 / 1e3)


def errors(chapter, here):
    item = chapter.item("tfjs-error", "Error by length: dense product beside FFT")
    item.claim("The phase is computed as float(2 pi k / N) float(i) and never reduced to one turn, so that errors grow with N; "
               "users report the collapse past 2^14 (tfjs issue 2638).")
    table = Table(["method", "length", "relative_error"], title="Relative error (L2) in f32 of f(x) = x against a transform in "
                  "higher precision",
                  plot={"kind": "lines", "x": "length", "y": "relative_error", "by": ["method"], "xscale": "log2", "yscale": "log",
                        "xlabel": "length", "ylabel": "relative error"})
    run = here.runner.portable_hpc("fft-errors", "fft", "--bench", "--lengths", ",".join(map(str, ERROR_LENGTHS)), "--iterations",
                                   3, "--device", "host", "--format", "json")
    for row in rows_of_ours(run):
        table.add("ours, FFT", int(row["length"]), to_number(row["relative_error"]))
    if not run.rows():
        item.missing(f"Nothing of ours: {run.why}.")
    for length in ERROR_LENGTHS:
        table.add("dense product, phase not reduced", length, dense_error(length))
    item.figure(table)
    item.say("The dense product is emulated by NumPy with the phase in f32 as in the work's shader; of time it says nothing.")
    item.recorded("tfjs-error")


def dense_error(length):
    """The error of the definition in f32 with the phase float(2 pi k / N) * float(i)."""
    single = numpy.float32
    x = numpy.arange(length, dtype=single)
    step = single(2 * numpy.pi) * (numpy.arange(length, dtype=single) / single(length))
    phase = step[:, None] * numpy.arange(length, dtype=single)[None, :]
    dense = (numpy.cos(phase) * x).sum(1, dtype=single) - 1j * (numpy.sin(phase) * x).sum(1, dtype=single)
    exact = numpy.fft.fft(x.astype(numpy.float64))
    return float(numpy.linalg.norm(dense - exact) / numpy.linalg.norm(exact))
