"""Chapter: batched iterative solvers (Nguyen et al., SC-W 2023); here `portable-hpc batch`."""
import os
import re

from casoff import devices_table
from tables import Table, to_number

# Of the paper's Table 4: name, systems, rows, entries; and what stands in a set's place where it was not fetched.
SETS = [("drm19", 67, 22, 438, ["--problem", "chemistry:22"]), ("gri12", 73, 33, 978, ["--problem", "chemistry:33"]),
        ("gri30", 90, 54, 2560, ["--problem", "chemistry:54"]),
        ("dodecane_lu", 78, 54, 2332, ["--problem", "chemistry:54", "--seed", "2"]),
        ("isooctane", 72, 144, 6135, ["--problem", "chemistry:144"])]
SOLVERS_OF_SETS = (("bicgstab", "jacobi"), ("lu", ""), ("sparse-lu", ""))
ITERATIVE = ["bicgstab", "cg", "gmres", "idr", "richardson"]
DIRECT = ["lu", "sparse-lu", "tridiagonal", "lower", "upper"]
PRECONDITIONERS = ["none", "jacobi", "block-jacobi", "ilu", "isai", "ilu-isai"]
FORMATS = ["csr", "ell", "dense"]
# Whether the paper's code (Ginkgo's branch batch-develop) has it; Ginkgo's releases have cg and bicgstab, with none and jacobi.
IN_PAPER = {"bicgstab": "yes", "cg": "yes", "gmres": "yes", "idr": "yes", "richardson": "yes", "lu": "yes", "sparse-lu": "no",
            "tridiagonal": "no", "lower": "yes", "upper": "yes"}


def chapter(page, here):
    one = page.chapter(
        "batch", "Batched iterative solvers: many small sparse systems at once",
        "Nguyen and others (SC-W 2023) brought Ginkgo's batched solvers to Intel's GPUs by SYCL: one launch solves a batch of "
        "small systems of one pattern, each in a work-group of its own; 3-point stencils and the chemistry of PeleLM, 2^13 to 2^17 "
        "systems.")
    names_tables(one)
    table_3(one, here)
    sets = {name: measure_set(here, name, stand_in) for name, _, _, _, stand_in in SETS}
    table_4(one, here, sets)
    rates = table_5(one, here)
    table_6(one, here)
    drawings(one, here)
    sweeps = {sweep: measure_sweep(here, sweep) for sweep in ("rows", "systems")}
    figure_4(one, here, sweeps)
    figure_5(one, here)
    figure_6(one, here, sets)
    figure_7(one, here, sets)
    figure_8(one, here, sets, sweeps, rates)


def joined(values):
    return ",".join(map(str, values))


EXECUTION = [("device", "grid", "nd-range", "league", "the batch, in one launch"),
             ("compute unit", "thread block", "work-group", "team", "one system"),
             ("lanes in step", "warp", "sub-group", "none", "sums within a row or a dot product"),
             ("lane", "thread", "work-item", "thread", "a row, or every k-th")]
MEMORY = [("registers", "registers", "private memory", "locals of a thread",
           "vectors of short rows and of slices, where a kernel has them there"),
          ("scratch of a team", "shared memory", "local memory", "omp_pteam_mem_alloc",
           "vectors, factors, and the matrix as far as there is room"),
          ("memory", "global memory", "global memory", "omp_target_alloc", "matrices, right-hand sides, solutions"),
          ("constants", "constant memory", "constant memory", "members of the functor", "pattern's sizes and places")]


def names_tables(chapter):
    for number, title, rows in ((1, "what executes", EXECUTION), (2, "where numbers lie", MEMORY)):
        item = chapter.item(f"batch-table-{number}", f"Table {number}: names of {title}")
        item.claim("The programming models' names side by side; the paper's rows: not quoted.")
        item.table(Table(["of the device", "CUDA", "SYCL", "OpenMP", "here"], rows))


def first_device(here):
    return next(iter(here.machine.gpus), here.machine.host)


