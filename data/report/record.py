#!/usr/bin/env python3
"""Keeps tables of a report among the recorded ones, which reports of other machines show in dashed boxes.

    data/report/record.py full/sycl-fft-fig-2.tsv full/sycl-fft-fig-3.tsv --device 'NVIDIA H100, driver 580'
    data/report/record.py a/sycl-fft-fig-2-0.tsv --name sycl-fft-fig-2 --device 'NVIDIA H100' --note 'Quick sizes.'

Item, title, picture, numbers and date are the table's; which device they are of is said, for a table may have several.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True  # the folder is installed as it is

from tables import Table, TableError, read_table  # noqa: E402

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")


def fail(text):
    sys.exit(f"record: {text}")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="A.tsv", help="tables as report.py writes them")
    parser.add_argument("--device", required=True, help="what was measured, as in 'NVIDIA H100, driver 580'")
    parser.add_argument("--note", default="", help="what a reader must know of how")
    parser.add_argument("--name", help="what the one table is called among the recorded ones (its item)")
    parser.add_argument("--into", default=RECORDED, help="folder (%(default)s)")
    options = parser.parse_args(arguments)
    if options.name and len(options.tables) > 1:
        fail("--name is of one table, and there are several")
    try:
        for path in options.tables:
            table = read_table(path)
            name = options.name or table.head.get("item", "")
            if not name or "date" not in table.head:
                raise TableError(f"'{path}' says no item or no date; give tables that report.py has written")
            if table.head.get("sizes") == "smoke":
                raise TableError(f"'{path}' is of a smoke run, whose numbers are not to be quoted")
            how = ", ".join(filter(None, [table.head.get("program"), f"{table.head.get('sizes', 'other')} sizes"]))
            note = f"{options.note} {how}.".strip()
            head = {"item": name, "title": table.head.get("title", name), "device": options.device, "date": table.head["date"],
                    "note": note, **({"plot": table.plot} if table.plot else {})}
            target = os.path.join(options.into, name + ".tsv")
            Table(table.columns, table.rows, **head).write(target)
            print(f"{target}: {len(table.rows)} rows")
    except TableError as error:
        fail(error)
    except OSError as error:
        fail(f"cannot write '{error.filename}' ({error.strerror})")


if __name__ == "__main__":
    main(sys.argv[1:])
