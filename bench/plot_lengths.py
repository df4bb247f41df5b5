#!/usr/bin/env python3
"""Draws tables of compare_fft_lengths as an SVG picture: what ours and cuFFT read and write in a second, by length.

usage: plot_lengths.py NAME=TABLE... > picture.svg

Each TABLE, as compare_fft_lengths prints it for transforms of one axis, gets a panel of its own. Both axes are logarithmic;
the speed is that of the bytes that go in and come out, each counted once.
"""
import math
import statistics
import sys
from html import escape

WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 760, 210, 60, 16, 40, 52
SPEEDS = [125, 250, 500, 1000, 2000, 4000]  # GB/s


def read(path):
    """(length, GB/s of ours, of cuFFT, cuFFT's time through ours) of each line of a table."""
    rows = []
    kind = ["f32", "c2c"]
    with open(path, encoding="utf-8") as table:
        for line in table:
            fields = line.rstrip("\n").split("\t")
            if fields[0].isdigit():
                rows.append([int(fields[0]), int(fields[1]), float(fields[2]), float(fields[3]), float(fields[4])])
            elif line.startswith("# "):
                kind = line[2:].split(",")[0].split()
    if not rows:
        sys.exit(f"plot_lengths.py: '{path}' has no lengths")
    number = 4 if kind[0] == "f32" else 8

    def transferred(length):
        if kind[1] in ("r2c", "c2r"):
            return number * (length + 2 * (length // 2 + 1))
        return 4 * number * length

    return sorted((length, transferred(length) * batch / us / 1e3, transferred(length) * batch / theirs / 1e3, ratio)
                  for length, batch, us, theirs, ratio in rows)


def panel(name, rows, top):
    """The lines of SVG of one table."""
    least, most = math.log2(rows[0][0]) - 0.3, math.log2(rows[-1][0]) + 0.2
    low, high = math.log2(SPEEDS[0]), math.log2(SPEEDS[-1]) + 0.2

    def x(length):
        return LEFT + (math.log2(length) - least) / (most - least) * (WIDTH - LEFT - RIGHT)

    def y(speed):
        inside = min(max(math.log2(speed), low), high)
        return top + PANEL - (inside - low) / (high - low) * PANEL

    ratios = sorted(row[3] for row in rows)
    out = [f'<text x="{LEFT}" y="{top - 8}" class="title">{escape(name)}: {len(rows)} lengths; cuFFT\'s time / ours: '
           f'median {statistics.median(ratios):.2f}, a twentieth below {ratios[len(ratios) // 20]:.2f}, '
           f'least {ratios[0]:.2f}</text>']
    for speed in SPEEDS:
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(speed):.1f}" y2="{y(speed):.1f}"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(speed) + 4:.1f}" text-anchor="end">{speed}</text>')
    for exponent in range(math.ceil(least), math.floor(most) + 1):
        if exponent % 2 == 0:
            place = x(2**exponent)
            out.append(f'<line x1="{place:.1f}" x2="{place:.1f}" y1="{top}" y2="{top + PANEL}"/>')
            out.append(f'<text x="{place:.1f}" y="{top + PANEL + 16}" text-anchor="middle">2'
                       f'<tspan dy="-4" font-size="8">{exponent}</tspan></text>')
    for length, ours, theirs, _ in rows:
        out.append(f'<circle class="theirs" cx="{x(length):.1f}" cy="{y(theirs):.1f}" r="2.4"/>')
        out.append(f'<circle class="ours" cx="{x(length):.1f}" cy="{y(ours):.1f}" r="2.2"/>')
    return out


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        sys.exit(__doc__.strip())
    height = TOP + len(arguments) * (PANEL + GAP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
             '<style>text{font:11px sans-serif;fill:#222}.title{font-size:12px}line{stroke:#ddd}'
             '.ours{fill:#0072b2}.theirs{fill:none;stroke:#d55e00}</style>',
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             '<circle class="ours" cx="66" cy="12" r="3"/><text x="74" y="16">portable-hpc</text>'
             '<circle class="theirs" cx="166" cy="12" r="3"/><text x="174" y="16">cuFFT</text>'
             f'<text x="{WIDTH - RIGHT}" y="16" text-anchor="end">GB/s read and written, by length</text>']
    for index, argument in enumerate(arguments):
        name, path = argument.split("=", 1)
        lines += panel(name, read(path), TOP + 12 + index * (PANEL + GAP))
    print("\n".join(lines + ["</svg>"]))


if __name__ == "__main__":
    main(sys.argv[1:])