def triangles(here):
    """Small triangular matrices, for the methods that solve with them."""
    paths = {}
    for kind in ("lower", "upper"):
        paths[kind] = os.path.join(here.runner.scratch, kind + ".mtx")
        entries = [(i, j) for i in range(1, 13) for j in range(1, 13) if i == j
                   or (i - j in (1, 3) if kind == "lower" else j - i in (1, 3))]
        with open(paths[kind], "w", encoding="ascii") as out:
            out.write(f"%%MatrixMarket matrix coordinate real general\n12 12 {len(entries)}\n")
            out.writelines(f"{i} {j} {4 if i == j else -1 / (i + j)}\n" for i, j in entries)
    return paths


def table_3(chapter, here):
    item = chapter.item("batch-table-3", "Table 3: formats, solvers and preconditioners, each of them run")
    item.claim("Formats dense, CSR and ELL; solvers CG, BiCGSTAB, GMRES, Richardson, IDR, triangular and direct; preconditioners "
               "Jacobi, ILU, ISAI and ILU-ISAI. Ginkgo's releases have CG and BiCGSTAB, with Jacobi or none.")
    device = first_device(here)
    paths = triangles(here)

    def answer(solver, *options):
        problem = "stencil3:16" if solver in ("cg", "tridiagonal", "richardson") else "chemistry:16"
        source = [paths[solver], "--rhs", "ones"] if solver in paths else ["--problem", problem, "--systems", 8]
        name = "batch-table-3-" + "-".join(word.lstrip("-") for word in (solver, *options))
        run = here.runner.portable_hpc(name, "batch", *source, "--solver", solver, *options, "--max-iterations", 500, "--device",
                                       device.label, "-o", os.path.join(here.runner.scratch, "x.npy"), timeout=60)
        return "converged" if run.ok else "not converged" if "converged" in run.err else "refused"

    def colour(_, value):
        return {"converged": "good", "not converged": "bad", "refused": "bad"}.get(value, "")
    methods = Table(["solver", "in the paper's code"] + PRECONDITIONERS)
    for solver in ITERATIVE:
        methods.add(solver, IN_PAPER[solver], *(answer(solver, "--precond", name) for name in PRECONDITIONERS))
    for solver in DIRECT:
        methods.add(solver, IN_PAPER[solver], answer(solver), *("takes none" for _ in PRECONDITIONERS[1:]))
    item.table(methods, caption=f"A small problem solved by each on {device.shown}: every cell is a run", colour=colour)
    stored = Table(["solver"] + FORMATS)
    for solver in ITERATIVE + DIRECT:
        stored.add(solver, *(answer(solver, "--matrix-format", name) for name in FORMATS))
    item.table(stored, name="formats", caption="Formats, with Jacobi where a method takes one", colour=colour)
    item.say("A method need not converge on every problem: a red cell says that this run did not.")


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


def table_4(chapter, here, sets):
    item = chapter.item("batch-table-4", "Table 4: the sets")
    item.claim("Five sets of PeleLM's chemistry: systems, rows and entries below.")
    table = Table(["set", "paper_systems", "paper_rows", "paper_entries", "measured here", "rows", "entries"])
    for name, systems, rows, entries, stand_in in SETS:
        found = sets[name]
        row = next((rows_of[0] for rows_of in found["rows"].values() if rows_of), {})
        table.add(name, systems, rows, entries, "the set" if found["real"] else "made: `" + " ".join(stand_in) + "`",
                  row.get("rows"), row.get("entries"))
    table.add("data/batch", None, None, None, "shipped: 8 systems, for first tries", 20, 58)
    item.table(table)
    if not all(found["real"] for found in sets.values()):
        item.missing("The sets are not here (`data/report/fetch_sets.sh FOLDER` gets them, `--sets FOLDER` uses them): made "
                     "problems of as many rows, nine tenths full and badly scaled, stand in their places.")
    for name, found in sets.items():
        if found["why"]:
            item.missing(f"{name}: {found['why']}.")


