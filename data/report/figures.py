"""Pictures in one style, drawn from tables alone: a number changed in a TSV changes its picture.

`draw(table)` reads the table's `plot`, a dictionary:

    kind     lines, points, bars, stems; or a drawing of drawings.py (butterfly, matrix, ...)
    x, y     columns; by: columns that make a series together; low, high: columns of a band; panel: a column with a panel's name
    xscale   linear, log2 (ticks at powers of two) or log;  yscale: linear or log
    xlabel, ylabel, and what a kind takes beside these

Width: a column of a printed page, 3.4 inches. Colours: those of Okabe and Ito, which people with any kind of colour blindness tell
apart; each series has a marker of its own too. SVG without dates and with fixed identifiers: the same table gives the same bytes.
"""
import io
import math
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (after the back-end)
from matplotlib.transforms import ScaledTranslation, blended_transform_factory  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator  # noqa: E402

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C7A00"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5))]
WIDTH = 3.4
INK, GRID = "#222222", "#dddddd"

STYLE = {
    "font.family": "DejaVu Sans", "font.size": 7, "axes.labelsize": 7, "axes.titlesize": 7, "legend.fontsize": 6.5,
    "xtick.labelsize": 6.5, "ytick.labelsize": 6.5, "axes.linewidth": 0.6, "axes.edgecolor": INK, "axes.labelcolor": INK,
    "text.color": INK, "xtick.color": INK, "ytick.color": INK, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
    "xtick.major.size": 2.5, "ytick.major.size": 2.5, "ytick.minor.size": 1.5, "grid.color": GRID, "grid.linewidth": 0.5,
    "axes.grid": True, "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.1,
    "lines.markersize": 3.2, "legend.frameon": False, "legend.handlelength": 2.2, "legend.columnspacing": 1.2,
    "legend.labelspacing": 0.3, "svg.fonttype": "path", "figure.dpi": 100, "path.simplify": False,
}


def draw(table):
    """The picture of a table with a `plot`, as SVG text to stand in a page."""
    plot = table.plot
    identifier = str(table.head.get("item", "figure"))
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": identifier}):
        maker = KINDS.get(plot["kind"])
        if maker is None:
            from drawings import DRAWINGS  # imports this module
            maker = DRAWINGS[plot["kind"]]
        figure = maker(table, plot)
        text = to_svg(figure, identifier, table.head.get("title", identifier))
        plt.close(figure)
    return text


def to_svg(figure, identifier, title):
    move_legend(figure)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    # Several pictures stand in one page: each has names of its own.
    text = re.sub(r'\bid="', f'id="{identifier}-', text)
    text = re.sub(r'((?:xlink:)?href="#)', rf"\g<1>{identifier}-", text)
    text = text.replace("url(#", f"url(#{identifier}-")
    title = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return text.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)


def new_figure(height, panels=1, sharex=True):
    figure, axes = plt.subplots(panels, 1, figsize=(WIDTH, height), sharex=sharex, squeeze=False, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.02, h_pad=0.03)
    return figure, [row[0] for row in axes]


def series_of(table, plot):
    """(what makes the series, its rows), in the order of the table."""
    by = plot.get("by", [])
    places = [table.columns.index(name) for name in by]
    groups = {}
    for row in table.rows:
        groups.setdefault(tuple(str(row[at]) for at in places), []).append(row)
    return list(groups.items())


def number_at(table, row, name):
    value = row[table.columns.index(name)]
    return math.nan if value in (None, "") else float(value)


def looks(groups):
    """A colour and a marker for each value of the first column of a series, dashes for each of the second."""
    firsts = list(dict.fromkeys(key[0] if key else "" for key, _ in groups))
    seconds = list(dict.fromkeys(key[1:] for key, _ in groups))
    return {key: {"color": COLOURS[firsts.index(key[0] if key else "") % len(COLOURS)],
                  "marker": MARKERS[firsts.index(key[0] if key else "") % len(MARKERS)],
                  "linestyle": DASHES[seconds.index(key[1:]) % len(DASHES)],
                  "fillstyle": "full" if seconds.index(key[1:]) % 2 == 0 else "none"} for key, _ in groups}


def panels_of(table, plot):
    name = plot.get("panel")
    if not name:
        return [("", table)]
    return [(value, table.where(**{name: value})) for value in dict.fromkeys(str(one) for one in table.column(name))]


def plain(value, _=None):
    return f"{value:.12g}"


def set_scale(axis, scale, values):
    """Ticks that a reader would choose: powers of two, or 1, 2 and 5 times powers of ten where few decades are shown."""
    finite = [value for value in values if math.isfinite(value) and (scale == "linear" or value > 0)]
    if scale == "linear" or not finite:
        axis.set_major_formatter(FuncFormatter(plain))
        return
    low, high = min(finite), max(finite)
    set_lim = axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log", base=2 if scale == "log2" else 10)
    axis.set_minor_locator(NullLocator())
    if scale == "log2":
        first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
        step = 1 if last - first < 10 else 2
        axis.set_major_locator(FixedLocator([2.0**power for power in range(first, last + 1, step)]))
        many = high >= 16384
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"$2^{{{round(math.log2(value))}}}$" if many else plain(value)))
        set_lim(low / 1.15, high * 1.15)
        return
    decades = math.log10(high / low) if high > low else 0
    set_lim(low / 1.25, high * 1.25)
    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if decades < 2 else (1,) if decades > 3.5 else (1, 3), numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value) if 1e-3 <= value < 1e5
                                           else f"$10^{{{round(math.log10(value))}}}$"))


