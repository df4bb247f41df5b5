"""Pictures of the chapter on batched solvers: Figures 1 to 8."""
import os
import re

from batch_runs import SETS, first_device, measure_sweep, shown_device
from tables import Table

EXECUTION = [("device", "grid", "nd-range", "league", "the batch, in one launch"),
             ("compute unit", "thread block", "work-group", "team", "one system"),
             ("lanes in step", "warp", "sub-group", "none", "sums within a row or a dot product"),
             ("lane", "thread", "work-item", "thread", "a row, or every k-th")]


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
                alone = single.get((row["solver"], row[sweep]))
                if row["devices"] == 2 and alone:
                    ratios.add(row["solver"], row[sweep], alone / row["median_ms"])
            if table.rows:
                item.figure(table)
                item.table(table)
            else:
                item.missing(f"Nothing was measured: {sweeps[sweep].why or 'the program gave no rows'}.")
            if ratios.rows:
                item.figure(ratios, name="speed-up")
            elif table.rows:
                item.missing("No speed-up: there is no batch that both one device and two have solved.")
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
        last = item
    # What holds for all five sets stands once, below the last of them.
    if not here.machine.gpus:
        last.missing("No GPU here: devices are not to be compared side by side; merge.py does so with other machines' tables.")
    last.recorded("batch-fig-6")


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


# The roofs of a level of memory: columns of the measured peaks, the nearest to the threads first.
ROOFS = [("memory", "memory_GB_per_s", "memory"), ("cache", "cache_32_KiB_GB_per_s", "cache, 32 KiB"),
         ("cache", "cache_256_KiB_GB_per_s", "cache, 256 KiB"), ("cache", "cache_8_MiB_GB_per_s", "cache, 8 MiB"),
         ("scratch", "scratch_GB_per_s", "scratch")]
LEVELS = ("memory", "cache", "scratch")
# What is drawn of the sets; and of the stencils, by rows.
OF_SETS = (("bicgstab", "dodecane_lu"), ("lu", "dodecane_lu"), ("bicgstab", "isooctane"), ("sparse-lu", "isooctane"))
OF_STENCILS = (("cg", 64), ("bicgstab", 64), ("cg", 1024))


def measured_points(device, sets, sweeps):
    """(name, row of batch --bench) of what a device's roofline shows."""
    points = []
    for solver, name in OF_SETS:
        rows = sets[name]["rows"].get((device.label, solver))
        if rows:
            points.append((f"{solver}, {name if sets[name]['real'] else str(rows[0]['rows']) + ' rows made'}", largest(rows)))
    stencils = sweeps["rows"][device.label].rows() if device.label in sweeps["rows"] else []
    return points + [(f"{solver}, stencil {rows}", row) for solver, rows in OF_STENCILS for row in stencils
                     if row["solver"] == solver and row["rows"] == rows]


def roofline(device, points, peaks):
    """The table of a device's roofline: measured roofs, and each solve at the intensity that its kernel has on each level."""
    table = Table(["kind", "name", "level", "operations_per_byte", "GFLOP_per_s", "GB_per_s", "percent_of_roof",
                   "GB_of_the_batch"], title=f"Roofline of {device.shown}, f64",
                  plot={"kind": "roofline", "xlabel": "operations for each byte that passes through a level",
                        "ylabel": "GFLOP/s", "height": 3.1})
    roofs = {}
    for level, column, name in ROOFS:
        if column in peaks and not (level == "scratch" and device.is_host):  # where scratch is ordinary memory
            roofs.setdefault(level, peaks[column])
            table.add("bandwidth", name, level, None, None, peaks[column], None, None)
    if "f64_GFLOP_per_s" in peaks:
        table.add("rate", "f64", None, None, peaks["f64_GFLOP_per_s"], None, None, None)
    for name, row in points:
        for level in LEVELS:
            intensity = row.get(f"flop_per_{level}_byte")
            if intensity:
                rate = row["gflop_per_s"] / intensity
                table.add("point", name, level, intensity, row["gflop_per_s"], rate,
                          round(100 * rate / roofs[level], 1) if level in roofs else None,
                          row["flops"] * row["systems"] / intensity / 1e9)
    return table


def figure_8(chapter, here, sets, sweeps, rates):
    item = chapter.item("batch-fig-8", "Fig. 8: roofline")
    item.claim("dodecane_lu on a PVC: 65 % of the time for memory goes to local memory, through which pass about 3 TB, 11 % to the "
               "L3 cache; occupancy about 50 %.")
    first = first_device(here)
    shown = 0
    for device in [first] + [device for device in here.machine.measured if device.is_host and device is not first]:
        table = roofline(device, measured_points(device, sets, sweeps), rates.get(device.label, {}))
        if "point" not in table.column("kind"):
            item.missing(f"Nothing of {device.shown}: the runs gave no rows that tell operations.")
            continue
        shown += 1
        name = "" if device is first else device.label
        item.figure(table, name=name)
        item.table(table, name=name)
        if "bandwidth" not in table.column("kind"):
            item.missing(f"No roofs of {device.shown}: bench_exec, which measures them, gave none.")
    if shown:
        item.say("A solve stands once on each level of memory, at its operations for each byte that passes there, all counted by "
                 "the program (`Plan::work`, `flops` and `flop_per_..._byte` of `batch --bench`) for the kernel that it chooses. "
                 "memory: matrix, right-hand side, guess and solution once, and what a system keeps in memory; cache: what "
                 "threads read of memory and write there; scratch: the same of a team's scratch, which a host does not have. "
                 "Vectors in registers pass through none. Roofs are bandwidths as bench_exec measures them: of memory by a copy, "
                 "of caches by reading arrays of these sizes. The percentage is of the first roof of a level. Each iteration is "
                 "counted whole, and no residual that is evaluated again.")
    if not here.machine.gpus:
        item.missing("No GPU here: the host's roofline alone.")
    item.recorded("batch-fig-8")