PEAKS = {"peak_multiply_add<float>": "f32_GFLOP_per_s", "peak_multiply_add<double>": "f64_GFLOP_per_s",
         "peak_scratch_read": "scratch_GB_per_s", "peak_cache_read/262144": "cache_256_KiB_GB_per_s",
         "peak_cache_read/8388608": "cache_8_MiB_GB_per_s"}


def measure_peaks(here):
    """{device label: {column: value}} of bench_exec's peaks, and why there are none."""
    executable = here.runner.bench("bench_exec")
    if not executable:
        return {}, "bench_exec is not built (`make bench`)"
    found, why = {}, ""
    for device in here.machine.measured:
        run = here.runner.run(f"exec-peaks-{device.label}", [executable, "--benchmark_filter=^peak_", "--benchmark_format=json",
                                                             f"--benchmark_min_time={here.sizes.bench_seconds}"],
                              env={"PHPC_BENCH_DEVICE": device.label})
        rows = {row["name"].removesuffix("/real_time"): row for row in run.rows()}
        found[device.label] = {column: rows[name].get("flop/s", rows[name].get("bytes_per_second")) / 1e9
                               for name, column in PEAKS.items() if name in rows}
        why = why or run.why or ("" if rows else "bench_exec has no peaks")
    return found, why


def table_5(chapter, here):
    """Gives the peaks of each device, with the copy's bandwidth."""
    item = chapter.item("batch-table-5", "Table 5: devices and their peaks")
    item.claim("PVC with one and two stacks, A100 and H100 PCIe (2.0 TB/s, 26 TFLOP/s in double); the others' numbers: not quoted.")
    rates = devices_table(item, here)
    peaks, why = measure_peaks(here)
    table = Table(["device", *PEAKS.values()])
    for label, of_device in peaks.items():
        table.add(shown_device(here, label), *(round(of_device[name], 1) if name in of_device else None for name in PEAKS.values()))
    if any(peaks.values()):
        item.table(table, name="peaks", caption="Peaks by bench_exec: multiplications and additions; bytes read of a team's "
                   "scratch (on the host: of the first cache) and of arrays that caches hold")
    if why:
        item.missing(f"No peaks: {why}.")
    return {label: {**peaks.get(label, {}), **({"memory_GB_per_s": rates[label]} if label in rates else {})}
            for label in {**peaks, **rates}}


def table_6(chapter, here):
    item = chapter.item("batch-table-6", "Table 6: teams rounded up to whole sub-groups, or not")
    item.claim("Rounding the work-group up to the sub-group changes the time by +48.5 % for gri12 (33 rows) and by 0 to 3 % for "
               "the other sets.")
    if here.machine.gpus:
        table = Table(["rows", "team_size", "median_ms", "against_the_least_percent"])
        for rows in (22, 33, 54, 144):
            run = here.runner.portable_hpc(
                f"batch-team-{rows}", "batch", "--bench", "--problem", f"chemistry:{rows}", "--solver", "bicgstab", "--sweep",
                "team-size", "--systems", here.sizes.team_systems, "--device", here.machine.gpus[0].label, "--format", "json")
            least = min([row["median_ms"] for row in run.rows()] or [1])
            for row in run.rows():
                table.add(rows, row["team_size"], row["median_ms"], round(100 * (row["median_ms"] / least - 1), 1))
            if not run.ok:
                item.missing(f"Nothing of {rows} rows: {run.why}.")
        if table.rows:
            item.table(table, caption=f"Here and now, on {here.machine.gpus[0].shown}")
    else:
        item.missing("No GPU here: on the host a system has one thread, and there is nothing to round.")
    item.recorded("batch-table-6")


