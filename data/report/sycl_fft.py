"""Chapter: SYCL-FFT (Pascuzzi and Goli, IWOCL 2022), pairs of a forward and an inverse transform of f(x) = x, N = 8 to 2048, in
f32."""
import os

import numpy

from chi_squared import allowed_deviation, frequency_statistic, histogram_statistic
from tables import Table, to_number

LENGTHS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048]
LONGEST = 2048
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
    runs = {device.label: bench(here, device) for device in here.machine.all_kinds}
    spectra = {device.label: spectrum(here, device) for device in here.machine.all_kinds}
    table_1(here_chapter, here, runs)
    table_2(here_chapter, here, runs)
    figure_1(here_chapter)
    figure_2(here_chapter, here, runs)
    figure_3(here_chapter, here, runs)
    figures_4_and_5(here_chapter, here, spectra)
    statistic(here_chapter, here, runs, spectra)
    figure_6(here_chapter, here, runs)


def bench(here, device):
    """What `fft --bench` says on a device, with the times of each pair where the program gives them."""
    return here.runner.portable_hpc(
        f"fft-bench-{device.label}", "fft", "--bench", "--lengths", ",".join(map(str, LENGTHS)), "--iterations",
        here.sizes.fft_iterations, "--histogram", "--device", device.label, "--format", "json", timeout=1800)


def ramp():
    return numpy.arange(LONGEST, dtype=numpy.float32).astype(numpy.complex64)


def reference():
    return numpy.fft.fft(ramp().astype(numpy.complex128))


def spectrum(here, device):
    """The spectrum of f(x) = x by the program on a device, None where there is none; and why."""
    source, target = (os.path.join(here.runner.scratch, name) for name in ("ramp.npy", f"spectrum-{device.label}.npy"))
    numpy.save(source, ramp())
    done = here.runner.portable_hpc(f"fft-spectrum-{device.label}", "fft", source, "-o", target, "--device", device.label,
                                    fresh=True)
    return (numpy.load(target), "") if done.ok else (None, done.why)


def rows_of(run):
    return {int(row["length"]): row for row in run.rows()}


def table_1(chapter, here, runs):
    item = chapter.item("sycl-fft-table-1", "Table 1: devices, compiler, back-end, FFT library")
    item.claim("Five devices: Neoverse-N1, Xeon E3-1585v5, Iris P580, MI-100 and A100, with cuFFT and rocFFT beside the last two; "
               "compilers and back-ends: not quoted.")
    version, peers = here.machine.version, here.machine.peers
    table = Table(["device", "name", "compiler", "back-end", "units", "memory_GiB", "library_beside"])
    for device in here.machine.all_kinds:
        backend = {"host": f"OpenMP threads, {version.get('OpenMP', '?')}", "x86_64": "LLVM's x86_64 offload plugin"}.get(
            device.kind, f"OpenMP target regions ({device.kind})")
        beside = peers["FFTW"] if device.is_host else peers["cuFFT"] or peers["hipFFT"] if device.is_gpu else ""
        table.add(device.label, device.name, version.get("compiler", "?"), backend, device.row["compute_units"],
                  round(device.row["memory_bytes"] / 2**30, 1), beside or "none found")
    item.table(table)
    if not here.machine.gpus:
        item.missing("No GPU here: the table has the host" + (" and LLVM's offload device" if len(table.rows) > 1 else "") +
                     " alone.")
    if not peers["FFTW"]:
        item.missing("FFTW was not found here (Debian: libfftw3-single3), so no vendor's library stands beside the host's "
                     "transforms.")


