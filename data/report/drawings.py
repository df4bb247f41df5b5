"""Drawings that are no charts: a butterfly, a matrix of roots, storage formats, levels of a device, a roofline. Drawn from
tables too."""
import math

from matplotlib.patches import FancyBboxPatch, Rectangle

from figures import COLOURS, DASHES, INK, WIDTH, finish_all, new_figure, place_legend, plt, set_scale

GRID_DARK = "#999999"


def bare(axes):
    axes.set_axis_off()
    return axes


def butterfly(table, plot):
    """A flow graph: each row of the table is an edge from one stage's line to the next stage's, with the factor that it
    carries."""
    figure, (axes,) = new_figure(plot.get("height", 2.6))
    bare(axes)
    edges = [[int(float(value)) for value in row[:4]] + [row[4]] for row in table.rows]
    lines = 1 + max(edge[1] for edge in edges)
    stages = 1 + max(edge[0] for edge in edges)
    width = lines.bit_length() - 1
    for stage, source, target, sign, factor in edges:
        colour = COLOURS[1] if sign < 0 else COLOURS[0]
        axes.plot([stage, stage + 1], [source, target], color=colour, linewidth=0.9, zorder=1)
        if factor:  # beside the dot whose number is multiplied by it, where no edge comes from
            from_below = any(edge[0] == stage - 1 and edge[2] == source and edge[1] > source for edge in edges)
            axes.annotate(factor, (stage - 0.03, source + (-0.3 if from_below else 0.32)), fontsize=6, ha="right", va="center")
    for stage in range(stages + 1):
        axes.scatter([stage] * lines, range(lines), s=9, color=INK, zorder=2)
        name = "input" if stage == 0 else f"stage {stage}"
        axes.annotate(name, (stage, -0.75), ha="center", va="center", fontsize=6.5)
    for line in range(lines):
        reversed_line = int(format(line, f"0{width}b")[::-1], 2)
        axes.annotate(f"$x_{{{reversed_line}}}$", (-0.08, line), ha="right", va="center")
        axes.annotate(f"$X_{{{line}}}$", (stages + 0.08, line), ha="left", va="center")
    axes.set_ylim(lines - 0.5, -1.2)
    axes.set_xlim(-0.35, stages + 0.35)
    axes.plot([], [], color=COLOURS[0], label="added")
    axes.plot([], [], color=COLOURS[1], label="subtracted")
    place_legend(figure, axes, list(zip(*axes.get_legend_handles_labels())))
    return figure