def drawings(chapter, here):
    item = chapter.item("batch-fig-1", "Fig. 1: one pattern, three formats")
    item.claim("How a batch stores its matrices: the pattern once, the values of each system. Drawn by ourselves:")
    table = Table(["row", "column", "csr_place", "ell_place"],
                  title="A pattern of six rows: the number of an entry in CSR, and its place in dense and ELL storage",
                  plot={"kind": "formats"})
    place = 0
    for row in range(6):
        inside = [column for column in (row - 2, row - 1, row, row + 1) if 0 <= column < 6 and (column != row - 2 or row % 2 == 0)]
        for at, column in enumerate(inside):
            table.add(row, column, place, at * 6 + row)
            place += 1
    item.figure(table, caption="A pattern of six rows. The numbers count the entries in CSR's order; grey places of ELL hold no "
                "entry.")
    item = chapter.item("batch-fig-2", "Fig. 2: from the batch to a lane")
    item.claim("How systems are mapped to a device: one work-group solves one system. Drawn by ourselves:")
    item.figure(Table(["level", "cuda", "sycl", "openmp", "does"], EXECUTION, title="What of the device does what of the problem",
                      plot={"kind": "levels"}))
    item = chapter.item("batch-fig-3", "Fig. 3: what a team keeps in its scratch")
    item.claim("Vectors go to local memory in an order of importance, as far as there is room. Here, scratch of a team by rows, as "
               "each launch tells:")
    table = Table(["device", "solver", "rows", "scratch_KiB"], title="Scratch of a team by rows of its system, f64",
                  plot={"kind": "lines", "x": "rows", "y": "scratch_KiB", "by": ["device", "solver"], "xscale": "log2",
                        "yscale": "log", "xlabel": "rows", "ylabel": "scratch of a team (KiB)"})
    for device in here.machine.all_kinds:
        for solver in ("cg", "bicgstab"):
            for rows in here.sizes.batch_rows:
                run = here.runner.portable_hpc(
                    f"batch-scratch-{device.label}-{solver}-{rows}", "batch", "--problem", f"stencil3:{rows}", "--systems", 32,
                    "--solver", solver, "--precond", "none", "--device", device.label, "--allow-unconverged", "-o",
                    os.path.join(here.runner.scratch, "x.npy"), env={"PHPC_TRACE": "1"})
                told = [int(number) for number in re.findall(r"trace: .*Kernel.* (\d+) B of scratch", run.err)]
                if told and max(told) > 0:
                    table.add(device.shown, solver, rows, max(told) / 1024)
    if table.rows:
        item.figure(table)
        item.say("On the host a team is one thread that solves several systems in the lanes of its packs, so that its scratch "
                 "holds the vectors of all of them; kernels that keep vectors in registers have less.")
    else:
        item.missing("The launches told of no scratch (PHPC_TRACE=1).")


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


def shown_device(here, label):
    return next((device.shown for device in here.machine.devices if device.label == label), label)


def figure_4(chapter, here, sweeps):
    for part, sweep, words, claim in (("a", "rows", f"{here.sizes.batch_systems} systems", "linear in the rows from 16 to 2048"),
                                      ("b", "systems", "64 rows", "linear in the systems from 2^13 to 2^17, for 64 rows")):
        item = chapter.item(f"batch-fig-4{part}", f"Fig. 4{part}: 3-point stencils by {sweep}")
        item.claim(f"Time of CG and BiCGSTAB without preconditioner is {claim}; the numbers of the picture: not quoted.")
        table = Table(["device", "solver", sweep, "time_ms", "fastest_ms", "us_per_system", "iterations_mean", "unconverged"],
                      title=f"3-point stencils, {words}, tolerance 1e-6",
                      plot={"kind": "lines", "x": sweep, "y": "time_ms", "by": ["device", "solver"], "xscale": "log2",
                            "yscale": "log", "xlabel": sweep, "ylabel": "time of a batch (ms)"})
        for label, run in sweeps[sweep].items():
            for row in run.rows():
                table.add(shown_device(here, label), row["solver"], row[sweep], row["median_ms"], row["fastest_ms"],
                          row["us_per_system"], row["iterations_mean"], row["unconverged"])
            if not run.ok:
                item.missing(f"Nothing of {shown_device(here, label)}: {run.why}.")
        if table.rows:
            item.figure(table)
            item.table(table, caption="Median and least of the repeats")
        if not here.machine.gpus:
            item.missing("No GPU here: the host alone, and smaller batches than the paper's.")
        if part == "a":
            item.recorded("batch-fig-4a")


