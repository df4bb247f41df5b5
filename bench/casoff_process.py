#!/usr/bin/env python3
"""Times whole runs of `portable-hpc casoff` on a random genome, over numbers of guides and mismatches, and Cas-OFFinder's beside
them where it is found. Writes a TSV row for each: medians of wall-clock and CPU seconds, most memory, and sites found.

    bench/casoff_process.py build/bin/portable-hpc --bases 2e8 --guides 1,3,30,100,1000 --mismatches 5
    bench/casoff_process.py build/bin/portable-hpc --bases 3.1e9 --form phg --device 0
"""
import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LINE = 60
SEQUENCE_BASES = 200_000_000  # sequences no longer than the human genome's chromosomes


def numbers(text):
    return [int(float(word)) for word in text.split(",")]


def write_fasta(path, bases, seed):
    """Random letters: byte values in four equal shares."""
    table = bytes(b"ACGT"[value >> 6] for value in range(256))
    source = random.Random(seed)
    with open(path, "wb") as out:
        for number, begin in enumerate(range(0, bases, SEQUENCE_BASES), 1):
            out.write(b">chr%d\n" % number)
            left = min(SEQUENCE_BASES, bases - begin)
            while left > 0:
                letters = source.randbytes(min(left, LINE * 100_000)).translate(table)
                out.write(b"\n".join(letters[at:at + LINE] for at in range(0, len(letters), LINE)) + b"\n")
                left -= len(letters)


def timed(command):
    """Wall-clock seconds, CPU seconds, mebibytes at most, of a program that must succeed."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)}\nended with {os.waitstatus_to_exitcode(status)}: {message.decode(errors='replace')}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def row(tool, command, rows_path, guides, mismatches, options):
    times = [timed(command) for _ in range(options.repeats)]
    wall, cpu, memory = (statistics.median(column) for column in zip(*times))
    with open(rows_path, "rb") as rows:
        sites = sum(not line.startswith(b"#") for line in rows)
    print(tool, options.form, options.bases, guides, mismatches, options.bulges, f"{wall:.3f}", f"{cpu:.3f}", f"{memory:.0f}",
          sites, sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="portable-hpc")
    parser.add_argument("--bases", type=lambda text: int(float(text)), default=200_000_000)
    parser.add_argument("--guides", type=numbers, default=[1, 3, 30, 100, 1000])
    parser.add_argument("--mismatches", type=numbers, default=[5])
    parser.add_argument("--bulges", type=int, default=0, help="largest DNA and RNA bulge")
    parser.add_argument("--form", choices=["fasta", "phg"], default="fasta", help="how the genome is kept")
    parser.add_argument("--device", default="host")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer", default="cas-offinder", help="Cas-OFFinder, run on FASTA without bulges where it is found")
    parser.add_argument("--peer-device", default="C")
    parser.add_argument("--peer-guides", type=int, default=100, help="most guides that the peer is given")
    parser.add_argument("--folder", help="where the genome goes, and stays for the next run; otherwise a temporary one")
    options = parser.parse_args()
    peer = shutil.which(options.peer) if options.form == "fasta" and options.bulges == 0 else None

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        fasta = os.path.join(folder, f"random-{options.bases}.fa")
        if not os.path.exists(fasta):
            write_fasta(fasta + ".new", options.bases, seed=1)
            os.rename(fasta + ".new", fasta)
        genome = fasta
        if options.form == "phg":
            genome = os.path.join(folder, f"random-{options.bases}.phg")
            subprocess.run([options.program, "casoff", "--quiet", "--pack", fasta, "-o", genome], check=True)
        source = random.Random(2)
        guides = ["".join(source.choices("ACGT", k=20)) for _ in range(max(options.guides))]
        queries = os.path.join(temporary, "queries.txt")
        rows = os.path.join(temporary, "rows.txt")
        print("tool", "genome", "bases", "guides", "mismatches", "bulges", "wall_s", "cpu_s", "memory_mib", "sites", sep="\t")
        for mismatches in options.mismatches:
            for count in options.guides:
                bulges = f" {options.bulges} {options.bulges}" if options.bulges else ""
                with open(queries, "w", encoding="ascii") as out:
                    out.write(f"{genome}\n{'N' * 21}RG{bulges}\n")
                    out.writelines(f"{guide}NNN {mismatches}\n" for guide in guides[:count])
                row("portable-hpc", [options.program, "casoff", "--quiet", queries, "--device", options.device, "-o", rows], rows,
                    count, mismatches, options)
                if peer and count <= options.peer_guides:
                    row("cas-offinder", [peer, queries, options.peer_device, rows], rows, count, mismatches, options)


if __name__ == "__main__":
    main()
