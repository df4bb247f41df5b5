"""Runs of `portable-hpc batch` and bench_exec that the tables and pictures of the batched solvers share."""
import os

# Of the paper's Table 4: name, systems, rows, entries; and what stands in a set's place where it was not fetched.
SETS = [("drm19", 67, 22, 438, ["--problem", "chemistry:22"]), ("gri12", 73, 33, 978, ["--problem", "chemistry:33"]),
        ("gri30", 90, 54, 2560, ["--problem", "chemistry:54"]),
        ("dodecane_lu", 78, 54, 2332, ["--problem", "chemistry:54", "--seed", "2"]),
        ("isooctane", 72, 144, 6135, ["--problem", "chemistry:144"])]
SOLVERS_OF_SETS = (("bicgstab", "jacobi"), ("lu", ""), ("sparse-lu", ""))


def joined(values):
    return ",".join(map(str, values))


def first_device(here):
    return next(iter(here.machine.gpus), here.machine.host)


def shown_device(here, label):
    return next((device.shown for device in here.machine.devices if device.label == label), label)


def measure_set(here, name, stand_in):
    """{(device label, solver): rows of batch --bench by number of systems}; of the set where it was fetched, else of what
    stands in."""
    folder = os.path.join(here.options.sets, name) if here.options.sets else ""
    real = os.path.isdir(folder)
    source = [os.path.abspath(folder), "--rhs", "ones"] if real else stand_in
    found = {"real": real, "rows": {}, "why": ""}
    for device in here.machine.measured:
        for solver, preconditioner in SOLVERS_OF_SETS:
            method = ["--solver", solver] + (["--precond", preconditioner] if preconditioner else [])
            run = here.runner.portable_hpc(
                f"batch-set-{name}-{solver}-{device.label}", "batch", *source, "--bench", *method, "--sweep", "systems", "--values",
                joined(here.sizes.set_counts), "--repeats", here.sizes.repeats, "--device", device.label, "--format", "json",
                timeout=3600)
            found["rows"][device.label, solver] = run.rows()
            found["why"] = found["why"] or run.why
    return found


def measure_sweep(here, sweep, devices=None):
    """Rows of `batch --bench` of 3-point stencils by cg and bicgstab, for each device: by rows, or by systems of 64 rows."""
    found = {}
    for label in devices or [device.label for device in here.machine.measured]:
        values = here.sizes.batch_rows if sweep == "rows" else here.sizes.batch_counts
        size = ["--systems", here.sizes.batch_systems] if sweep == "rows" else []
        found[label] = here.runner.portable_hpc(
            f"batch-{sweep}-{label.replace(',', '+')}", "batch", "--bench", "--problem", "stencil3:64", "--sweep", sweep,
            "--values", joined(values), *size, "--repeats", here.sizes.repeats, "--device", label, "--format", "json", timeout=3600)
    return found


PEAKS = {"peak_multiply_add<float>": "f32_GFLOP_per_s", "peak_multiply_add<double>": "f64_GFLOP_per_s",
         "peak_scratch_read": "scratch_GB_per_s", "peak_cache_read/32768": "cache_32_KiB_GB_per_s",
         "peak_cache_read/262144": "cache_256_KiB_GB_per_s",
         "peak_cache_read/8388608": "cache_8_MiB_GB_per_s"}


def measure_peaks(here):
    """{device label: {column: value}} of bench_exec's peaks, and why there are none."""
    executable = here.runner.bench("bench_exec")
    if not executable:
        return {}, "bench_exec is not built (`make bench`)"
    found, why = {}, ""
    for device in here.machine.measured:
        run = here.runner.run(
            f"exec-peaks-{device.label}",
            [executable, "--benchmark_filter=^peak_", "--benchmark_format=json",
             f"--benchmark_min_time={here.sizes.bench_seconds}"],
            env={"PHPC_BENCH_DEVICE": device.label})
        rows = {row["name"].removesuffix("/real_time"): row for row in run.rows()}
        found[device.label] = {column: rows[name].get("flop/s", rows[name].get("bytes_per_second")) / 1e9
                               for name, column in PEAKS.items() if name in rows}
        why = why or run.why or ("" if rows else "bench_exec has no peaks")
    return found, why
