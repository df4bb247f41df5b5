#!/usr/bin/env python3
"""report_test.py SOURCE PROGRAM: makes the report in its smallest sizes with PROGRAM, and looks at what came of it."""
import html.parser
import importlib.util
import json
import math
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

DEBIAN = "/usr/bin/python3"
if any(importlib.util.find_spec(name) is None for name in ("numpy", "matplotlib")):
    if os.access(DEBIAN, os.X_OK) and "PHPC_REPORT_PYTHON" not in os.environ:
        os.environ["PHPC_REPORT_PYTHON"] = "tests"
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print("skipped: Python has no matplotlib or no numpy here; .ci/setup report installs python3-matplotlib and python3-numpy")
    sys.exit(0)

SOURCE, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
REPORT = os.path.join(SOURCE, "data/report")
sys.path.insert(0, REPORT)
sys.dont_write_bytecode = True
os.environ.pop("PHPC_REPORT_PYTHON", None)
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

import figures  # noqa: E402  (of the report)
from chi_squared import chi_squared_tail  # noqa: E402
from gpu_images import kernels_of, occupancy  # noqa: E402
from tables import read_table, to_number  # noqa: E402

ITEMS = (["sycl-fft-table-1", "sycl-fft-table-2", "sycl-fft-chi2"] + [f"sycl-fft-fig-{number}" for number in range(1, 7)] +
         ["resyclator-table", "resyclator-listings", "resyclator-matmul", "resyclator-speed"] +
         ["tfjs-example", "tfjs-matrix", "tfjs-calls", "tfjs-error"] +
         ["casoff-tables-1-6", "casoff-table-7", "casoff-table-8", "casoff-table-9", "casoff-table-10", "casoff-fig-2",
          "casoff-share"] +
         [f"batch-table-{number}" for number in range(1, 7)] +
         ["batch-fig-1", "batch-fig-2", "batch-fig-3", "batch-fig-4a", "batch-fig-4b"] +
         ["batch-fig-5a", "batch-fig-5b"] + [f"batch-fig-6{letter}" for letter in "abcde"] + ["batch-fig-7", "batch-fig-8"] +
         ["readme-measured", "readme-words"])
# Pictures that are there on every machine.
PICTURES = ["sycl-fft-fig-1", "sycl-fft-fig-2", "sycl-fft-fig-3", "sycl-fft-fig-4", "sycl-fft-fig-6-series", "tfjs-matrix-16",
            "tfjs-calls", "tfjs-error", "casoff-fig-2", "casoff-fig-2-elapsed", "casoff-share-percent", "batch-fig-1", "batch-fig-2",
            "batch-fig-3", "batch-fig-4a", "batch-fig-4b", "batch-fig-6a", "batch-fig-6e", "batch-fig-7", "batch-fig-8"]
VOID = {"meta", "br", "hr", "img", "link", "input", "col"}