def matrix(table, plot):
    """Real and imaginary parts of a square matrix side by side."""
    size = 1 + int(max(table.numbers("row")))
    parts = {name: [[math.nan] * size for _ in range(size)] for name in ("re", "im")}
    for row, column, re, im in zip(*(table.numbers(name) for name in ("row", "column", "re", "im"))):
        parts["re"][int(row)][int(column)] = re
        parts["im"][int(row)][int(column)] = im
    figure, both = plt.subplots(1, 2, figsize=(WIDTH, plot.get("height", 1.9)), sharey=True, layout="constrained")
    for axes, (name, title) in zip(both, (("re", "real part"), ("im", "imaginary part"))):
        image = axes.pcolormesh(range(size), range(size), parts[name], cmap="PuOr", vmin=-1, vmax=1, shading="nearest", linewidth=0)
        axes.set_aspect("equal")
        axes.set_ylim(size - 0.5, -0.5)
        axes.set_title(title, pad=2)
        axes.grid(visible=False)
        step = max(1, size // 4)
        axes.set_xticks(range(0, size, step))
        axes.set_yticks(range(0, size, step))
        axes.set_xlabel(plot.get("xlabel", "sample"))
    both[0].set_ylabel(plot.get("ylabel", "frequency"))
    figure.colorbar(image, ax=both, shrink=0.85, pad=0.02, aspect=18).solids.set_rasterized(False)
    return figure


def formats(table, plot):
    """A pattern, and where its entries lie in CSR and in ELL: the order of an entry is its colour."""
    figure, both = plt.subplots(1, 3, figsize=(WIDTH, plot.get("height", 1.75)), layout="constrained",
                                gridspec_kw={"width_ratios": [6, 4, 5]})
    rows = 1 + int(max(table.numbers("row")))
    entries = list(zip(*(map(int, table.numbers(name)) for name in ("row", "column", "csr_place", "ell_place"))))
    colour = {row: COLOURS[row % 6] for row in range(rows)}

    def cell(axes, x, y, text, face):
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=face, edgecolor="white", linewidth=0.8))
        axes.annotate(text, (x + 0.5, y + 0.5), ha="center", va="center", fontsize=5.5, color="white" if face != "#eeeeee" else INK)

    dense, ell, csr = both
    for row, column, csr_place, _ in entries:
        cell(dense, column, row, str(csr_place), colour[row])
    dense.add_patch(Rectangle((0, 0), rows, rows, fill=False, edgecolor=INK, linewidth=0.6))
    wide = 1 + max(place // rows for *_, place in entries)
    for row in range(rows):
        for column in range(wide):
            cell(ell, column, row, "", "#eeeeee")
    for row, _, csr_place, ell_place in entries:
        cell(ell, ell_place // rows, ell_place % rows, str(csr_place), colour[row])
    across = math.ceil(len(entries) / 4)
    for row, _, csr_place, _ in entries:
        cell(csr, csr_place % across, 1.25 * (csr_place // across), str(csr_place), colour[row])
    for axes, title, x, y in ((dense, "dense: by places", rows, rows), (ell, "ELL", wide, rows),
                              (csr, "CSR: one by one", across, rows)):
        bare(axes).set_title(title, pad=2, fontsize=6.5)
        axes.set_xlim(-0.1, x + 0.1)
        axes.set_ylim(y + 0.1, -0.1)
        axes.set_aspect("equal")
    return figure


def levels(table, plot):
    """Boxes within boxes: what of the device does what of the problem, and its name in each language."""
    figure, (axes,) = new_figure(plot.get("height", 2.3))
    bare(axes)
    step = 0.085
    for depth, row in enumerate(table.rows):
        left, top = step * depth * 0.6, 1 - (0.24 * depth)
        axes.add_patch(FancyBboxPatch((left, 0 + step * 0.45 * depth), 1 - 2 * left, top - 0.9 * step * depth * 0.5,
                                      facecolor="white",
                                      boxstyle="round,pad=0,rounding_size=0.02", edgecolor=COLOURS[depth % len(COLOURS)],
                                      linewidth=1.1))
        y = top - 0.9 * step * depth * 0.5 + step * 0.45 * depth
        axes.annotate(f"{row[0]}: {row[4]}", (left + 0.02, y - 0.045), fontsize=6.5, weight="bold", va="center",
                      color=COLOURS[depth % len(COLOURS)])
        axes.annotate(f"CUDA {row[1]}, SYCL {row[2]}, OpenMP {row[3]}", (left + 0.02, y - 0.115), fontsize=5.8, va="center")
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    return figure


MARKERS = "os^DvP*X"
LEVEL_COLOURS = {"memory": COLOURS[0], "cache": COLOURS[1], "scratch": COLOURS[2]}


def marker_of(number):
    marker = MARKERS[number % len(MARKERS)]
    return {"marker": marker, "s": 26 if marker == "*" else 15}


def rounded(number):
    """Three digits, without an exponent."""
    return f"{number:.3g}" if number < 1000 else f"{float(f'{number:.3g}'):.0f}"


def roofline(table, plot):
    """Roofs (bandwidths of levels of memory, and a rate where there is one) and the points below them: a colour for each level, a
    marker for each name."""
    figure, (axes,) = new_figure(plot.get("height", 2.4))
    rows = [dict(zip(table.columns, row)) for row in table.rows]
    points = [(row["name"], row["level"], float(row["operations_per_byte"]), float(row["GFLOP_per_s"]))
              for row in rows if row["kind"] == "point"]
    roofs = [(row["name"], row["level"], float(row["GB_per_s"])) for row in rows if row["kind"] == "bandwidth"]
    ceilings = [(row["name"], float(row["GFLOP_per_s"])) for row in rows if row["kind"] == "rate"]
    ceiling = max([rate for _, rate in ceilings] or [math.inf])
    steepest = max([bandwidth for *_, bandwidth in roofs] or [0])
    low, high = min(x for _, _, x, _ in points) / 2, max(x for _, _, x, _ in points) * 2
    if steepest > 0 and math.isfinite(ceiling):
        low, high = min(low, ceiling / steepest / 2), max(high, 2 * ceiling / min(bandwidth for *_, bandwidth in roofs))
    entries, seen = [], {}
    top = max(y for *_, y in points)
    for name, level, bandwidth in roofs:
        number = seen[level] = seen.get(level, -1) + 1
        ends = [low, max(1.01 * low, min(high, ceiling / bandwidth))]  # up to where the rate of operations is what binds
        (handle,) = axes.plot(ends, [end * bandwidth for end in ends], color=LEVEL_COLOURS.get(level, INK),
                              linestyle=DASHES[number % len(DASHES)], linewidth=1.0)
        entries.append((handle, f"{name}: {rounded(bandwidth)} GB/s"))
        top = max(top, ends[1] * bandwidth if math.isfinite(ceiling) else max(x for _, _, x, _ in points) * bandwidth)
    for name, rate in ceilings:
        handle = axes.axhline(rate, color=GRID_DARK, linewidth=1.4)
        entries.append((handle, f"{name}: {rounded(rate)} GFLOP/s"))
        top = max(top, rate)
    names = list(dict.fromkeys(name for name, *_ in points))
    for name, level, x, y in points:
        axes.scatter([x], [y], color=LEVEL_COLOURS.get(level, INK), linewidths=0.3, edgecolors="white", zorder=3,
                     **marker_of(names.index(name)))
    beside = [(axes.scatter([], [], color=INK, **marker_of(number)), name) for number, name in enumerate(names)]
    blank = (axes.plot([], [], linestyle="none")[0], "")
    wide = max(len(entries), len(beside))  # roofs and points have a column each
    entries += [blank] * (wide - len(entries))
    entries += beside + [blank] * (wide - len(beside))
    set_scale(axes.xaxis, "log", [low, high])
    set_scale(axes.yaxis, "log", [min([y for *_, y in points] + [rate for _, rate in ceilings]) / 2, top * 1.5])
    finish_all(figure, [axes], plot, [])
    place_legend(figure, axes, entries)
    return figure


DRAWINGS = {"butterfly": butterfly, "matrix": matrix, "formats": formats, "levels": levels, "roofline": roofline}
