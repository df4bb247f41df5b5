#!/usr/bin/env python3
"""roofline_test.py SOURCE PROGRAM: what the report's roofline makes of rows that `batch --bench` tells and of measured peaks."""
import os
import tempfile
import unittest
import xml.etree.ElementTree
from types import SimpleNamespace

import report_test  # noqa: F401  (sets the path of the report's modules)

import figures  # noqa: E402
from batch_figures import roofline  # noqa: E402
from tables import Table, TableError, read_table  # noqa: E402


class Roofline(unittest.TestCase):
    """What Fig. 8 of the batched solvers makes of what it is given."""

    ROW = {"gflop_per_s": 20, "flops": 1e6, "systems": 1000, "flop_per_memory_byte": 8, "flop_per_cache_byte": 0.5,
           "flop_per_scratch_byte": 0.25}
    PEAKS = {"memory_GB_per_s": 10, "cache_32_KiB_GB_per_s": 80, "scratch_GB_per_s": 160, "f64_GFLOP_per_s": 50}

    @staticmethod
    def of(row, peaks, is_host=False):
        return roofline(SimpleNamespace(shown="device", label="0", is_host=is_host), [("cg", row)], peaks)

    def test_points_are_held_against_the_roofs_of_their_levels(self):
        table = self.of(self.ROW, self.PEAKS)
        points = {row[table.columns.index("level")]: dict(zip(table.columns, row)) for row in table.where(kind="point").rows}
        self.assertEqual({level: point["percent_of_roof"] for level, point in points.items()},
                         {"memory": 25, "cache": 50, "scratch": 50})
        self.assertEqual(points["cache"]["GB_of_the_batch"], 2)
        self.assertEqual(table.where(kind="bandwidth").column("level"), ["memory", "cache", "scratch"])

    def test_a_host_has_no_roof_of_scratch(self):
        table = self.of({**self.ROW, "flop_per_scratch_byte": None}, self.PEAKS, is_host=True)
        self.assertNotIn("scratch", table.column("level"))

    def test_without_roofs_the_points_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "roofline.tsv")
            self.of(self.ROW, {}).write(path)
            xml.etree.ElementTree.fromstring(figures.draw(read_table(path)))

    def test_rows_and_tables_without_counts(self):
        table = self.of({"median_ms": 3}, self.PEAKS)
        self.assertNotIn("point", table.column("kind"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "old.tsv")
            Table(["kind", "name", "operations_per_byte", "GFLOP_per_s"], [["point", "cg", 1, 2]],
                  plot={"kind": "roofline"}).write(path)
            with self.assertRaisesRegex(TableError, "column 'level', which is not there"):
                read_table(path)


if __name__ == "__main__":
    unittest.main(argv=["roofline_test.py"], verbosity=1)