def script(name, *arguments, environment=None, options=()):
    return subprocess.run([sys.executable, *options, os.path.join(REPORT, name), *arguments], capture_output=True, text=True,
                          check=False, env={**os.environ, **(environment or {})})


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Markup(html.parser.HTMLParser):
    """Finds elements that are not closed in their order, identifiers, and links that leave the page."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.identifiers, self.outside = [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.note(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        self.note(tag, attributes)

    def note(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.identifiers.append(value)
            if name in ("href", "src", "xlink:href") and re.match(r"\w+:|//", value or ""):  # no data: either, pictures are drawn
                self.outside.append(value)
        if tag in ("script", "link", "iframe"):
            self.outside.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append((self.getpos(), tag))


class Report(unittest.TestCase):
    """The page and the files beside it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = os.path.join(cls.folder.name, "out")
        cls.made = script("report.py", "--smoke", "--program", PROGRAM, "--out", cls.out)
        if cls.made.returncode != 0:
            raise AssertionError(f"the report ended with {cls.made.returncode}:\n{cls.made.stderr[-3000:]}")
        cls.html = text_of(os.path.join(cls.out, "index.html"))
        cls.tables = sorted(name for name in os.listdir(cls.out) if name.endswith(".tsv"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_item_is_in_the_page(self):
        markup = Markup()
        markup.feed(self.html)
        self.assertEqual(markup.faults, [])
        self.assertEqual(markup.open, [])
        self.assertEqual(markup.outside, [])
        self.assertEqual(len(markup.identifiers), len(set(markup.identifiers)), "identifiers that are there twice")
        for item in ITEMS + ["machine", "missing", "commands"]:
            self.assertIn(item, markup.identifiers)

    def test_every_item_shows_something(self):
        for item in ITEMS:
            section = re.search(rf'<section id="{item}">(.*?)</section>', self.html, re.DOTALL).group(1)
            self.assertRegex(section, "<table|<figure|<pre|class=\"none\"", item)

    def test_pictures_are_svg(self):
        inside = re.findall(r"<svg.*?</svg>", self.html, re.DOTALL)
        self.assertGreater(len(inside), len(PICTURES))
        for svg in inside:
            xml.etree.ElementTree.fromstring(svg)
        for name in PICTURES:
            root = xml.etree.ElementTree.fromstring(text_of(os.path.join(self.out, name + ".svg")))
            self.assertTrue(root.tag.endswith("svg"))
            self.assertEqual(root.attrib["width"], "244.8pt", name)  # a printed column

    def test_tables_parse_and_their_pictures_show_numbers(self):
        self.assertGreater(len(self.tables), 40)
        drawn = 0
        for name in self.tables:
            table = read_table(os.path.join(self.out, name))
            self.assertIn("date", table.head, name)
            if table.plot and table.plot.get("y"):
                numbers = [value for value in table.numbers(table.plot["y"]) if math.isfinite(value)]
                self.assertGreater(len(set(numbers)), 1, name)
                drawn += 1
        self.assertGreaterEqual(drawn, 12)

    def test_a_number_changes_its_picture_and_nothing_else_does(self):
        for name in PICTURES:
            path = os.path.join(self.out, name + ".tsv")
            table = read_table(path)
            self.assertTrue(figures.draw(table) == text_of(os.path.join(self.out, name + ".svg")),
                            f"{name} is not drawn the same again")
            column = table.plot.get("y") or {"butterfly": "to", "matrix": "re", "formats": "csr_place", "levels": "does",
                                             "roofline": "GFLOP_per_s"}[table.plot["kind"]]
            at = table.columns.index(column)
            row = next(row for row in table.rows if row[at] != "")
            row[at] = {"to": "5", "does": "another thing", "re": "0.3"}.get(column) or str(1.5 * to_number(row[at]) +
                                                                                           (1 if column == "csr_place" else 0.1))
            changed = os.path.join(self.folder.name, "changed.tsv")
            table.write(changed)
            self.assertFalse(figures.draw(read_table(changed)) == text_of(os.path.join(self.out, name + ".svg")),
                             f"{name} is drawn the same")

    def test_no_folder_of_this_machine_is_in_it(self):
        for folder in (SOURCE, os.path.dirname(PROGRAM), self.folder.name):
            self.assertNotIn(folder, self.html)
        self.assertEqual([name for name in os.listdir(self.out) if name.startswith("scratch")], [])

    def test_what_is_missing_is_said(self):
        devices = subprocess.run([PROGRAM, "devices", "--format", "tsv"], capture_output=True, text=True, check=True).stdout
        if not re.search(r"\t(nvidia|amd)\t", devices):
            self.assertGreater(self.html.count("No GPU here"), 10)
        said = json.loads(text_of(os.path.join(self.out, "raw/fft-bench-host.json")))["out"]
        beside = json.loads(said)["meta"]["bench"]["libraries"][0]
        if "library" in beside:
            self.assertIn(f"beside {beside['library']} {beside['version']}, f32, on host", self.html)
        else:
            self.assertGreater(self.html.count("FFTW was not found (libfftw3f.so.3; Debian: libfftw3-single3)"), 2)
        self.assertIn("Recorded, not measured in this run: NVIDIA H200", self.html)
        self.assertIn("not quoted", self.html)

    def test_the_roofline_has_each_solve_on_each_level(self):
        table = read_table(os.path.join(self.out, "batch-fig-8.tsv"))
        points = [dict(zip(table.columns, row)) for row in table.where(kind="point").rows]
        levels = {}
        for point in points:
            levels.setdefault(point["name"], set()).add(point["level"])
            self.assertAlmostEqual(float(point["GB_per_s"]) * float(point["operations_per_byte"]) / float(point["GFLOP_per_s"]), 1,
                                   delta=0.01)
        self.assertGreater(len(levels), 3)
        for name, of_name in levels.items():
            self.assertTrue({"memory", "cache"} <= of_name, name)
        self.assertGreater(len({point["operations_per_byte"] for point in points}), len(levels))

    def test_comparers_are_measured_by_the_program(self):
        def table_of(name):
            return read_table(os.path.join(self.out, name + ".tsv"))
        comparers = ["base", "opt1", "opt2", "opt3", "opt4", "ours"]
        bars = table_of("casoff-fig-2")
        devices = set(bars.column("device"))
        self.assertEqual(sorted(bars.column("comparer")), sorted(comparers * len(devices)))
        for column in ("seconds", "elapsed_seconds"):
            self.assertTrue(all(value > 0 for value in bars.numbers(column)), column)
            self.assertGreater(len(set(bars.numbers(column))), 1, column)
        self.assertTrue(all(part < whole for part, whole in zip(bars.numbers("seconds"), bars.numbers("elapsed_seconds"))))
        tuned = table_of("casoff-table-9")
        self.assertEqual(set(tuned.column("device")), devices)
        for row in tuned.rows:
            fields = dict(zip(tuned.columns, row))
            for base, other, ratio in (("base_s", "opt4_s", "speed_up"), ("base_s", "ours_s", "ours_speed_up"),
                                       ("comparer_base_s", "comparer_opt4_s", "comparer_speed_up")):
                self.assertAlmostEqual(float(fields[base]) / float(fields[other]), float(fields[ratio]), delta=0.01)
        share = table_of("casoff-share")
        self.assertEqual(sorted(share.column("comparer")), sorted(comparers * len(devices)))
        for row in share.rows:
            fields = dict(zip(share.columns, row))
            phases = sum(float(fields[name]) for name in ("set_up_s", "waiting_s", "upload_s", "finder_s", "comparer_s",
                                                          "download_s", "sites_s", "rows_s"))
            self.assertLessEqual(phases, 1.001 * float(fields["elapsed_s"]) + 1e-5, row)
            self.assertGreater(float(fields["reading_s"]), 0)
            self.assertAlmostEqual(float(fields["comparer_of_elapsed_percent"]),
                                   100 * float(fields["comparer_s"]) / float(fields["elapsed_s"]), delta=0.1)
        set_up = table_of("casoff-table-8")
        ours = [number for number, name in zip(set_up.numbers("least_s_set_up_excluded"), set_up.column("program"))
                if name == "portable-hpc"]
        self.assertTrue(ours and all(value > 0 for value in ours))
        if shutil.which("nm"):
            code = table_of("casoff-table-10")
            self.assertEqual(code.column("comparer"), comparers[:-1] + ["ours, all places", "ours, candidates"])
            self.assertGreater(len(set(code.numbers("host_code_bytes"))), 1)
            self.assertTrue(all(value > 100 for value in code.numbers("host_code_bytes")))

    def test_the_statistic_fails_where_it_should(self):
        table = read_table(os.path.join(self.out, "sycl-fft-chi2.tsv"))
        for row in table.rows:
            fields = dict(zip(table.columns, row))
            self.assertGreater(float(fields["histogram_p"]), 0.99, row)  # it sees none of the faults
            if fields["spectrum"] not in ("ours, reversed", "ours with an error of 1e-5"):  # FFTW's too, where it is here
                self.assertLess(float(fields["frequency_chi2_per_ndf"]), 1)
                self.assertGreater(float(fields["frequency_p"]), 0.5)
            else:
                self.assertGreater(float(fields["frequency_chi2_per_ndf"]), 100)
                self.assertLess(float(fields["frequency_p"]), 1e-12)

    def test_drawn_again_it_is_the_same(self):
        paths = [os.path.join(self.out, name + ".tsv") for name in ("batch-fig-4a", "sycl-fft-fig-4", "tfjs-matrix-16")]
        before = [text_of(path) for path in paths]
        chapters = "sycl_fft,tfjs,batch"
        again = script("report.py", "--smoke", "--reuse", "--program", PROGRAM, "--out", self.out, "--only", chapters)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stderr, "")  # nothing ran, files that commands wrote are kept too
        self.assertEqual([text_of(path) for path in paths], before)

    def test_merge_puts_two_machines_into_one_picture(self):
        first = os.path.join(self.out, "sycl-fft-fig-3.tsv")
        other = os.path.join(self.folder.name, "other.tsv")
        table = read_table(first)
        table.head["machine"] = "another machine"
        for row in table.rows:
            row[table.columns.index("time_us")] = str(3 * to_number(row[table.columns.index("time_us")]))
        table.write(other)
        stem = os.path.join(self.folder.name, "both")
        done = script("merge.py", first, other, "-o", stem)
        self.assertEqual(done.returncode, 0, done.stderr)
        both = read_table(stem + ".tsv")
        self.assertEqual(len(both.rows), 2 * len(table.rows))
        self.assertTrue(any("another machine" in device for device in both.column("device")))
        xml.etree.ElementTree.fromstring(text_of(stem + ".svg"))
        self.assertFalse(text_of(stem + ".svg") == text_of(os.path.join(self.out, "sycl-fft-fig-3.svg")))

    def test_merge_refuses_what_is_no_table_in_one_line(self):
        good = os.path.join(self.out, "sycl-fft-fig-3.tsv")
        lines = text_of(good).rstrip("\n").split("\n")
        bad = {"cut.tsv": "\n".join(lines[:-1] + [lines[-1].rsplit("\t", 1)[0]]),
               "word.tsv": "\n".join(lines[:-1] + [lines[-1] + "x"]),
               "empty.tsv": "", "head.tsv": "\n".join(line for line in lines if line.startswith("#")),
               "plot.tsv": "\n".join("# plot: {" if line.startswith("# plot") else line for line in lines)}
        for name, text in bad.items():
            path = os.path.join(self.folder.name, name)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            self.refused(script("merge.py", good, path), name)
        binary = os.path.join(self.folder.name, "binary.tsv")
        with open(binary, "wb") as out:
            out.write(bytes(range(256)))
        self.refused(script("merge.py", binary, good), "binary.tsv")
        self.refused(script("merge.py", good, os.path.join(self.folder.name, "absent.tsv")), "absent.tsv")
        self.refused(script("merge.py", good, os.path.join(self.out, "sycl-fft-fig-2.tsv")), "sycl-fft-fig-2.tsv")
        self.refused(script("merge.py", *[os.path.join(self.out, "sycl-fft-table-1.tsv")] * 2), "sycl-fft-table-1.tsv")

    def refused(self, run, name):
        self.assertNotEqual(run.returncode, 0, name)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("merge: ") and name in run.stderr, run.stderr)


