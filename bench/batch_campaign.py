#!/usr/bin/env python3
"""Solves random batches with `portable-hpc batch` and says whether it told the truth: every residual is computed again from the
solutions written, in extended precision. Needs NumPy.

    bench/batch_campaign.py --runs 2000 --seed 1 --program build/bin/portable-hpc --device host --tsv campaign.tsv
    bench/batch_campaign.py --only 1234 --keep /tmp/run        (one run again, its files kept)

A run draws a kind of matrix, a size, real or complex numbers, how the file holds them, a method, a preconditioner, precision,
scaling, A, A^T or A^H, a guess, a tolerance and what it is relative to, right-hand sides, and storage on the device. It fails where

- a system is called converged whose residual is over its tolerance, by more than what rounding of the residual itself explains;
- the residual that the report names is another than the one computed here, beyond that;
- the exit code is not 0 where all converged, 1 where some did not, or (on refusal) 1 or 2 with one line and no file;
- a guess that meets the tolerance takes an iteration.
"""
import argparse
import collections
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    DEBIAN = "/usr/bin/python3"  # has the NumPy of Debian's packages, where the first python3 on the PATH is another
    if os.access(DEBIAN, os.X_OK) and os.environ.pop("PHPC_CAMPAIGN_PYTHON", "") != "debian":
        os.environ["PHPC_CAMPAIGN_PYTHON"] = "debian"
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print("skipped: Python has no numpy here; .ci/setup report installs python3-numpy")
    sys.exit(0)

KINDS = ["tridiagonal", "banded", "grid5", "grid9", "grid7", "random", "blocks", "dense", "lower", "upper", "singular", "scaled"]
DIRECT = ["lu", "sparse-lu", "tridiagonal", "lower", "upper"]
ITERATIVE = ["bicgstab", "gmres", "idr", "cg", "richardson", "auto"]
PRECONDITIONERS = ["jacobi", "none", "block-jacobi", "ilu", "isai", "ilu-isai"]
COLUMNS = ["run", "seed", "kind", "rows", "entries", "systems", "columns", "numbers", "file", "solver", "precond", "precision", "device",
           "more", "exit", "converged", "of", "verdict", "detail"]


