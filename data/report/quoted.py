#!/usr/bin/env python3
"""The numbers that the README quotes, from recorded/*.tsv: a chapter of the report and, as a program, the README's table.

    data/report/quoted.py             # the table of the section "Measured", in Markdown

A test sees that the README's table is this one, and that each number with a unit in its text is in recorded/readme-words.tsv.
"""
import os
import sys

sys.dont_write_bytecode = True  # the folder is installed as it is

from tables import Table, TableError, read_table  # noqa: E402

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")

# What, the recorded table, the column of numbers, its unit, the rows of ours and of theirs, what theirs is called.
QUOTED = [
    ("100 guides, 5 mismatches, 200 million bases of FASTA, two cores", "casoff-table-8-host", "cpu_s", "s of CPU",
     {"program": "portable-hpc", "guides": 100}, {"program": "Cas-OFFinder 2.4.1", "guides": 100}, "Cas-OFFinder 2.4.1"),
    ("the same in a billion bases, H200, the whole process", "casoff-table-8", "seconds", "s",
     {"program": "portable-hpc", "genome": "1.04 billion bases of FASTA", "guides": 100},
     {"program": "Cas-OFFinder 2.4.1", "guides": 100}, "Cas-OFFinder 2.4.1"),
    ("131 072 stencils of 64 rows by `cg`, double, H200", "batch-fig-4a", "time_ms", "ms",
     {"program": "portable-hpc", "solver": "cg", "rows": 64}, {"program": "Ginkgo", "solver": "cg", "rows": 64}, "Ginkgo"),
    ("131 072 systems of gri30 by `bicgstab` with `jacobi`, double, H200", "batch-fig-6", "time_ms", "ms",
     {"method": "bicgstab with jacobi", "set": "gri30"}, {"method": "Ginkgo, the same", "set": "gri30"}, "Ginkgo"),
]


def recorded(name):
    return read_table(os.path.join(RECORDED, name + ".tsv"))


def only(table, column, wanted):
    """The one field of a column in the row that has the wanted values. Throws TableError."""
    found = table.where(**wanted).column(column)
    if len(found) != 1:
        raise TableError(f"{len(found)} rows of a recorded table have {wanted}, and the README quotes one")
    return found[0]


def ratio_of(theirs, ours):
    ratio = float(theirs) / float(ours)
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"


def quoted_table():
    """Rows (what, portable-hpc, beside it, ratio, recorded in). Throws TableError."""
    table = Table(["what", "portable-hpc", "beside it", "ratio", "recorded in"])
    benchmarks = recorded("benchmarks")
    if len(benchmarks.columns) != 8:
        raise TableError(f"'benchmarks.tsv' has {len(benchmarks.columns)} columns in place of 8")
    for what, device, _, unit, ours, beside, theirs, ratio in benchmarks.rows:
        table.add(f"{what}, {device}", f"{ours} {unit}".strip(), beside + (f" {theirs} {unit}" if theirs else ""),
                  ratio or ratio_of(theirs, ours), "benchmarks")
    for what, name, column, unit, of_ours, of_theirs, beside in QUOTED:
        numbers = recorded(name)
        ours, theirs = (only(numbers, column, wanted) for wanted in (of_ours, of_theirs))
        table.add(what, f"{ours} {unit}", f"{beside} {theirs} {unit}", ratio_of(theirs, ours), name)
    return table


def markdown(table):
    lines = ["| " + " | ".join(table.columns) + " |", "|" + "---|" * len(table.columns)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in table.rows]) + "\n"


def chapter(page, here):
    one = page.chapter("readme", "The README's numbers",
                       "Every number that the README quotes, and where it comes from; a test holds the README to these tables.")
    item = one.item("readme-measured", "The table of what was measured")
    try:
        item.table(quoted_table(), caption="`recorded in` names the files of data/report/recorded, in dashed boxes on this page")
    except TableError as error:
        item.missing(f"Not to be made: {error}.".replace(RECORDED + os.sep, ""))
    item.recorded("benchmarks")
    item = one.item("readme-words", "Numbers in its text")
    item.recorded("readme-words")


if __name__ == "__main__":
    try:
        sys.stdout.write(markdown(quoted_table()))
    except TableError as error:
        sys.exit(f"quoted: {error}")
