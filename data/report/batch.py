"""Chapter: batched iterative solvers (Nguyen et al., SC-W 2023); here `portable-hpc batch`."""
import glob
import os

from batch_figures import EXECUTION, drawings, figure_4, figure_5, figure_6, figure_7, figure_8
from batch_runs import PEAKS, SETS, first_device, measure_peaks, measure_set, measure_sweep, shown_device
from device_facts import devices_table
from tables import Table

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


def shipped(here):
    """How many systems of how many rows and entries data/batch has, as the matrices' own lines of sizes say."""
    sizes = []
    for path in glob.glob(os.path.join(glob.escape(here.root), "data/batch/*/A.mtx")):
        with open(path, encoding="ascii") as file:
            line = next((line for line in file if line.strip() and not line.startswith("%")), "").split()
        if len(line) == 3:
            sizes.append((int(line[0]), int(line[2])))
    return [(sizes.count(size), *size) for size in sorted(set(sizes))]


def table_4(chapter, here, sets):
    item = chapter.item("batch-table-4", "Table 4: the sets")
    item.claim("Five sets of PeleLM's chemistry: systems, rows and entries below.")
    table = Table(["set", "paper_systems", "paper_rows", "paper_entries", "measured here", "rows", "entries"])
    for name, systems, rows, entries, stand_in in SETS:
        found = sets[name]
        row = next((rows_of[0] for rows_of in found["rows"].values() if rows_of), {})
        table.add(name, systems, rows, entries, "the set" if found["real"] else "made: `" + " ".join(stand_in) + "`",
                  row.get("rows"), row.get("entries"))
    for systems, rows, entries in shipped(here):
        table.add("data/batch", None, None, None, f"shipped: {systems} systems, for first tries", rows, entries)
    item.table(table)
    if not all(found["real"] for found in sets.values()):
        item.missing("The sets are not here (`data/report/fetch_sets.sh FOLDER` gets them, `--sets FOLDER` uses them): made "
                     "problems of as many rows, nine tenths full and badly scaled, stand in their places.")
    for name, found in sets.items():
        if found["why"]:
            item.missing(f"{name}: {found['why']}.")


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