def place_legend(figure, axes, entries, columns=2):
    """Above the picture, so that it hides nothing; above the first panel's name too."""
    if len(entries) < 2:
        return
    handles, labels = zip(*entries)
    top = axes[0] if isinstance(axes, list) else axes
    rise = 12 if top.get_title(loc="left") or top.get_title() else 3
    lift = top.transAxes + ScaledTranslation(-26 / 72, rise / 72, figure.dpi_scale_trans)
    half = (len(labels) + 1) // 2  # a legend fills its columns one after another
    fits = columns > 1 and max(map(len, labels[:half])) + max(map(len, labels[half:])) <= 54
    legend = top.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1), bbox_transform=lift, borderaxespad=0,
                        ncols=2 if fits else 1)
    figure.legend_to_move = (legend, lift)


def move_legend(figure):
    """To the left edge of the picture, which is known when all else has its place."""
    if hasattr(figure, "legend_to_move"):
        legend, lift = figure.legend_to_move
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        legend.set_bbox_to_anchor((0.012, 1), transform=blended_transform_factory(figure.transFigure, lift))


def lines(table, plot):
    parts = panels_of(table, plot)
    style = looks(series_of(table, plot))
    figure, axes = new_figure(plot.get("height", 1.2 + 1.05 * len(parts)), len(parts))
    entries = {}
    for panel_axes, (name, part) in zip(axes, parts):
        for key, rows in series_of(part, plot):
            points = sorted((number_at(part, row, plot["x"]), number_at(part, row, plot["y"]), row) for row in rows)
            look = style[key]
            (handle,) = panel_axes.plot([one[0] for one in points], [one[1] for one in points], **look,
                                        markeredgewidth=0.8, markerfacecolor=None if look["fillstyle"] == "full" else "white")
            entries.setdefault(", ".join(key), handle)
            if plot.get("low"):
                panel_axes.fill_between([one[0] for one in points], [number_at(part, one[2], plot["low"]) for one in points],
                                        [number_at(part, one[2], plot["high"]) for one in points], color=look["color"],
                                        alpha=0.18, linewidth=0)
        finish(panel_axes, part, plot, name)
    finish_all(figure, axes, plot, [(handle, name) for name, handle in entries.items() if name])
    return figure


def finish(axes, table, plot, name=""):
    """Scales, and the panel's name."""
    set_scale(axes.xaxis, plot.get("xscale", "linear"), table.numbers(plot["x"]))
    drawn = [value for column in ("y", "low", "high") if plot.get(column) for value in table.numbers(plot[column])]
    set_scale(axes.yaxis, plot.get("yscale", "linear"), drawn)
    if plot.get("yscale", "linear") == "linear" and plot.get("from_zero", True) and drawn and min(drawn) >= 0:
        axes.set_ylim(bottom=0)
    if name:
        axes.set_title(name, loc="left", pad=2)


def finish_all(figure, axes, plot, entries):
    axes[-1].set_xlabel(plot.get("xlabel", plot.get("x", "")))
    if len(axes) == 1:
        axes[0].set_ylabel(plot.get("ylabel", plot.get("y", "")))
    else:
        figure.supylabel(plot.get("ylabel", plot.get("y", "")), fontsize=7)
    place_legend(figure, axes, entries)