def figure_5(chapter, here):
    claim = ("Two stacks of a PVC against one: 1.8 times as fast for CG, 1.9 times for BiCGSTAB on average at 2^17 systems, 1.5 to "
             "2.0.")
    gpus = here.machine.gpus
    pair = [device.label for device in gpus if device.name == gpus[0].name][:2] if gpus else []
    sweeps = {sweep: measure_sweep(here, sweep, [",".join(pair)])[",".join(pair)]
              for sweep in ("rows", "systems")} if len(pair) == 2 else {}
    for part, sweep in (("a", "rows"), ("b", "systems")):
        item = chapter.item(f"batch-fig-5{part}", f"Fig. 5{part}: one device and two, by {sweep}")
        item.claim(claim)
        if sweep in sweeps:
            rows = sweeps[sweep].rows()
            table = Table(["solver", "devices", sweep, "time_ms"], title=f"3-point stencils on one and two of {gpus[0].name}",
                          plot={"kind": "lines", "x": sweep, "y": "time_ms", "by": ["solver", "devices"], "xscale": "log2",
                                "yscale": "log", "xlabel": sweep, "ylabel": "time of a batch (ms)"})
            ratios = Table(["solver", sweep, "speed_up"], title="How many times as fast two are as one",
                           plot={"kind": "lines", "x": sweep, "y": "speed_up", "by": ["solver"], "xscale": "log2", "xlabel": sweep,
                                 "ylabel": "times as fast"})
            single = {(row["solver"], row[sweep]): row["median_ms"] for row in rows if row["devices"] == 1}
            for row in rows:
                table.add(row["solver"], f"{row['devices']} device" + ("s" if row["devices"] > 1 else ""), row[sweep],
                          row["median_ms"])
            for row in rows:
                if row["devices"] == 2:
                    ratios.add(row["solver"], row[sweep], single[row["solver"], row[sweep]] / row["median_ms"])
            if table.rows and ratios.rows:
                item.figure(table)
                item.figure(ratios, name="speed-up")
                item.table(table)
            else:
                item.missing(f"Nothing was measured: {sweeps[sweep].why}.")
        else:
            item.missing("No GPU here: one device and two are not to be compared." if not gpus
                         else "There is one GPU here: nothing to compare it with.")
        if part == "b":
            item.recorded("batch-fig-5")


def figure_6(chapter, here, sets):
    for letter, (name, _, rows, _, stand_in) in zip("abcde", SETS):
        item = chapter.item(f"batch-fig-6{letter}", f"Fig. 6{letter}: {name}")
        if letter == "a":
            item.claim("BiCGSTAB with Jacobi on the five sets at 2^17 systems: PVC with one stack is on average 1.7 times as fast "
                       "as an A100 and 1.3 times as an H100, with two stacks 3.1 and 2.4 times; times of the pictures: not quoted.")
        else:
            item.claim("As Fig. 6a; times of the picture: not quoted.")
        found = sets[name]
        what = name if found["real"] else f"{rows} rows in place of {name}"
        table = Table(["device", "solver", "systems", "time_ms", "us_per_system", "iterations_mean", "unconverged"],
                      title=f"{what}, tolerance 1e-6",
                      plot={"kind": "lines", "x": "systems", "y": "time_ms", "by": ["solver", "device"], "xscale": "log2",
                            "yscale": "log", "xlabel": "systems", "ylabel": "time of a batch (ms)"})
        for (label, solver), rows_of in found["rows"].items():
            for row in rows_of:
                table.add(shown_device(here, label), solver, row["systems"], row["median_ms"], row["us_per_system"],
                          row["iterations_mean"], row["unconverged"])
        if table.rows:
            item.figure(table)
            item.table(table, most=12)
        else:
            item.missing(f"Nothing was measured: {found['why']}.")
        if not found["real"]:
            item.missing(f"The set {name} is not here: {stand_in[1]} stands in its place.")
    if not here.machine.gpus:
        item.missing("No GPU here: devices are not to be compared side by side; merge.py does so with other machines' tables.")
    item.recorded("batch-fig-6")


def largest(rows):
    return max(rows, key=lambda row: row["systems"])


