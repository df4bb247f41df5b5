"""Chapter: SYCL-FFT (Pascuzzi and Goli, IWOCL 2022), pairs of a forward and an inverse transform of f(x) = x, N = 8 to 2048, in
f32. Spectra are in sycl_fft_spectra.py."""
import sycl_fft_spectra
from fft_runs import OURS, FftRun
from tables import Table, to_number

# Of the paper's Table 2 and Figure 6: microseconds, the pair with its launches; nothing else of it is quoted.
PAPER_LAUNCH = [("Neoverse-N1", "200-250"), ("Xeon E3-1585v5", "about 50"), ("Iris P580", "650-800"), ("MI-100", "about 80"),
                ("A100", "about 40"), ("A100, cuFFT by nvcc", "13")]
PAPER_PAIRS = [("A100", 48.66, 0.47, 51.94, 0.56), ("MI-100", 61.3, 3.3, 61.3, 7.0), ("Xeon E3-1585v5", 58.7, 5.4, 86.2, 10.7),
               ("Neoverse-N1", 399, 273, 554, 283), ("Iris P580", 480, 21.6, 480, 20.5)]


def chapter(page, here):
    here_chapter = page.chapter(
        "sycl-fft", "SYCL-FFT: one source for the transforms of several vendors' devices",
        "Pascuzzi and Goli (IWOCL 2022) wrote a transform of powers of two in SYCL, ran it on five devices and compared it with "
        "the vendors' libraries: pairs of a forward and an inverse transform of f(x) = x, one at a time, 1000 of them, without "
        "transfers.")
    runs = [FftRun(here, device) for device in here.machine.all_kinds]
    table_1(here_chapter, here, runs)
    table_2(here_chapter, here, runs)
    figure_1(here_chapter)
    figure_2(here_chapter, here, runs)
    figure_3(here_chapter, here, runs)
    sycl_fft_spectra.figures_4_and_5(here_chapter, here, runs)
    sycl_fft_spectra.statistic(here_chapter, runs)
    figure_6(here_chapter, here, runs)


def table_1(chapter, here, runs):
    item = chapter.item("sycl-fft-table-1", "Table 1: devices, compiler, back-end, FFT library")
    item.claim("Five devices: Neoverse-N1, Xeon E3-1585v5, Iris P580, MI-100 and A100, with cuFFT and rocFFT beside the last two; "
               "compilers and back-ends: not quoted.")
    version = here.machine.version
    table = Table(["device", "name", "compiler", "back-end", "units", "memory_GiB", "library_beside"])
    for run in runs:
        device = run.device
        backend = {"host": f"OpenMP threads, {version.get('OpenMP', '?')}", "x86_64": "LLVM's x86_64 offload plugin"}.get(
            device.kind, f"OpenMP target regions ({device.kind})")
        table.add(device.label, device.name, version.get("compiler", "?"), backend, device.row["compute_units"],
                  round(device.row["memory_bytes"] / 2**30, 1), run.library_shown or "none found")
    item.table(table)
    if not here.machine.gpus:
        item.missing("No GPU here: the table has the host" + (" and LLVM's offload device" if len(table.rows) > 1 else "") +
                     " alone.")
    lacks_library(item, runs)


def lacks_library(item, runs):
    """Says of which devices no library stands beside ours, and why."""
    for why in dict.fromkeys(run.why_alone for run in runs if run.why_alone):
        devices = ", ".join(run.shown for run in runs if run.why_alone == why)
        item.missing(f"Nothing stands beside ours on {devices}: {why}.")