TWO_GPUS = '''#!PYTHON
import json, subprocess, sys
words = sys.argv[1:]
label = ""
for at, word in enumerate(words):
    if word == "--device":
        label = words[at + 1]
        words[at + 1] = "host"
is_both = label == "0,1"
if "team-size" in words:  # of which the host has one
    words[words.index("team-size")] = "systems"
    words[words.index("--systems"):words.index("--systems") + 2] = ["--values", "32,64"]
done = subprocess.run(["PROGRAM", *words], capture_output=True, text=True, check=False)
said = done.stdout


def beside_cufft(told):
    # What the host did, as if a GPU had done it and cuFFT, half as fast, beside it.
    def both(rows, change):
        ours = [{**row, "device": label} for row in rows if row["library"] == "portable-hpc"]
        return ours + [{**row, "library": "cuFFT", **change(row)} for row in ours]
    told["rows"] = both(told["rows"], lambda row: {name: 2 * row[name] for name in row if name.startswith(("total", "launch"))})
    bench = told["meta"].get("bench", {})
    bench["libraries"] = [{"device": label, "library": "cuFFT", "version": "12.1.4"}]
    if "series" in bench:
        bench["series"] = both(bench["series"], lambda row: {"pairs_us": [2 * time for time in row["pairs_us"]]})
    return json.dumps(told)


if done.returncode == 0 and words[:3] == ["devices", "--format", "json"]:
    host = json.loads(said)["rows"][0]
    said = json.dumps({"rows": [host] + [{**host, "device": label, "kind": "nvidia", "name": "NVIDIA Test"} for label in "01"]})
elif done.returncode == 0 and words[:2] == ["fft", "--bench"] and label == "0":
    said = beside_cufft(json.loads(said))
    if "--spectra" in words:
        path = words[words.index("--spectra") + 1]
        with open(path) as file:
            told = beside_cufft(json.load(file))
        with open(path, "w") as file:
            file.write(told)
if done.returncode == 0 and is_both:
    rows = json.loads(said)["rows"]
    said = json.dumps({"rows": rows + [{**row, "devices": 2, "median_ms": row["median_ms"] / 1.5} for row in rows]})
sys.stdout.write(said)
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
'''