def points(table, plot):
    """A dot for each row; a line at the mean, a band one deviation wide. The picture shows what nearly all rows are; those far
    above, which would leave it without detail, stand at its upper edge and are named above it."""
    parts = panels_of(table, plot)
    figure, axes = new_figure(plot.get("height", 0.5 + 1.15 * len(parts)), len(parts))
    for number, (panel_axes, (name, part)) in enumerate(zip(axes, parts)):
        x, y = part.numbers(plot["x"]), part.numbers(plot["y"])
        colour = COLOURS[number % len(COLOURS)]
        mean = sum(y) / len(y)
        deviation = math.sqrt(sum((value - mean)**2 for value in y) / max(1, len(y) - 1))
        ordered = sorted(y)
        top = max(1.15 * ordered[(len(ordered) * 99) // 100 - 1], 1.1 * mean)
        bottom = ordered[0] - 0.08 * (top - ordered[0])
        inside = [(at, value) for at, value in zip(x, y) if value <= top]
        beyond = [(at, value) for at, value in zip(x, y) if value > top]
        panel_axes.scatter(*zip(*inside), s=2, color=colour, linewidths=0, alpha=0.7)
        panel_axes.axhline(mean, color=INK, linewidth=0.8)
        panel_axes.axhspan(max(bottom, mean - deviation), min(top, mean + deviation), color=colour, alpha=0.15, linewidth=0)
        if beyond:
            panel_axes.scatter([at for at, _ in beyond], [top] * len(beyond), s=9, marker="^", color=INK, linewidths=0,
                               clip_on=False, zorder=3)
            farthest = sorted(beyond, key=lambda one: -one[1])[:2]
            named = ", ".join(f"{plain(at)} ({value:.0f})" if value >= 100 else f"{plain(at)} ({value:.3g})"
                              for at, value in farthest)
            more = f" and {len(beyond) - 2} more" if len(beyond) > 2 else ""
            note = f"above: {named}{more}"
            # A long name leaves no room beside it.
            panel_axes.set_title(note if len(name) + len(note) < 60 else f"{len(beyond)} above", loc="right", pad=4, fontsize=5.5)
        panel_axes.set_ylim(bottom, top)
        panel_axes.set_title(name, loc="left", pad=4)
        panel_axes.yaxis.set_major_formatter(FuncFormatter(plain))
    finish_all(figure, axes, plot, [])
    return figure


def stems(table, plot):
    """A line from zero to each value, and the band within which rounding leaves it."""
    parts = panels_of(table, plot)
    style = looks(series_of(table, plot))
    figure, axes = new_figure(plot.get("height", 0.5 + 1.2 * len(parts)), len(parts))
    for panel_axes, (name, part) in zip(axes, parts):
        for key, rows in series_of(part, plot):
            x = [number_at(part, row, plot["x"]) for row in rows]
            y = [number_at(part, row, plot["y"]) for row in rows]
            panel_axes.vlines(x, 0, y, color=style[key]["color"], linewidth=0.35)
        if plot.get("low"):
            panel_axes.fill_between(part.numbers(plot["x"]), part.numbers(plot["low"]), part.numbers(plot["high"]),
                                    color=COLOURS[1], alpha=0.2, linewidth=0, zorder=0)
        panel_axes.axhline(0, color=INK, linewidth=0.5)
        if all(value >= 0 for value in part.numbers(plot["y"]) if math.isfinite(value)):
            panel_axes.set_ylim(bottom=0)
        if name:  # on the right, for the axis' power of ten stands on the left
            panel_axes.set_title(name, loc="right", pad=2)
        panel_axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True)
    finish_all(figure, axes, plot, [])
    return figure


def bars(table, plot):
    """Bars that lie, so that their names can be read; the number stands at the end of each. On a logarithmic scale, which has
    no zero for a bar to begin at, dots."""
    parts = panels_of(table, plot)
    groups = series_of(table, plot)
    style = looks(groups)
    names = list(dict.fromkeys(str(value) for value in table.column(plot["x"])))
    slots = max(1, len(groups))
    height = plot.get("height", 0.55 + len(parts) * (0.2 + 0.13 * sum(1 for _ in names) * (slots if slots > 1 else 1.25)))
    figure, axes = new_figure(height, len(parts))
    entries = {}
    is_log = plot.get("yscale") == "log"
    for panel_axes, (name, part) in zip(axes, parts):
        inside = [one for one in names if one in [str(value) for value in part.column(plot["x"])]]
        most = max([value for value in part.numbers(plot["y"]) if math.isfinite(value)] or [1])
        for slot, (key, _) in enumerate(groups):
            rows = dict(series_of(part, plot)).get(key, [])
            thick = 0.8 / slots
            for row in rows:
                value = number_at(part, row, plot["y"])
                if not math.isfinite(value):
                    continue
                place = inside.index(str(row[part.columns.index(plot["x"])])) + (slot - (slots - 1) / 2) * thick
                if is_log:
                    handle = panel_axes.scatter([value], [place], s=14, color=style[key]["color"], marker=style[key]["marker"],
                                                zorder=3)
                else:
                    handle = panel_axes.barh(place, value, height=thick * 0.92, color=style[key]["color"])
                entries.setdefault(", ".join(key), handle)
                panel_axes.annotate(f"{value:.3g}", (value, place), xytext=(4 if is_log else 2, 0), textcoords="offset points",
                                    va="center", ha="left", fontsize=5.5)
        panel_axes.set_yticks(range(len(inside)), inside)
        panel_axes.set_ylim(len(inside) - 0.5, -0.5)
        panel_axes.grid(axis="y", visible=is_log)
        if is_log:
            set_scale(panel_axes.xaxis, "log", part.numbers(plot["y"]) + [most * 2.5])
        else:
            panel_axes.set_xlim(0, most * 1.14)
        if plot.get("mark") is not None:
            panel_axes.axvline(plot["mark"], color=INK, linewidth=0.7, linestyle=(0, (3, 2)))
        if name:
            panel_axes.set_title(name, loc="left", pad=2)
    axes[-1].set_xlabel(plot.get("ylabel", plot.get("y", "")))
    place_legend(figure, axes, [(handle, name) for name, handle in entries.items() if name])
    return figure


KINDS = {"lines": lines, "points": points, "stems": stems, "bars": bars}
