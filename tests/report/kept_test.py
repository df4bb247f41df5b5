#!/usr/bin/env python3
"""kept_test.py SOURCE PROGRAM: what the report keeps of a run and draws again, and what it does where something lacks."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from report_test import PROGRAM, SOURCE, TWO_GPUS, script, text_of

import figures  # noqa: E402  (of the report, as report_test has set the path)
from runner import Runner  # noqa: E402
from sycl_fft_spectra import verdict  # noqa: E402
from tables import Table, read_table  # noqa: E402


class Kept(unittest.TestCase):
    """Runs of the chapter on off-target search, which are the shortest, and what --reuse makes of them."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, "out")
        self.page = os.path.join(self.out, "index.html")

    def program(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755)
        return path

    def report(self, *options, program=PROGRAM, only="casoff", environment=None):
        return script("report.py", "--smoke", "--program", program, "--out", self.out, "--only", only, *options,
                      environment=environment)

    def change_raw(self, change):
        for name in os.listdir(os.path.join(self.out, "raw")):
            path = os.path.join(self.out, "raw", name)
            fields = json.loads(text_of(path))
            change(name, fields)
            with open(path, "w", encoding="utf-8") as out:
                json.dump(fields, out)

    def test_numbers_keep_their_dates_and_their_machine(self):
        self.assertEqual(self.report().returncode, 0)

        def older(name, fields):
            if name == "machine.json":
                fields["load"] = "7.7 8.8 9.9"
            else:
                is_new = name.startswith(("version", "devices"))
                fields["date"] = ("2002-03-04" if is_new else "2001-02-03") + "T04:05:06+00:00"
        self.change_raw(older)
        run = self.report("--reuse")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "")  # nothing ran
        text = text_of(self.page)
        self.assertIn("<td>2001-02-03 to 2002-03-04</td>", text)
        self.assertIn("7.7 8.8 9.9", text)
        self.assertEqual(read_table(os.path.join(self.out, "casoff-table-8.tsv")).head["date"], "2001-02-03")

    def test_another_machine_is_refused(self):
        self.assertEqual(self.report().returncode, 0)
        self.change_raw(lambda _, fields: fields.update(machine="Another, 1024 threads"))
        before = text_of(self.page)
        run = self.report("--reuse")
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn("Another, 1024 threads", run.stderr)
        self.assertEqual(text_of(self.page), before)

    def test_another_program_gets_its_genome(self):
        self.assertEqual(self.report().returncode, 0)
        other = self.program("other", f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n')
        run = self.report("--reuse", program=other)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("portable-hpc", read_table(os.path.join(self.out, "casoff-table-8.tsv")).column("program"))
        self.assertNotIn("Nothing of random", text_of(self.page))

    def test_a_run_that_was_lost_gets_its_genome(self):
        self.assertEqual(self.report().returncode, 0)
        os.unlink(os.path.join(self.out, "raw", "casoff-random-0-2-million-bases-host-1.json"))
        run = self.report("--reuse")
        self.assertEqual(run.stderr.count("report: "), 1, run.stderr)
        self.assertEqual({row[3] for row in read_table(os.path.join(self.out, "casoff-table-8.tsv")).rows}, {"2"})

    def test_files_of_a_user_by_their_names(self):
        genome = os.path.join(self.folder.name, "a genome.fa")
        shutil.copy(os.path.join(SOURCE, "data/casoff/genome.fa"), genome)
        run = self.report("--hg19", genome, "--hg38=" + genome)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = text_of(self.page)
        self.assertNotIn(self.folder.name, text)
        self.assertIn("--hg38=a genome.fa", text)

    def test_words_of_commands(self):
        runner = Runner("/opt/x/bin/portable-hpc", None, self.out)
        self.addCleanup(runner.close)
        for words, shown in ((["/opt/x/bin/portable-hpc", "fft", "/home/me/a.npy"], "portable-hpc fft a.npy"),
                             (["/opt/llvm/bin/clang++", "-I" + SOURCE + "/include", "-L/opt/x/lib", "-Wl,-rpath,/opt/x/lib"],
                              "clang++ -Iinclude -LPREFIX/lib -Wl,-rpath,PREFIX/lib"),
                             (["/opt/x/bin/bench_exec", "--benchmark_filter=^a/1/", "--benchmark_out=/home/me/b.json"],
                              "bench_exec '--benchmark_filter=^a/1/' --benchmark_out=b.json")):
            self.assertEqual(" ".join(runner.shown_words(words)), shown)
        self.assertEqual(runner.shortened("cannot open '/home/me/x.fa': 3 and/or 4"), "cannot open 'x.fa': 3 and/or 4")

    def test_drivers_and_rows_that_say_nothing(self):
        for answer in ("[N/A], [N/A]", "1980, [Not Supported]", "", "unknown"):
            self.program("nvidia-smi", f"#!/bin/sh\necho 'NVIDIA Test, {answer}'\n")
            # The first row of one device is missing.
            two = TWO_GPUS.replace('"rows": rows + [', '"rows": rows[1:] + [')
            self.assertNotEqual(two, TWO_GPUS)
            run = self.report(program=self.program("two", two.replace("PYTHON", sys.executable).replace("PROGRAM", PROGRAM)),
                              only="batch" if "1980" in answer else "casoff",
                              environment={"PATH": self.folder.name + ":" + os.environ["PATH"]})
            self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        self.assertRegex(text_of(os.path.join(self.out, "batch-table-5.tsv")),
                         r"NVIDIA Test \(0\)\t1980\t.*not told by the driver\t")
        self.assertEqual(len(read_table(os.path.join(self.out, "batch-fig-5a-speed-up.tsv")).rows), 3)

    def test_systems_that_are_shipped(self):
        self.assertEqual(self.report(only="batch").returncode, 0)
        row = read_table(os.path.join(self.out, "batch-table-4.tsv")).rows[-1]
        folders = [name for name in os.listdir(os.path.join(SOURCE, "data/batch")) if name.isdigit()]
        self.assertEqual(row[0], "data/batch")
        self.assertTrue(row[4].startswith(f"shipped: {len(folders)} systems"), row)
        sizes = re.search(r"^(\d+) \1 (\d+)$", text_of(os.path.join(SOURCE, "data/batch/0/A.mtx")), re.MULTILINE)
        self.assertEqual(row[5:], [sizes.group(1), sizes.group(2)])


class Verdict(unittest.TestCase):
    """What is said of the statistic, by made rows."""

    def test_words(self):
        def said(right, fault):
            return verdict(Table(["device", "spectrum", "a", "b", "c", "d"],
                                 [["X", "ours", 0, 1, *right], ["X", "ours, reversed", 0, 1, *fault]]))
        self.assertEqual(said((0.2, 1.0), (1e9, 0.0)), "Ours have that here. It saw all faults here.")
        self.assertEqual(said((3.0, 0.0), (1e9, 0.0)), "Ours have not, on X. It saw all faults here.")
        self.assertIn("did not see here: ours, reversed on X", said((0.2, 1.0), (0.2, 1.0)))


class Recorded(unittest.TestCase):
    """Tables of other devices, which the report shows apart."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recorded = os.path.join(SOURCE, "data/report/recorded")

    def test_each_says_what_it_is_of(self):
        names = sorted(os.listdir(self.recorded))
        self.assertGreater(len(names), 10)
        for name in names:
            table = read_table(os.path.join(self.recorded, name))
            self.assertTrue(name.startswith(table.head.get("item", "?")), name)
            for key in ("title", "device", "note"):
                self.assertTrue(table.head.get(key), f"{name} does not say its {key}")
            self.assertRegex(table.head.get("date", ""), r"^20\d\d-\d\d-\d\d", name)
            self.assertTrue(any(re.fullmatch(r"-?[\d.]+(e-?\d+)?", str(field)) for row in table.rows for field in row) or
                            name == "readme-words.tsv", f"{name} has no numbers")

    def test_a_number_changes_the_picture(self):
        drawn = 0
        for name in sorted(os.listdir(self.recorded)):
            table = read_table(os.path.join(self.recorded, name))
            if not table.plot:
                continue
            before = figures.draw(table)
            xml.etree.ElementTree.fromstring(before)
            at = table.columns.index("GFLOP_per_s" if table.plot["kind"] == "roofline" else table.plot["y"])
            table.rows[-1][at] = str(1.5 * float(table.rows[-1][at]) + 0.1)
            self.assertFalse(figures.draw(table) == before, f"{name} is drawn the same")
            drawn += 1
        self.assertGreater(drawn, 2)

    def test_unreadable_ones_leave_the_report_whole(self):
        copy = os.path.join(self.folder.name, "data/report")
        shutil.copytree(os.path.join(SOURCE, "data/report"), copy, ignore=shutil.ignore_patterns("__pycache__"))
        broken = {"sycl-fft-table-2": b"\xff\xfe", "sycl-fft-fig-2-once": b"", "resyclator-speed": b"# item: x\nprograms\n1\n",
                  "tfjs-error": b"a\tb\n1\n", "benchmarks": b"what\n1\n"}
        for name, text in broken.items():
            with open(os.path.join(copy, "recorded", name + ".tsv"), "wb") as out:
                out.write(text)
        os.remove(os.path.join(copy, "recorded/readme-words.tsv"))
        out = os.path.join(self.folder.name, "out")
        command = [sys.executable, os.path.join(copy, "report.py"), "--smoke", "--program", PROGRAM, "--out", out]
        run = subprocess.run([*command, "--only", "sycl_fft,resyclator,tfjs,quoted"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        text = text_of(os.path.join(out, "index.html"))
        for name in broken:
            self.assertRegex(text, f"(Nothing recorded can be shown|Not to be made): [^<]*{name}.tsv", name)
        self.assertIn("Of another device nothing is recorded (readme-words.tsv)", text)
        self.assertNotIn(copy, text)

    def test_tables_of_a_report_are_recorded(self):
        table = Table(["device", "length", "time_us"], [["X (0)", 8, 1.5], ["X (0)", 16, 2.5]], item="sycl-fft-fig-9",
                      title="A title", machine="a machine", program="portable-hpc 9", date="2026-01-02", sizes="full",
                      plot={"kind": "lines", "x": "length", "y": "time_us", "by": ["device"]})
        path = os.path.join(self.folder.name, "x.tsv")
        table.write(path)
        run = script("record.py", path, "--device", "X, driver 1", "--note", "As one runs it.", "--into", self.folder.name)
        self.assertEqual(run.returncode, 0, run.stderr)
        kept = read_table(os.path.join(self.folder.name, "sycl-fft-fig-9.tsv"))
        self.assertEqual((kept.head["device"], kept.head["date"]), ("X, driver 1", "2026-01-02"))
        self.assertEqual(kept.head["note"], "As one runs it. portable-hpc 9, full sizes.")
        self.assertEqual((kept.rows, kept.plot), (read_table(path).rows, table.plot))
        table.head["sizes"] = "smoke"
        table.write(path)
        several = [path, path, "--name", "y"]
        for words, what in (([path], "smoke run"), ([path + "x"], "cannot open"), (several, "--name is of one")):
            run = script("record.py", *words, "--device", "X", "--into", self.folder.name)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(what, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