def table_2(chapter, here, runs):
    item = chapter.item("sycl-fft-table-2", "Table 2: launch latency")
    item.claim("Microseconds to launch a kernel, by device; here an empty kernel that is waited for (on processors, where nothing "
               "is launched, a transform of one element), by this program and beside it by the vendor's own launch.")
    item.table(Table(["device", "launch_us"], PAPER_LAUNCH), name="paper", caption="The paper's")
    table = Table(["device", "how", "mean_us", "median_us", "least_us"])
    for run in runs:
        if not run.rows():
            item.missing(f"Nothing of {run.shown}: {run.why}.")
        for library in run.libraries if run.rows() else []:
            rows = run.rows(library)
            middle = rows[sorted(rows)[len(rows) // 2]]  # the lengths make no difference to an empty launch
            how = {OURS: "portable-hpc", "cuFFT": "NVIDIA's driver"}.get(library, library)
            times = [to_number(middle[f"launch_{what}_us"]) / 2 for what in ("mean", "median", "optimal")]
            if times[0] == times[0]:
                table.add(run.shown, how, *times)
            else:
                item.missing(f"No launch by {run.shown}'s own run-time library: a kernel for it would have to be compiled here.")
    add_launcher(item, here, table)
    if table.rows:
        item.table(table, caption="Here and now")
    if not here.machine.gpus:
        item.missing("No GPU here: neither a kernel's launch by this program on a GPU nor one by the vendor's own calls beside it.")
    item.recorded("sycl-fft-table-2")


def add_launcher(item, here, table):
    """The launcher alone, without the transforms' plan, from bench_exec."""
    executable = here.runner.bench("bench_exec")
    if not executable:
        item.missing("bench_exec is not built, so that the launcher alone is not timed; `make bench` builds it.")
        return
    for device in here.machine.all_kinds:
        run = here.runner.run(f"exec-launch-{device.label}",
                              [executable, "--benchmark_filter=^launch_latency", "--benchmark_format=json",
                               f"--benchmark_min_time={here.sizes.bench_seconds}"],
                              env={"PHPC_BENCH_DEVICE": device.label})
        for row in run.rows():
            table.add(device.shown, "bench_exec launch_latency", to_us(row), None, None)


def to_us(row):
    return row["real_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[row["time_unit"]]


def figure_1(chapter):
    item = chapter.item("sycl-fft-fig-1", "Fig. 1: the butterflies of a transform of eight numbers")
    item.claim("Decimation in time: three stages of four butterflies, the input in the order of reversed bits.")
    table = Table(["stage", "from", "to", "sign", "factor"],
                  title="Transform of length 8 by radix 2, decimation in time; a dot's number is multiplied by what stands beside "
                  "it, w = exp(-2 pi i / 8)", plot={"kind": "butterfly"})
    for stage in range(3):
        half = 1 << stage
        for line in range(8):
            inside = line % (2 * half)
            upper = line - inside + inside % half
            power = inside % half * (4 // half)
            factor = f"$w^{power}$" if inside >= half and power else ""
            table.add(stage, line, upper, 1, factor)
            table.add(stage, line, upper + half, 1 if inside < half else -1, "")
    item.figure(table)


QUANTITIES = [("total", "mean", "total_mean_us"), ("total", "least", "total_optimal_us"), ("kernel", "mean", "kernel_mean_us"),
              ("kernel", "least", "kernel_optimal_us")]


def add_times(table, who, rows):
    """A row (who, quantity, part, length, time_us) for each quantity of each length."""
    for length, row in sorted(rows.items()):
        for part, quantity, column in QUANTITIES:
            if to_number(row[column]) > 0:  # of a difference of clocks there may be nothing left
                table.add(who, quantity, part, length, to_number(row[column]))


def times_plot(by, height):
    return {"kind": "lines", "x": "length", "y": "time_us", "by": [by, "quantity"], "panel": "part", "xscale": "log2",
            "yscale": "log", "xlabel": "length of the transforms", "ylabel": "time of a pair (us)", "height": height}


def figure_2(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-2", "Fig. 2: ours beside the vendor's library")
    item.claim("SYCL-FFT is about half as fast as cuFFT and rocFFT in total time and within 30 % of them in kernel time; totals 10 "
               "to 50 us, kernels 5 to 25 us; the largest difference of the spectra is about 6e-5 %.")
    shown = [run for run in runs if run.rows() and run.device.kind != "x86_64"]
    compare = Table(["device", "library", "length", "total_mean_us", "total_least_us", "kernel_mean_us", "kernel_least_us",
                     "theirs_total_mean_us", "theirs_total_least_us", "theirs_kernel_mean_us", "theirs_kernel_least_us",
                     "theirs_through_ours"])
    for run in sorted(shown, key=lambda run: not run.device.is_gpu):
        beside = f" beside {run.library_shown}" if run.library else ""
        table = Table(["library", "quantity", "part", "length", "time_us"],
                      title=f"A forward and an inverse transform{beside}, f32, on {run.shown}", plot=times_plot("library", 3.2))
        for library in run.libraries:
            add_times(table, library, run.rows(library))
        item.figure(table, name="" if not item.files else run.device.label)
        theirs = run.rows(run.library) if run.library else {}
        for length, row in sorted(run.rows().items()):
            other = theirs.get(length, {})
            ours_and_theirs = [to_number(of.get(column)) for of in (row, other) for *_, column in QUANTITIES]
            compare.add(run.shown, run.library_shown or None, length, *ours_and_theirs, ours_and_theirs[4] / ours_and_theirs[0])
    if not shown:
        item.missing(f"Nothing was measured: {runs[0].why if runs else 'there are no devices'}.")
    else:
        item.table(compare, name="numbers", caption="Microseconds of a pair; last column: their mean total through ours")
        item.say("Total: host's clock around the pair, both transforms waited for. Kernel: total less the launch of two empty "
                 "kernels by each library's own launch (processors: two transforms of one element), nothing where no time is left. "
                 "Ours and the library's take turns on the same arrays. Least is the paper's optimal.")
    lacks_library(item, shown)
    if not here.machine.gpus:
        item.missing("No GPU here: neither cuFFT nor hipFFT can run beside ours.")
        item.recorded("sycl-fft-fig-2")
    item.recorded("sycl-fft-fig-2-once")


def figure_3(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-3", "Fig. 3: several devices in one picture")
    item.claim("The pair by length on five devices, total and kernel, mean and least; numbers of the picture: not quoted.")
    table = Table(["device", "quantity", "part", "length", "time_us"],
                  title="A forward and an inverse transform, f32, one at a time", plot=times_plot("device", 3.4))
    for run in runs:
        add_times(table, run.shown, run.rows())
    if table.rows:
        item.figure(table)
    failed = [run for run in runs if not run.rows()]
    for run in failed:
        item.missing(f"Nothing of {run.shown}: {run.why}.")
    if len(runs) - len(failed) < 2:
        item.missing("There is one device here; `data/report/merge.py` puts this table and those of other machines into one "
                     "picture.")
    if not here.machine.gpus:
        item.recorded("sycl-fft-fig-3")


def figure_6(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-6", "Fig. 6: time by iteration")
    item.claim("Mean and standard deviation (us) of the pair with its launches over 1000 iterations, the first one dropped:")
    item.table(Table(["device", "N1024_mean_us", "N1024_sd_us", "N2048_mean_us", "N2048_sd_us"], PAPER_PAIRS), name="paper",
               caption="The paper's")
    summary = Table(["device", "library", "length", "iterations", "warm_up_us", "mean_us", "variance_us2", "sd_us", "least_us",
                     "largest_us", "outliers"])
    series = Table(["device", "iteration", "time_us"], title="Time of each pair, N = 2048; line: mean, band: one standard "
                   "deviation, above: the outliers' iterations (and us)",
                   plot={"kind": "points", "x": "iteration", "y": "time_us", "by": ["device"], "panel": "device",
                         "xlabel": "iteration", "ylabel": "time of a pair (us)"})
    without = []
    for run in runs:
        for library, length in [(library, length) for library in run.libraries for length in (1024, 2048)]:
            row = run.rows(library).get(length)
            if row is None:
                continue
            told = run.series(length, library)
            times = told.get("pairs_us", [])
            mean, deviation = to_number(row["total_mean_us"]), to_number(row["total_sd_us"])
            summary.add(run.shown, library, length, here.sizes.fft_iterations, told.get("warm_up_us"), mean, deviation**2,
                        deviation, row["total_optimal_us"], max(times, default=None), outliers(times, mean, deviation))
            if length == 2048:
                for number, time in enumerate(times):
                    series.add(run.shown if library == OURS else f"{library} on {run.shown}", number, time)
                if not times:
                    without.append(run.shown)
    if summary.rows:
        item.table(summary, caption="Here and now; outliers are more than six deviations above the mean (iteration: us), the "
                   "warm-up is in none of the numbers")
    if series.rows:
        item.figure(series, name="series")
    if without:
        item.missing(f"This program does not give the time of each pair ({', '.join(without)}): `fft --bench --histogram --format "
                     "json` of a newer one does.")
    if not here.machine.gpus:
        item.recorded("sycl-fft-fig-6")
        item.recorded("sycl-fft-fig-6-series")


def outliers(times, mean, deviation):
    """The iterations whose times are more than six deviations above the mean, the first six of them by number; None where no
    times are told."""
    far = [f"{number}: {time:.3g}" for number, time in enumerate(times) if time > mean + 6 * deviation]
    return (", ".join(far[:6]) + (f" and {len(far) - 6} more" if len(far) > 6 else "") or "none") if times else None