def figure_7(chapter, here, sets):
    item = chapter.item("batch-fig-7", "Fig. 7: speed-ups")
    item.claim("Bars of the sets' speed-ups between devices; mean of the five sets as in Fig. 6.")
    table = Table(["set", "what", "times as fast"], title="How many times as fast, largest batch of each set",
                  plot={"kind": "bars", "x": "set", "y": "times as fast", "by": ["what"], "mark": 1, "ylabel": "times as fast"})
    measured = here.machine.measured
    for name, *_ in SETS:
        rows = sets[name]["rows"]
        for device in measured[1:]:
            pair = [rows.get((label, "bicgstab")) for label in (measured[0].label, device.label)]
            if all(pair):
                table.add(name, f"bicgstab, {device.name} against host",
                          largest(pair[0])["us_per_system"] / largest(pair[1])["us_per_system"])
        base = rows.get((measured[0].label, "bicgstab"))
        for solver in ("lu", "sparse-lu"):
            other = rows.get((measured[0].label, solver))
            if base and other:
                table.add(name, f"{solver} against bicgstab, host",
                          largest(base)["us_per_system"] / largest(other)["us_per_system"])
    if table.rows:
        item.figure(table)
        item.table(table)
    if not here.machine.gpus:
        item.missing("No GPU here: devices are not to be compared; the bars compare direct methods with BiCGSTAB on the host "
                     "instead.")
    item.recorded("batch-fig-7")


def operations(solver, rows, entries, iterations):
    """Operations of one system: products, sums and divisions of the method as textbooks have it."""
    if solver == "cg":
        return iterations * (2 * entries + 10 * rows)
    if solver == "bicgstab":
        return iterations * (4 * entries + 24 * rows)
    return 2 / 3 * rows**3 + 2 * rows**2


def figure_8(chapter, here, sets, sweeps, rates):
    item = chapter.item("batch-fig-8", "Fig. 8: roofline")
    item.claim("dodecane_lu on a PVC: 65 % of the time for memory goes to local memory, through which pass about 3 TB, 11 % to the "
               "L3 cache; occupancy about 50 %.")
    device = first_device(here)
    table = Table(["kind", "name", "operations_per_byte", "GFLOP_per_s"], title=f"Roofline of {device.shown}",
                  plot={"kind": "roofline", "xlabel": "operations for each byte of one pass over the problem", "ylabel": "GFLOP/s",
                        "height": 3.0})
    points = [(f"{solver}, {name}", largest(sets[name]["rows"][device.label, solver])) for name, *_ in SETS
              if name in ("gri12", "isooctane")
              for solver in ("bicgstab", "lu") if sets[name]["rows"].get((device.label, solver))]
    points += [(f"{row['solver']}, stencil {row['rows']}", row) for row in sweeps["rows"][device.label].rows()
               if row["rows"] in (64, 256)]
    for name, row in points:
        flops = operations(row["solver"], row["rows"], row["entries"], to_number(row["iterations_mean"]))
        if flops > 0 and row["gb_per_s"]:
            table.add("point", name, flops / (row["gb_per_s"] * 1e3 * row["us_per_system"]), flops / (row["us_per_system"] * 1e3))
    if not table.rows:
        item.missing("Nothing was measured to draw.")
        return
    peaks = rates.get(device.label, {})
    for column, name in (("memory_GB_per_s", "memory, copied"), ("cache_8_MiB_GB_per_s", "cache of 8 MiB"),
                         ("scratch_GB_per_s", "scratch")):
        if column in peaks:
            table.add("bandwidth", name, None, peaks[column])
    if "f64_GFLOP_per_s" in peaks:
        table.add("rate", "f64", None, peaks["f64_GFLOP_per_s"])
    item.figure(table)
    item.table(table)
    item.say("Operations are the methods' textbook counts times the iterations that were needed; bytes are one pass over matrices, "
             "right-hand sides, guesses and solutions, as `batch --bench` counts them.")
    item.missing("The kernels' own counts of operations and of bytes through each level are not told by the program yet: all "
                 "points stand at the bytes of one pass.")