def grid_pattern(rng, kind, rows):
    """Pairs (row, column) of a 5- or 9-point stencil of a plane, or the 7-point one of a box, of about `rows` points."""
    axes = 3 if kind == "grid7" else 2
    sides = [max(1, round(rows ** (1 / axes))) for _ in range(axes - 1)]
    sides.append(max(1, rows // int(np.prod(sides))))
    points = np.arange(int(np.prod(sides))).reshape(sides)
    steps = [step for step in np.ndindex(*([3] * axes))]
    pairs = []
    for step in steps:
        shift = [s - 1 for s in step]
        if kind != "grid9" and sum(map(abs, shift)) > 1:
            continue
        here = tuple(slice(max(0, -s), side - max(0, s)) for s, side in zip(shift, sides))
        there = tuple(slice(max(0, s), side - max(0, -s)) for s, side in zip(shift, sides))
        pairs.append(np.stack([points[here].ravel(), points[there].ravel()], axis=1))
    return points.size, np.concatenate(pairs)


def pattern_of(rng, kind, rows):
    """(rows, mask of the entries); the diagonal is always one of them."""
    mask = np.eye(rows, dtype=bool)
    if kind in ("grid5", "grid9", "grid7"):
        rows, pairs = grid_pattern(rng, kind, rows)
        mask = np.eye(rows, dtype=bool)
        mask[pairs[:, 0], pairs[:, 1]] = True
    elif kind == "tridiagonal":
        mask |= np.eye(rows, k=1, dtype=bool) | np.eye(rows, k=-1, dtype=bool)
    elif kind == "banded":
        below, above = rng.integers(0, min(rows, 9), 2)
        for k in range(-int(below), int(above) + 1):
            mask |= np.eye(rows, k=k, dtype=bool)
    elif kind in ("random", "singular", "scaled"):
        for row in range(rows):
            mask[row, rng.integers(0, rows, rng.integers(3, 31))] = True
    elif kind == "blocks":
        size = int(rng.integers(2, 9))
        for first in range(0, rows, size):
            mask[first:first + size, first:first + size] = True
            other = int(rng.integers(0, rows))
            mask[first:first + size, other:other + size] = True
    else:
        mask[:] = True
        if kind == "lower":
            mask = np.tril(rng.random((rows, rows)) < 0.4) | np.eye(rows, dtype=bool)
        elif kind == "upper":
            mask = np.triu(rng.random((rows, rows)) < 0.4) | np.eye(rows, dtype=bool)
    return rows, mask


def draw_matrices(rng, run):
    """Matrices of one pattern, shape (systems, rows, rows): diagonally dominant by chance, symmetric definite for CG."""
    rows, mask = pattern_of(rng, run["kind"], run["rows"])
    definite = run["solver"] == "cg" and rng.random() < 0.85
    if definite:
        mask = mask | mask.T
    shape = (run["systems"], rows, rows)
    matrices = rng.uniform(-1, 1, shape)
    if run["numbers"] == "complex":
        matrices = matrices + 1j * rng.uniform(-1, 1, shape)
    matrices = np.where(mask, matrices, 0)
    if definite:
        matrices = (matrices + matrices.conj().transpose(0, 2, 1)) / 2
    dominance = rng.choice([0.3, 1.0, 1.05, 2.0], p=[0.1, 0.2, 0.4, 0.3]) if not definite else rng.choice([1.0, 1.05, 2.0])
    weight = np.abs(matrices).sum(axis=2)
    diagonal = np.arange(rows)
    matrices[:, diagonal, diagonal] = dominance * weight + 0.01
    if run["kind"] == "singular":
        matrices[:, int(rng.integers(0, rows)), :] = 0
    if run["kind"] == "scaled":
        matrices = matrices * 10.0 ** rng.integers(-6, 7, (1, rows, 1))
    return mask, matrices


def draw_run(rng, number, device):
    """Options of a run; what does not go together is drawn too, now and then, to be refused."""
    def choice(words, weights=None):
        return words[int(rng.choice(len(words), p=weights))]

    run = {"run": number, "kind": choice(KINDS), "rows": int(np.exp(rng.uniform(0, np.log(200)))), "systems": int(rng.integers(1, 24)),
           "columns": int(choice([1, 2, 3, 5], [0.7, 0.1, 0.1, 0.1])), "numbers": choice(["real", "complex"], [0.7, 0.3]),
           "device": device}
    run["solver"] = choice(DIRECT + ITERATIVE)
    fits = {"tridiagonal": "tridiagonal", "lower": "lower", "upper": "upper"}
    if run["solver"] in fits and rng.random() < 0.9:
        run["kind"] = fits[run["solver"]]
    run["precond"] = choice(PRECONDITIONERS) if run["solver"] not in DIRECT and run["solver"] != "auto" else ""
    run["precision"] = choice(["f64", "mixed", "f32"], [0.7, 0.15, 0.15])
    run["file"] = choice(["csr", "csc", "coo", "ell", "dense"])
    more = []
    if run["precond"] == "block-jacobi":
        more += ["--block-size", str(int(rng.integers(1, 33)))]
    if rng.random() < 0.2:
        more += ["--scaling", "auto"]
    run["op"] = choice(["", "--transpose", "--adjoint"], [0.7, 0.15, 0.15])
    if run["op"]:
        more.append(run["op"])
    if rng.random() < 0.3:
        more += ["--matrix-format", choice(["csr", "ell", "dense"])]
    run["tolerance"] = float(10.0 ** rng.uniform(-12, -2) if run["precision"] != "f32" else 10.0 ** rng.uniform(-5, -1))
    run["tol_kind"] = choice(["rhs", "initial", "absolute"], [0.6, 0.2, 0.2])
    run["per_system"] = bool(rng.random() < 0.15)
    run["guess"] = choice(["", "random", "right", "nan", "zero"], [0.6, 0.15, 0.1, 0.05, 0.1])
    run["zero_rhs"] = bool(rng.random() < 0.03)
    if rng.random() < 0.2:
        more += ["--max-iterations", str(int(rng.integers(1, 60)))]
    run["more"] = more
    return run


def write_matrices(rng, run, mask, matrices, folder):
    """The input file in the run's form: NPZ of one pattern with the values of all systems, or dense NPY."""
    if run["file"] == "dense":
        name = os.path.join(folder, "a.npy")
        np.save(name, matrices)
        return name
    name = os.path.join(folder, "a.npz")
    shape = np.array(mask.shape)
    if run["file"] == "ell":
        width = int(mask.sum(axis=1).max())
        columns = np.full((width, mask.shape[0]), -1, dtype=np.int64)
        values = np.zeros((run["systems"], width, mask.shape[0]), dtype=matrices.dtype)
        for row in range(mask.shape[0]):
            at = np.flatnonzero(mask[row])
            columns[:at.size, row] = at
            values[:, :at.size, row] = matrices[:, row, at]
        np.savez(name, columns=columns, values=values)
        return name
    rows, columns = np.nonzero(mask)
    if run["file"] == "coo":
        order = rng.permutation(rows.size)
        rows, columns = rows[order], columns[order]
        np.savez(name, format=np.array(b"coo"), row=rows.astype(np.int32), col=columns.astype(np.int32), shape=shape,
                 values=np.ascontiguousarray(matrices[:, rows, columns]), data=matrices[0, rows, columns])
        return name
    if run["file"] == "csc":
        order = np.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
    outer = columns if run["file"] == "csc" else rows
    inner = rows if run["file"] == "csc" else columns
    starts = np.concatenate([[0], np.cumsum(np.bincount(outer, minlength=mask.shape[0]))])
    np.savez(name, format=np.array(run["file"].encode()), indices=inner.astype(np.int32), indptr=starts.astype(np.int32), shape=shape,
             values=np.ascontiguousarray(matrices[:, rows, columns]), data=matrices[0, rows, columns])
    return name


def write_vectors(rng, name, array, folder):
    """An array of shape (systems, rows, columns) as .npy, or by chance, where all are finite, as the columns of a MatrixMarket file."""
    if rng.random() < 0.7 or not np.isfinite(array).all():
        path = os.path.join(folder, name + ".npy")
        np.save(path, array if array.shape[2] > 1 else array[:, :, 0])
        return path
    path = os.path.join(folder, name + ".mtx")
    values = array.transpose(0, 2, 1).ravel()
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"%%MatrixMarket matrix array {'complex' if np.iscomplexobj(array) else 'real'} general\n")
        file.write(f"{array.shape[1]} {array.shape[0] * array.shape[2]}\n")
        for value in values:
            file.write(f"{value.real:.17g} {value.imag:.17g}\n" if np.iscomplexobj(array) else f"{value:.17g}\n")
    return path


def residuals_of(run, matrices, rhs, x):
    """||b - op(A) x|| of each system and column in extended precision, and by how much rounding may move it: of a double, or in f32
    of A, b and x as that holds them."""
    wide = np.clongdouble if np.iscomplexobj(matrices) or np.iscomplexobj(x) else np.longdouble
    operator = matrices
    if run["op"]:
        operator = operator.transpose(0, 2, 1)
    if run["op"] == "--adjoint":
        operator = operator.conj()
    difference = rhs.astype(wide) - np.einsum("sij,sjk->sik", operator.astype(wide), x.astype(wide))
    norms = np.sqrt((np.abs(difference) ** 2).sum(axis=1)).astype(np.float64)
    weight = np.abs(rhs) + np.einsum("sij,sjk->sik", np.abs(operator).astype(np.longdouble), np.abs(x.astype(wide)))
    epsilon = float(np.finfo(np.float32 if run["precision"] == "f32" else np.float64).eps)
    slack = epsilon * (operator.shape[1] + 4) * np.sqrt((weight ** 2).sum(axis=1)).astype(np.float64)
    return norms, slack


class Wrong(Exception):
    pass


def judge(run, matrices, rhs, guess, tolerances, result, folder):
    """(converged, systems and columns); raises Wrong with what is not true."""
    report = os.path.join(folder, "report.tsv")
    solution = os.path.join(folder, "x.npy")
    lines = [line for line in result.stderr.splitlines() if line.startswith("portable-hpc")]
    if not os.path.exists(report):
        if result.returncode not in (1, 2) or len(lines) != 1:
            raise Wrong(f"exit code {result.returncode}: {result.stderr.strip()[-300:]}")
        if os.path.exists(solution):
            raise Wrong("refused, and yet x.npy is there")
        return None, lines[0].split(": ", 1)[1]
    with open(report, encoding="utf-8") as table:
        head = table.readline().rstrip("\n").split("\t")
        rows = [dict(zip(head, line.rstrip("\n").split("\t"))) for line in table]
    x = np.load(solution)
    x = x.reshape(run["systems"], x.shape[1], -1)
    if x.shape != rhs.shape or len(rows) != rhs.shape[0] * rhs.shape[2]:
        raise Wrong(f"shape {x.shape} of x, {len(rows)} rows of the report, for right-hand sides of shape {rhs.shape}")
    with np.errstate(all="ignore"):
        norms, slack = residuals_of(run, matrices, rhs, x)
        start = np.zeros_like(rhs) if guess is None else np.where(np.isfinite(guess).all(axis=1, keepdims=True), guess, 0)
        initial, _ = residuals_of(run, matrices, rhs, start)
    sizes = {"rhs": np.linalg.norm(rhs, axis=1), "initial": initial, "absolute": np.ones_like(initial)}[run["tol_kind"]]
    limits = tolerances[:, None] * sizes
    converged = 0
    for row in rows:
        at = int(row["system"]), int(row.get("rhs", 0))
        said = float(row["residual"])
        name = f"system {at[0]}, column {at[1]}"
        if row["status"] == "converged":
            converged += 1
            if not norms[at] <= limits[at] * (1 + 1e-12) + slack[at]:
                raise Wrong(f"{name}: converged with residual {norms[at]:.3g} over {limits[at]:.3g}")
        if np.isfinite(said) and np.isfinite(norms[at]) and not abs(said - norms[at]) <= 1e-9 * norms[at] + slack[at]:
            raise Wrong(f"{name}: the report says residual {said:.6g}, which is {norms[at]:.6g}")
        if guess is not None and run["guess"] == "right" and initial[at] + slack[at] < 0.5 * limits[at] and int(row["iterations"]) != 0:
            raise Wrong(f"{name}: {row['iterations']} iterations from a guess of residual {initial[at]:.3g}, tolerance {limits[at]:.3g}")
    expected = 0 if converged == len(rows) else 1
    if result.returncode != expected:
        raise Wrong(f"exit code {result.returncode} with {converged} of {len(rows)} converged: {result.stderr.strip()[-200:]}")
    return converged, len(rows)


def one_run(options, number):
    seed = options.seed * 1_000_003 + number
    rng = np.random.default_rng(seed)
    run = draw_run(rng, number, options.device[number % len(options.device)])
    mask, matrices = draw_matrices(rng, run)
    rows = mask.shape[0]
    shape = (run["systems"], rows, run["columns"])
    is_complex = run["numbers"] == "complex"

    def vectors():
        return rng.uniform(-1, 1, shape) + (1j * rng.uniform(-1, 1, shape) if is_complex else 0)

    rhs = vectors()
    guess = None
    if run["guess"]:
        guess = vectors()
        if run["guess"] == "right":  # right for the operator that is solved
            operator = matrices if not run["op"] else matrices.transpose(0, 2, 1)
            operator = operator.conj() if run["op"] == "--adjoint" else operator
            rhs = operator @ guess
        elif run["guess"] == "zero":
            guess[:] = 0
        elif run["guess"] == "nan":
            guess[rng.integers(0, run["systems"]), rng.integers(0, rows)] = np.nan
    if run["zero_rhs"] and run["guess"] != "right":
        rhs[0] = 0
    tolerances = np.full(run["systems"], run["tolerance"])
    folder = os.path.join(options.keep, f"run-{number}") if options.keep else tempfile.mkdtemp(prefix="campaign-")
    os.makedirs(folder, exist_ok=True)
    try:
        words = [options.program, "batch", write_matrices(rng, run, mask, matrices, folder), "--solver", run["solver"],
                 "--precision", run["precision"], "--device", run["device"], "--tol", repr(run["tolerance"]), "--tol-kind", run["tol_kind"],
                 "-q", "-o", os.path.join(folder, "x.npy"), "--report", os.path.join(folder, "report.tsv"), *run["more"]]
        if run["precond"]:
            words += ["--precond", run["precond"]]
        for name, array in (("rhs", rhs), ("guess", guess)):
            if array is not None:
                words += ["--" + name, write_vectors(rng, name, array, folder)]
        if run["per_system"]:
            tolerances = tolerances * 10.0 ** rng.uniform(-1, 1, run["systems"])
            np.save(os.path.join(folder, "tolerances.npy"), tolerances)
            at = words.index("--tol")
            words[at:at + 2] = ["--tolerances", os.path.join(folder, "tolerances.npy")]
        if options.keep:
            with open(os.path.join(folder, "command"), "w", encoding="utf-8") as file:
                file.write(" ".join(words) + "\n")
        result = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        verdict, detail, converged, of = "true", "", "", ""
        try:
            converged, of = judge(run, matrices, rhs, guess, tolerances, result, folder)
            if converged is None:
                verdict, detail, converged, of = "refused", of, "", ""
        except Wrong as wrong:
            verdict, detail = "WRONG", str(wrong)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    more = " ".join(run["more"]) + (f" guess {run['guess']}" if run["guess"] else "") + (" tolerances" if run["per_system"] else "")
    row = {"run": number, "seed": seed, "rows": rows, "entries": int(mask.sum()), "more": f"{run['tol_kind']} {more}".strip(),
           "exit": result.returncode, "converged": converged, "of": of, "verdict": verdict, "detail": detail}
    return {**{name: run.get(name, "") for name in COLUMNS}, **row}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default="build/bin/portable-hpc")
    parser.add_argument("--device", action="append", help="as portable-hpc takes it; several times: in turn (default: host)")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the run of this number alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tsv", help="a row for each run")
    parser.add_argument("--keep", help="folder that keeps each run's files")
    options = parser.parse_args()
    options.device = options.device or ["host"]
    numbers = [options.only] if options.only is not None else range(options.runs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda number: one_run(options, number), numbers))
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as table:
            table.write("\t".join(COLUMNS) + "\n")
            for row in rows:
                table.write("\t".join(str(row[name]) for name in COLUMNS) + "\n")
    verdicts = collections.Counter(row["verdict"] for row in rows)
    solved = [row for row in rows if row["verdict"] == "true"]
    print(f"seed {options.seed}: {len(rows)} runs: {verdicts['true']} true ({sum(row['converged'] for row in solved)} of "
          f"{sum(row['of'] for row in solved)} systems converged), {verdicts['refused']} refused, {verdicts['WRONG']} WRONG")
    for row in rows:
        if row["verdict"] == "WRONG":
            print(f"  run {row['run']}: {row['kind']}:{row['rows']} {row['numbers']} {row['file']} {row['solver']} {row['precond']} "
                  f"{row['precision']} {row['device']} {row['more']}: {row['detail']}")
    sys.exit(1 if verdicts["WRONG"] else 0)


if __name__ == "__main__":
    main()
