#!/usr/bin/env python3
"""Measures the five works that portable-hpc unites, and writes a page with their tables and pictures.

    data/report/report.py                                   # two minutes; report/index.html
    data/report/report.py --full --out full                 # the works' own sizes: ten minutes and more
    data/report/report.py --full --hg19 hg19.fa --hg38 hg38.fa --sets pele     # with the data of the works
    data/report/report.py --reuse                           # draws again what the last run has measured, on the same machine

Scratch files lie in a folder OUT/scratch-... that is removed at the end; a full report makes genomes of 3.1 GB
there, one at a time.
"""
import argparse
import importlib
import os
import shutil
import signal
import sys

sys.dont_write_bytecode = True  # the folder is installed as it is

import debian_python  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Sizes:
    """How much is measured. smoke: that all of it runs, for the tests; quick: minutes on two cores; full: the works' own sizes."""

    def __init__(self, mode, has_gpu):
        def pick(smoke, quick, full):
            return {"smoke": smoke, "quick": quick, "full": full}[mode]
        self.mode = mode
        self.is_smoke = mode == "smoke"
        self.is_full = mode == "full"
        self.fft_iterations = pick(8, 1000, 1000)
        self.calls = pick(3, 100, 100)
        self.bench_seconds = pick(0.01, 0.3, 2)
        self.copy_bytes = pick(1 << 26, 1 << 26, 1 << 30)
        self.genomes = pick({"random, 0.2 million bases": 200_000}, {"random, 200 million bases": 200_000_000},
                            {"random, of hg19's size": 3_101_804_739, "random, of hg38's size": 3_099_750_718})
        self.casoff_runs = pick(2, 4, 4)
        # Of the paper's comparers, which take minutes on a host: of the least of so many runs, and of so much of a made genome.
        self.comparer_runs = pick(1, 2, 4)
        self.comparer_bases = pick(None, 50_000_000, None)
        self.batch_systems = pick(64, 8192, 131072 if has_gpu else 8192)
        self.batch_rows = pick([16, 32], [16, 32, 64, 128, 256, 512, 1024, 2048], [16, 32, 64, 128, 256, 512, 1024, 2048])
        self.batch_counts = pick([32, 64], [512, 1024, 2048, 4096, 8192],
                                 [8192, 16384, 32768, 65536, 131072] if has_gpu else [512, 1024, 2048, 4096, 8192, 16384])
        self.set_counts = pick([16, 32], [512, 2048, 8192], [8192, 16384, 32768, 65536, 131072] if has_gpu
                               else [512, 1024, 2048, 4096, 8192])
        self.repeats = pick(2, 5, 20)
        self.team_systems = pick(64, 4096, 131072)
        self.compiles = not self.is_smoke


class Here:
    """What all chapters share: the runner, the machine, the sizes and the options."""

    def __init__(self, runner, machine, sizes, options):
        self.runner = runner
        self.machine = machine
        self.sizes = sizes
        self.options = options
        self.root = ROOT
        self.folder = HERE


def usual_program():
    """That of a clone's build folder or of the installation that this script is part of, else the one on the PATH."""
    built = os.path.join(ROOT, "build/bin/portable-hpc")
    installed = os.path.join(os.path.dirname(os.path.dirname(ROOT)), "bin/portable-hpc")
    return next((path for path in (built, installed) if os.access(path, os.X_OK)), shutil.which("portable-hpc") or built)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=usual_program(), help="portable-hpc (%(default)s)")
    parser.add_argument("--bench-dir", help="folder of bench_exec and bench_fft (that of the program)")
    parser.add_argument("--out", default="report", help="folder to write to, scratch files too: 4 GB with --full (report)")
    parser.add_argument("--full", action="store_true", help="all sizes of the works")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: that all of it runs, for the tests")
    parser.add_argument("--reuse", action="store_true",
                        help="take what the same commands said in an earlier run on this machine, from OUT/raw")
    parser.add_argument("--hg19", help="genome hg19 (FASTA, .2bit or .phg)")
    parser.add_argument("--hg38", help="genome hg38")
    parser.add_argument("--sets", help="folder with the PeleLM sets, drm19/0/A.mtx and so on (fetch_sets.sh gets them)")
    parser.add_argument("--devices", help="devices to measure on, as `portable-hpc devices` labels them: host,0 (all)")
    parser.add_argument("--seconds", type=float, default=0,
                        help="start no command after so many seconds; what is not measured then is said to be missing")
    parser.add_argument("--only", help="chapters to make, as in sycl_fft,batch")
    return parser.parse_args(arguments)


CHAPTERS = ("sycl_fft", "resyclator", "tfjs", "casoff", "batch", "quoted")


def fail(text):
    sys.exit(f"report: {text}")


def main(arguments):
    options = parse(arguments)
    debian_python.ensure("report")
    if not os.access(options.program, os.X_OK):
        fail(f"there is no program '{options.program}'; `make` builds it, or name it with --program")
    if options.full and options.smoke:
        fail("both --full and --smoke; give one of them")
    chapters = options.only.split(",") if options.only else CHAPTERS
    unknown = [name for name in chapters if name not in CHAPTERS]
    if unknown:
        fail(f"no chapter '{unknown[0]}'; --only takes {', '.join(CHAPTERS)}")
    for name in ("hg19", "hg38", "sets"):
        path = getattr(options, name)
        if path and not os.path.exists(path):
            fail(f"--{name} {path} is not there")

    from machine import Machine
    from page import Page
    from runner import OtherMachine, Runner
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the scratch folder goes when a job's time is up
    runner = Runner(options.program, options.bench_dir, options.out, options.reuse, options.seconds)
    try:
        machine = Machine(runner, options.devices.split(",") if options.devices else None)
        if machine.unknown_devices:
            fail(f"there is no device '{machine.unknown_devices[0]}'; `portable-hpc devices` lists them")
        if not machine.devices:
            fail(f"'{options.program}' does not list its devices: {machine.version_text}")
        mode = "full" if options.full else "smoke" if options.smoke else "quick"
        page = Page(runner.out, {"machine": f"{machine.processor}, {machine.threads} threads", "program": machine.program,
                                 "sizes": mode}, runner.dates)
        here = Here(runner, machine, Sizes(mode, bool(machine.gpus)), options)
        for name in chapters:
            importlib.import_module(name).chapter(page, here)
        words = {"quick": "quick", "full": "full: all sizes of the works", "smoke": "smoke: tiny, not to be quoted"}[mode]
        foot = ("Written by `data/report/report.py`; `make report` and `make report FULL=1` run it, `data/report/merge.py A.tsv "
                "B.tsv` puts the tables of several machines into one picture.")
        print(page.write(machine.html(words, arguments, runner.commands, runner.dates), runner.commands, foot))
    except OtherMachine as error:
        fail(error)
    finally:
        runner.close()


if __name__ == "__main__":
    main(sys.argv[1:])