class Surroundings(unittest.TestCase):
    """Programs and Pythons that lack something."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def stub(self, text):
        path = os.path.join(self.folder.name, "program")
        with open(path, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def report(self, program, *options):
        out = os.path.join(self.folder.name, "out")
        return script("report.py", "--smoke", "--program", program, "--out", out, *options), os.path.join(out, "index.html")

    def test_without_a_translator(self):
        stub = self.stub(f'[ "$1" != port ] || {{ echo "there is no translator" >&2; exit 1; }}\nexec "{PROGRAM}" "$@"\n')
        run, page = self.report(stub, "--only", "resyclator")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("The translator is not there", text_of(page))
        self.assertIn("there is no translator", text_of(page))

    def test_a_program_that_can_do_nothing_leaves_the_report_whole(self):
        stub = self.stub(f'case "$1" in devices|--version) exec "{PROGRAM}" "$@" ;; esac\necho "it cannot" >&2\nexit 1\n')
        run, page = self.report(stub)
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        text = text_of(page)
        for item in ITEMS:
            self.assertIn(f'<section id="{item}">', text)
        self.assertGreater(text.count("it cannot"), 10)

    def test_two_gpus(self):
        # A program that shows two GPUs of one name, and does on the host what it is asked to do on them.
        stub = self.stub("")
        with open(stub, "w", encoding="utf-8") as out:
            out.write(TWO_GPUS.replace("PYTHON", sys.executable).replace("PROGRAM", PROGRAM))
        run, page = self.report(stub, "--only", "batch")
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        text = text_of(page)
        self.assertNotIn("No GPU here", text)
        self.assertIn("NVIDIA Test (0)", text)
        table = read_table(os.path.join(os.path.dirname(page), "batch-fig-5a-speed-up.tsv"))
        self.assertEqual({round(value, 3) for value in table.numbers("speed_up")}, {1.5})
        self.assertEqual(set(read_table(os.path.join(os.path.dirname(page), "batch-table-6.tsv")).column("rows")),
                         {"22", "33", "54", "144"})

    def test_a_gpu_beside_its_vendors_library(self):
        stub = self.stub("")
        with open(stub, "w", encoding="utf-8") as out:
            out.write(TWO_GPUS.replace("PYTHON", sys.executable).replace("PROGRAM", PROGRAM))
        run, page = self.report(stub, "--only", "sycl_fft", "--devices", "0")
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        text = text_of(page)
        folder = os.path.dirname(page)
        for words in ("beside cuFFT 12.1.4, f32, on NVIDIA Test (0)", "NVIDIA's driver", "ours against cuFFT",
                      "cuFFT 12.1.4 beside ours on NVIDIA Test (0): 0 % at most"):
            self.assertIn(words, text)
        for words in ("No GPU here", "was not found", "Recorded, not measured in this run: NVIDIA H100"):
            self.assertNotIn(words, text)
        self.assertEqual(set(read_table(os.path.join(folder, "sycl-fft-table-1.tsv")).column("library_beside")), {"cuFFT 12.1.4"})
        self.assertEqual({round(ratio, 6) for ratio in
                          read_table(os.path.join(folder, "sycl-fft-fig-2-numbers.tsv")).numbers("theirs_through_ours")}, {2})
        self.assertEqual(set(read_table(os.path.join(folder, "sycl-fft-fig-2.tsv")).column("library")), {"portable-hpc", "cuFFT"})
        beside = read_table(os.path.join(folder, "sycl-fft-fig-4-beside.tsv"))
        self.assertEqual(len(beside.rows), 2048)
        self.assertEqual(set(beside.numbers("difference_percent")), {0})
        self.assertEqual(set(read_table(os.path.join(folder, "sycl-fft-fig-6-series.tsv")).column("device")),
                         {"NVIDIA Test (0)", "cuFFT on NVIDIA Test (0)"})

    def test_time_that_is_over_leaves_the_report_whole(self):
        run, page = self.report(PROGRAM, "--seconds", "1.5")
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        text = text_of(page)
        for item in ITEMS:
            self.assertIn(f'<section id="{item}">', text)
        self.assertIn("the 1.5 s of --seconds were over", text)

    def test_no_program_one_line(self):
        for program, words in ((os.path.join(self.folder.name, "absent"), "there is no program"),
                               (self.stub("exit 1\n"), "does not list its devices")):
            run, _ = self.report(program)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(words, run.stderr.strip().split("\n")[-1])
            self.assertNotIn("Traceback", run.stderr)

    def test_no_matplotlib_one_line(self):
        for name in ("report.py", "merge.py"):
            run = script(name, "x.tsv" if name == "merge.py" else "--smoke", environment={"PHPC_REPORT_PYTHON": "1"},
                         options=("-S",))
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertIn("python3-matplotlib", run.stderr)

    def test_wrong_options_one_line(self):
        for options in (("--only", "poetry"), ("--full",), ("--sets", "/nowhere")):
            run, _ = self.report(PROGRAM, *options)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        run, _ = self.report(PROGRAM, "--devices", "host,77")
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stderr.strip().split("\n")[-1], "report: there is no device '77'; `portable-hpc devices` lists them")


class Images(unittest.TestCase):
    """Kernels in an executable: of an image that is made here, with one kernel of 40 registers."""

    def test_a_made_image(self):
        kernel, strings = b"_kernel", b"\0_kernel\0"
        names = [b"", b".shstrtab", b".strtab", b".symtab", b".nv.info", b".text." + kernel, b".nv.shared." + kernel]
        name_table = b"\0".join(names) + b"\0"
        contents = [b"", name_table, strings, bytes(24) + struct.pack("<IBBHQQ", 1, 2, 0, 5, 0, 384),
                    struct.pack("<BBHI", 3, 0x10, 7, 0)[:4] + struct.pack("<BBHII", 4, 0x2F, 8, 1, 40), bytes(384), bytes(512)]
        body, sections, offset = b"", b"", 64
        for number, content in enumerate(contents):
            name = name_table.index(names[number] + b"\0") if number else 0
            sections += struct.pack("<IIQQQQIIQQ", name, 1, 0, 0, offset + len(body), len(content), 0, 0, 1, 0)
            body += content
        head = b"\x7fELF\x02\x01\x01\x41" + bytes(8)
        head += struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 64 + len(body), 0, 64, 56, 0, 64, len(contents), 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program")
            for text in (b"some code " + head + body + sections, b"\x7fELF\x02\x01" + bytes(30) + head + body + sections + b"rest"):
                with open(path, "wb") as out:
                    out.write(text)
                self.assertEqual(kernels_of(path), {"_kernel": {"code_bytes": 384, "registers": 40, "shared_bytes": 512}})
            for length in range(0, len(head + body + sections), 37):
                with open(path, "wb") as out:
                    out.write((head + body + sections)[:length])
                self.assertEqual(kernels_of(path), {})
        self.assertEqual(kernels_of(sys.executable), {})

    def test_occupancy(self):
        for registers, share in ((32, 1), (40, 0.75), (64, 0.5), (128, 0.25), (255, 0.125)):
            self.assertEqual(occupancy(registers, 256), share)


class Statistic(unittest.TestCase):
    """The tail of chi-squared, against tables of it (Abramowitz and Stegun, 26.8)."""

    def test_tail(self):
        for value, degrees, tail in ((3.841459, 1, 0.05), (5.991465, 2, 0.05), (18.307038, 10, 0.05), (124.342113, 100, 0.05),
                                     (140.169489, 100, 0.005)):
            self.assertAlmostEqual(chi_squared_tail(value, degrees), tail, places=6)
        self.assertEqual(chi_squared_tail(0, 5), 1)
        self.assertAlmostEqual(chi_squared_tail(4096, 4096), 0.497, places=2)
        self.assertLess(chi_squared_tail(1e6, 4096), 1e-300)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
