#!/usr/bin/env python3
"""Puts the same table of several machines' reports into one picture.

    data/report/merge.py a/sycl-fft-fig-3.tsv b/sycl-fft-fig-3.tsv -o both     # both.tsv and both.svg

A device that two of the files have, such as the host, is told apart by its machine's name, or else by the number of the file.
"""
import argparse
import sys

sys.dont_write_bytecode = True  # the folder is installed as it is

import debian_python  # noqa: E402
from tables import Table, TableError, read_table  # noqa: E402


def fail(text):
    sys.exit(f"merge: {text}")


def merged(tables, paths):
    """One table of all rows. Throws TableError where the files are not of one kind."""
    first = tables[0]
    for table, path in zip(tables[1:], paths[1:]):
        for what, here, there in (("item", table.head.get("item"), first.head.get("item")),
                                  ("columns", table.columns, first.columns)):
            if here != there:
                raise TableError(f"'{path}' and '{paths[0]}' are not of one table: their {what} differ ({here} and {there})")
    if not first.plot:
        raise TableError(f"'{paths[0]}' has no picture; give tables that the report has drawn")
    columns = first.columns
    owner = "device" if "device" in columns else None
    seen = [set(table.column(owner)) if owner else set() for table in tables]
    machines = [table.head.get("machine", "") for table in tables]
    rows = []
    for number, table in enumerate(tables):
        others = set().union(*(devices for at, devices in enumerate(seen) if at != number))
        mark = machines[number] if machines[number] and machines.count(machines[number]) == 1 else f"file {number + 1}"
        for row in table.rows:
            row = list(row)
            if owner and row[columns.index(owner)] in others:
                row[columns.index(owner)] += f", {mark}"
            rows.append(row if owner else [mark] + row)
    plot = dict(first.plot)
    if not owner:
        columns = ["machine"] + columns
        plot["by"] = ["machine"] + plot.get("by", [])
    head = {**first.head, "machine": "; ".join(dict.fromkeys(machines)), "plot": plot}
    for key in ("program", "date", "sizes"):
        if key in head:
            head[key] = "; ".join(dict.fromkeys(table.head.get(key, "") for table in tables))
    return Table(columns, rows, **head)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="A.tsv", help="tables of one item, as report.py writes them")
    parser.add_argument("-o", "--output", help="what the results are called, without ending (merged-ITEM)")
    options = parser.parse_args(arguments)
    debian_python.ensure("merge")
    try:
        together = merged([read_table(path) for path in options.tables], options.tables)
        import figures
        svg = figures.draw(together)
        stem = options.output or "merged-" + str(together.head.get("item", "tables"))
        together.write(stem + ".tsv")
        with open(stem + ".svg", "w", encoding="utf-8") as out:
            out.write(svg)
    except TableError as error:
        fail(error)
    except OSError as error:
        fail(f"cannot write '{error.filename}' ({error.strerror})")
    print(f"{stem}.tsv, {stem}.svg: {len(together.rows)} rows of {len(options.tables)} files")


if __name__ == "__main__":
    main(sys.argv[1:])