def table_2(chapter, here, runs):
    item = chapter.item("sycl-fft-table-2", "Table 2: launch latency")
    item.claim("Microseconds to launch a kernel, by device; ours are two empty kernels that are each waited for, halved (on the "
               "host, where nothing is launched, a transform of one element).")
    item.table(Table(["device", "launch_us"], PAPER_LAUNCH), name="paper", caption="The paper's")
    table = Table(["device", "how", "mean_us", "median_us", "least_us"])
    for device in here.machine.all_kinds:
        rows = rows_of(runs[device.label])
        if not rows:
            item.missing(f"Nothing of {device.shown}: {runs[device.label].why}.")
            continue
        mid = rows[sorted(rows)[len(rows) // 2]]  # the lengths make no difference to an empty launch
        table.add(device.shown, "portable-hpc fft --bench", *(to_number(mid[f"launch_{what}_us"]) / 2
                                                              for what in ("mean", "median", "optimal")))
    add_native(item, here, table)
    if table.rows:
        item.table(table, caption="Here and now")
    if not here.machine.gpus:
        item.missing("No GPU here: neither a kernel's launch by this program on a GPU nor one by CUDA's own calls beside it.")
    else:
        item.missing("The native launch beside it (a program by nvcc) is not in the benchmarks yet; bench_exec has this program's "
                     "own.")
    item.recorded("sycl-fft-table-2")


def add_native(item, here, table):
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


QUANTITIES = [("total, mean", "total_mean_us"), ("total, least", "total_optimal_us"), ("kernel, mean", "kernel_mean_us"),
              ("kernel, least", "kernel_optimal_us")]


def figure_2(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-2", "Fig. 2: ours beside the vendor's library")
    item.claim("SYCL-FFT is about half as fast as cuFFT and rocFFT in total time and within 30 % of them in kernel time; totals 10 "
               "to 50 us, kernels 5 to 25 us; the largest difference of the spectra is about 6e-5 %.")
    device = next(iter(here.machine.gpus), here.machine.host)
    rows = rows_of(runs[device.label])
    table = Table(["what", "quantity", "length", "time_us"], title=f"A forward and an inverse transform, f32, on {device.shown}",
                  plot={"kind": "lines", "x": "length", "y": "time_us", "by": ["what", "quantity"], "xscale": "log2",
                        "yscale": "log", "xlabel": "length of the transforms", "ylabel": "time of a pair (us)", "height": 2.7})
    for length, row in sorted(rows.items()):
        for name, column in QUANTITIES:
            if to_number(row[column]) > 0:  # of a difference of clocks there may be nothing left
                part, quantity = name.split(", ")
                table.add(f"ours, {part}", quantity, length, to_number(row[column]))
        if row.get("fftw_mean_us") is not None:
            fftw = "FFTW, total" if device.is_host else "FFTW on the host"
            table.add(fftw, "mean", length, to_number(row["fftw_mean_us"]))
            table.add(fftw, "least", length, to_number(row["fftw_optimal_us"]))
    if not table.rows:
        item.missing(f"Nothing was measured: {runs[device.label].why}.")
        return
    item.figure(table)
    compare = Table(["length", "ours_mean_us", "ours_median_us", "ours_least_us", "kernel_mean_us", "FFTW_mean_us", "FFTW_least_us",
                     "FFTW_through_ours", "relative_error"])
    for length, row in sorted(rows.items()):
        theirs = to_number(row.get("fftw_mean_us"))
        compare.add(length, row["total_mean_us"], row["total_median_us"], row["total_optimal_us"], row["kernel_mean_us"], theirs,
                    to_number(row.get("fftw_optimal_us")), theirs / to_number(row["total_mean_us"]),
                    to_number(row["relative_error"]))
    item.table(compare, name="numbers", caption="Microseconds of a pair; relative error against a transform in extended precision")
    item.say("Total: host's clock around the pair. Kernel: total less the launch of two empty kernels, nothing where no time is "
             "left.")
    if not here.machine.peers["FFTW"]:
        item.missing("FFTW was not found here, so only ours is drawn.")
    if not here.machine.gpus:
        item.missing("No GPU here: neither cuFFT nor hipFFT can run beside ours.")
    else:
        item.missing("`fft --bench` compares with FFTW alone so far; cuFFT is beside ours in bench_fft and compare_fft_lengths.")
    item.recorded("sycl-fft-fig-2")


def figure_3(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-3", "Fig. 3: several devices in one picture")
    item.claim("The pair by length on five devices, total and kernel, mean and least; numbers of the picture: not quoted.")
    table = Table(["device", "quantity", "part", "length", "time_us"],
                  title="A forward and an inverse transform, f32, one at a time",
                  plot={"kind": "lines", "x": "length", "y": "time_us", "by": ["device", "quantity"], "panel": "part",
                        "xscale": "log2",
                        "yscale": "log", "xlabel": "length of the transforms", "ylabel": "time of a pair (us)", "height": 3.4})
    for device in here.machine.all_kinds:
        for length, row in sorted(rows_of(runs[device.label]).items()):
            for name, column in QUANTITIES:
                if to_number(row[column]) > 0:
                    part, quantity = name.split(", ")
                    table.add(device.shown, quantity, part, length, to_number(row[column]))
    if table.rows:
        item.figure(table)
    failed = [device for device in here.machine.all_kinds if not runs[device.label].rows()]
    for device in failed:
        item.missing(f"Nothing of {device.shown}: {runs[device.label].why}.")
    if len(here.machine.all_kinds) - len(failed) < 2:
        item.missing("There is one device here; `data/report/merge.py` puts this table and those of other machines into one "
                     "picture.")


def figures_4_and_5(chapter, here, spectra):
    claim = ("|ours - cuFFT| / ours by frequency, N = 2048, up to about 6e-5 %; chi^2/ndf 3.47e-3 beside cuFFT, 7.21e-4 beside "
             "rocFFT, p = 1.0 for both.")
    exact = reference()
    devices = here.machine.all_kinds
    for number, these in ((4, devices[:1]), (5, devices[1:])):
        item = chapter.item(f"sycl-fft-fig-{number}", f"Fig. {number}: difference by frequency, N = 2048, " +
                            ("first device" if number == 4 else "the other devices"))
        item.claim(claim)
        allowed = allowed_deviation(exact)
        table = Table(["device", "frequency", "difference", "low", "high"],
                      title="Difference of ours (f32) from NumPy's transform (f64), real parts; band: what rounding may leave, one "
                      "deviation",
                      plot={"kind": "stems", "x": "frequency", "y": "difference", "low": "low", "high": "high", "by": ["device"],
                            "panel": "device", "xlabel": "frequency", "ylabel": "ours - NumPy's"})
        for device in these:
            ours, why = spectra[device.label]
            if ours is None:
                item.missing(f"Nothing of {device.shown}: {why}.")
                continue
            for frequency, value in enumerate(numpy.real(ours.astype(numpy.complex128) - exact)):
                table.add(device.shown, frequency, float(value), -allowed, allowed)
        if table.rows:
            item.figure(table)
            for device in these:
                if spectra[device.label][0] is not None:
                    shares = 100 * numpy.abs(spectra[device.label][0] - exact) / numpy.abs(exact)
                    item.say(f"On {device.shown} a frequency differs from the exact one by {float(shares.max()):.2g} % of its "
                             f"magnitude at most and by {float(shares.mean()):.2g} % on average. (The paper compares two spectra "
                             "in f32.)")
        if not these:
            item.missing("There is one device here, and Fig. 4 has it.")
        item.missing("The vendors' libraries' spectra are not to be had from `fft --bench` yet (it gives their relative difference "
                     "alone); NumPy's transform in double precision stands in their place.")


def statistic(chapter, here, runs, spectra):
    item = chapter.item("sycl-fft-chi2", "Chi-squared: the paper's, and one that can fail")
    item.claim("chi^2/ndf of the histograms of two spectra, 3.47e-3 and 7.21e-4, p = 1.0: taken as agreement.")
    exact = reference()
    table = Table(["device", "spectrum", "histogram_chi2_per_ndf", "histogram_p", "frequency_chi2_per_ndf", "frequency_p"])
    for device in here.machine.all_kinds:
        ours, why = spectra[device.label]
        if ours is None:
            item.missing(f"Nothing of {device.shown}: {why}.")
            continue
        wide = ours.astype(numpy.complex128)
        for name, values in (("ours", wide), ("ours, reversed", wide[::-1].copy()),
                             ("ours with an error of 1e-5", wide * (1 + 1e-5))):
            table.add(device.shown, name, *histogram_statistic(values, exact), *frequency_statistic(values, exact))
    if not table.rows:
        return
    item.table(table, caption="Against NumPy's transform in f64, N = 2048. The two faults are made on purpose.")
    item.say("The paper's statistic counts how many magnitudes fall into each bin of a histogram. It cannot see at which frequency "
             "a magnitude stands, so that a reversed spectrum passes with p = 1, nor an error that leaves magnitudes in their "
             "bins, such as 1e-5 of every number. The statistic beside it takes the difference at each frequency by what rounding "
             "in f32 may leave there (white noise of 1e-7 sqrt(log2 N) of the spectrum's norm). To be expected are chi^2/ndf below "
             "1 and p near 1 of right results, and p = 0 of both faults. " + verdict(table))
    bench_rows = [(device.shown, rows_of(runs[device.label]).get(LONGEST)) for device in here.machine.all_kinds]
    told = Table(["device", "chi2_per_ndf", "p", "relative_error", "round_trip_error"],
                 [[name, row["chi2_per_ndf"], row["p_value"], row["relative_error"], row["round_trip_error"]]
                  for name, row in bench_rows if row])
    if told.rows:
        item.table(told, name="bench", caption="What `fft --bench` says itself at N = 2048, against a transform in extended "
                   "precision")


def verdict(table):
    """What the rows say of the statistic by frequency."""
    right = [row for row in table.rows if row[1] == "ours"]
    passing = [row[0] for row in right if row[4] < 1 and row[5] > 0.5]
    failing = [row[0] for row in right if row[0] not in passing]
    unseen = [f"{row[1]} on {row[0]}" for row in table.rows if row[1] != "ours" and not row[5] < 1e-12]
    words = f"Ours have not, on {', '.join(failing)}." if failing else "Ours have that here."
    return words + (f" Faults that it did not see here: {', '.join(unseen)}." if unseen else " It saw all faults here.")


def figure_6(chapter, here, runs):
    item = chapter.item("sycl-fft-fig-6", "Fig. 6: time by iteration")
    item.claim("Mean and standard deviation (us) of the pair with its launches over 1000 iterations, the first one dropped:")
    item.table(Table(["device", "N1024_mean_us", "N1024_sd_us", "N2048_mean_us", "N2048_sd_us"], PAPER_PAIRS), name="paper",
               caption="The paper's")
    summary = Table(["device", "length", "iterations", "warm_up_us", "mean_us", "variance_us2", "sd_us", "least_us", "largest_us",
                     "outliers"])
    series = Table(["device", "iteration", "time_us"], title="Time of each pair, N = 2048; line: mean, band: one standard "
                   "deviation, above: the outliers' iterations (and us)",
                   plot={"kind": "points", "x": "iteration", "y": "time_us", "by": ["device"], "panel": "device",
                         "xlabel": "iteration", "ylabel": "time of a pair (us)"})
    without = []
    for device in here.machine.all_kinds:
        run = runs[device.label]
        told = {entry["length"]: entry for entry in run.meta().get("bench", {}).get("series", [])}
        for length in (1024, 2048):
            row = rows_of(run).get(length)
            if row is None:
                continue
            times = told.get(length, {}).get("pairs_us", [])
            mean, deviation = to_number(row["total_mean_us"]), to_number(row["total_sd_us"])
            far = [f"{number}: {time:.3g}" for number, time in enumerate(times) if time > mean + 6 * deviation]
            summary.add(device.shown, length, here.sizes.fft_iterations, told.get(length, {}).get("warm_up_us"), mean, deviation**2,
                        deviation, row["total_optimal_us"], max(times) if times else None,
                        (", ".join(far[:6]) + (f" and {len(far) - 6} more" if len(far) > 6 else "") or "none") if times else None)
            if length == 2048:
                for number, time in enumerate(times):
                    series.add(device.shown, number, time)
                if not times:
                    without.append(device.shown)
    if summary.rows:
        item.table(summary, caption="Here and now; outliers are more than six deviations above the mean (iteration: us), the "
                   "warm-up is in none of the numbers")
    if series.rows:
        item.figure(series, name="series")
    if without:
        item.missing(f"This program does not give the time of each pair ({', '.join(without)}): `fft --bench --histogram --format "
                     "json` of a newer one does.")
