"""The page: chapters of items, each with an id, what the work claimed, what was measured here, a picture, and what is not there.

An item writes its tables beside the page (ID.tsv, or ID-NAME.tsv) and draws its pictures from the files as they were written.
"""
import os
from html import escape

import figures
from machine import span
from tables import Table, TableError, read_table

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")

CSS = """
body{font:15px/1.45 "DejaVu Sans",Verdana,sans-serif;color:#222;max-width:62em;margin:2em auto;padding:0 1em}
h1{font-size:1.7em;margin:0 0 .2em}h2{font-size:1.3em;border-bottom:2px solid #0072b2;margin:2em 0 .6em;padding-bottom:.15em}
h3{font-size:1.02em;margin:1.6em 0 .3em}h3 code{color:#666;font-weight:normal;font-size:.8em}p{margin:.4em 0;max-width:52em}
table{border-collapse:collapse;font-size:.8em;margin:.5em 2em .5em 0;display:inline-table;vertical-align:top}
caption{text-align:left;font-weight:bold;padding:.2em 0}
th,td{padding:.16em .6em;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}th{border-bottom:1px solid #222}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.good{background:#d7efe6}td.bad{background:#fbdfcf}
figure{width:30em;max-width:100%;margin:.6em 1.4em .6em 0;display:inline-block;vertical-align:top}
figure svg{width:100%;height:auto}figcaption{font-size:.8em;color:#444}.claim{border-left:3px solid #e69f00;padding-left:.7em}
.none{border-left:3px solid #d55e00;padding-left:.7em}.recorded{border:1px dashed #999;padding:.3em .8em .5em;margin:.6em 0}
.recorded>p:first-child{font-size:.85em;color:#555}.files{font-size:.75em;color:#666}
pre{font:11px/1.35 "DejaVu Sans Mono",monospace;background:#f6f6f6;padding:.5em;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.pair{display:flex}.pair>div{flex:1;min-width:0;margin-right:.6em}.pair pre{margin:.2em 0}
ins{background:#d7efe6;text-decoration:none}del{background:#fbdfcf;text-decoration:none}
nav{columns:2;font-size:.82em;margin:.6em 0}nav a{color:#0072b2;text-decoration:none}nav div{break-inside:avoid}
@media print{body{font-size:10px;margin:0;max-width:none}figure{width:3.4in}h2{break-before:page;break-after:avoid}
#machine h2,#missing h2,#commands h2{break-before:auto}h3,.claim{break-after:avoid}
h3,figure,table,.pair,.recorded{break-inside:avoid}nav{display:none}.pair pre{font-size:6.5px}@page{margin:15mm}}
"""


def marked(text):
    """Text with `code` in it, as HTML."""
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


class Item:
    """One table or figure of a work. Its parts come out in the order in which they are given."""

    def __init__(self, page, identifier, title):
        self.page = page
        self.id = identifier
        self.title = title
        self.html = []
        self.files = []
        self.lacks = []

    def claim(self, text):
        """What the work says."""
        self.html.append(f'<p class="claim">{marked(text)}</p>')

    def say(self, text):
        self.html.append(f"<p>{marked(text)}</p>")

    def missing(self, text):
        """What is not here, and why, in a sentence."""
        self.lacks.append(text)
        self.html.append(f'<p class="none">{marked(text)}</p>')

    def table(self, table, name="", caption="", show=True, most=40, colour=None):
        """Writes the table beside the page, shows it, and gives it as it was read back."""
        kept = self._write(table, name)
        if show:
            self.html.append(table_html(kept, caption, most, colour))
        return kept

    def figure(self, table, name="", caption=""):
        """Writes the table beside the page, and shows the picture that is drawn from the file."""
        kept = self._write(table, name)
        svg = figures.draw(kept)
        with open(os.path.join(self.page.out, self._file(name, "svg")), "w", encoding="utf-8") as out:
            out.write(svg)
        self.files.append(self._file(name, "svg"))
        self.html.append(f"<figure>{svg}<figcaption>{marked(caption or table.head.get('title', ''))}</figcaption></figure>")

    def recorded(self, name, caption="", show_figure=True):
        """Shows what was measured elsewhere, from recorded/NAME.tsv, apart and with its device and date."""
        path = os.path.join(RECORDED, name + ".tsv")
        if not os.path.exists(path):
            self.missing(f"Of another device nothing is recorded ({name}.tsv).")
            return
        try:
            kept = read_table(path)
            for key in ("device", "date"):
                if key not in kept.head:
                    raise TableError(f"'{name}.tsv' does not say its {key}")
        except TableError as error:
            self.missing(f"Nothing recorded can be shown: {str(error).replace(RECORDED + os.sep, '')}.")
            return
        head = kept.head
        inner = [f"<p>Recorded, not measured in this run: {marked(head['device'])}, {escape(head['date'])}. "
                 f"{marked(head.get('note', ''))}</p>"]
        inner.append(table_html(kept, caption, most=12 if kept.plot and show_figure else 40))
        if kept.plot and show_figure:
            kept.head["item"] = f"recorded-{name}"
            inner.append(f"<figure>{figures.draw(kept)}<figcaption>{marked(head.get('title', ''))}</figcaption></figure>")
        self.html.append('<div class="recorded">' + "".join(inner) + "</div>")

    def listing(self, left_title, left, right_title, right):
        """Two texts side by side; lines that only one of them has are marked."""
        ours, theirs = set(right.split("\n")), set(left.split("\n"))

        def lines(text, other, tag):
            return "\n".join(escape(line) if line in other else f"<{tag}>{escape(line)}</{tag}>"
                             for line in text.rstrip("\n").split("\n"))
        self.html.append(f'<div class="pair"><div>{marked(left_title)}<pre>{lines(left, ours, "del")}</pre></div>'
                         f'<div>{marked(right_title)}<pre>{lines(right, theirs, "ins")}</pre></div></div>')

    def text(self, text):
        self.html.append(f"<pre>{escape(text)}</pre>")

    def _file(self, name, ending):
        return f"{self.id}{'-' + name if name else ''}.{ending}"

    def _write(self, table, name):
        head = {"item": self.id + ("-" + name if name else ""), "title": table.head.get("title", self.title),
                **self.page.head, "date": self.page.date(),
                **{key: value for key, value in table.head.items() if key not in ("item", "title")}}
        path = os.path.join(self.page.out, self._file(name, "tsv"))
        Table(table.columns, table.rows, **head).write(path)
        if self._file(name, "tsv") not in self.files:
            self.files.append(self._file(name, "tsv"))
        return read_table(path)

    def render(self):
        files = ", ".join(f'<a href="{file}">{file}</a>' for file in self.files)
        return (f'<section id="{self.id}"><h3>{marked(self.title)} <code>{self.id}</code></h3>' + "\n".join(self.html) +
                (f'<p class="files">{files}</p>' if files else "") + "</section>")


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def table_html(table, caption="", most=40, colour=None):
    """A table as HTML; columns of numbers to the right, at most `most` rows. `colour(column, value)` gives a cell's class or
    ""."""
    shown = [at for at in range(len(table.columns)) if any(row[at] not in ("", None) for row in table.rows)]  # no empty columns
    table = Table([table.columns[at] for at in shown], [[row[at] for at in shown] for row in table.rows])
    numeric = [all(is_number(str(row[at])) or row[at] in ("", None) for row in table.rows) for at in range(len(table.columns))]
    out = ["<table>" + (f"<caption>{marked(caption)}</caption>" if caption else "") + "<tr>"]
    for name, right in zip(table.columns, numeric):
        out.append(f'<th class="n">{escape(name)}</th>' if right else f"<th>{escape(name)}</th>")
    out.append("</tr>")
    for row in table.rows[:most]:
        out.append("<tr>")
        for name, value, right in zip(table.columns, row, numeric):
            kind = (colour(name, value) if colour else "") or ("n" if right else "")
            out.append(f'<td class="{kind}">{marked(str(value))}</td>' if kind else f"<td>{marked(str(value))}</td>")
        out.append("</tr>")
    if len(table.rows) > most:
        out.append(f'<tr><td colspan="{len(table.columns)}">and {len(table.rows) - most} rows more in the file</td></tr>')
    return "".join(out) + "</table>"


class Chapter:
    """One work: what it is, and its items."""

    def __init__(self, page, identifier, title, words):
        self.page = page
        self.id = identifier
        self.title = title
        self.words = words
        self.items = []

    def item(self, identifier, title):
        one = Item(self.page, identifier, title)
        self.items.append(one)
        return one

    def render(self):
        return (f'<section id="{self.id}"><h2>{marked(self.title)}</h2><p>{marked(self.words)}</p>' +
                "\n".join(item.render() for item in self.items) + "</section>")


class Page:
    """The report: a block on the machine, the chapters, the commands."""

    def __init__(self, out, head, dates):
        self.out = out
        self.head = head  # of each table: machine, program, sizes
        self.chapters = []
        self._dates = dates  # of all results so far
        self._begin = 0  # of those of the chapter

    def chapter(self, identifier, title, words):
        one = Chapter(self, identifier, title, words)
        self.chapters.append(one)
        self._begin = len(self._dates)
        return one

    def date(self):
        """The oldest and the newest day of the chapter's results so far; of all results where the chapter has none."""
        return span(self._dates[self._begin:] or self._dates)

    def write(self, machine_html, commands, foot):
        links = "".join(f'<div><a href="#{chapter.id}"><b>{escape(chapter.title)}</b></a><br>' +
                        ", ".join(f'<a href="#{item.id}">{item.id}</a>' for item in chapter.items) + "</div>"
                        for chapter in self.chapters)
        lacks = [(item, text) for chapter in self.chapters for item in chapter.items for text in item.lacks]
        missing = "".join(f'<tr><td><a href="#{item.id}">{item.id}</a></td><td>{marked(text)}</td></tr>' for item, text in lacks)
        html = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>portable-hpc: five works reproduced</title>'
                f"<style>{CSS}</style></head><body>\n<h1>Five works, measured again by portable-hpc</h1>\n" +
                '<p>Each chapter has what a work claimed (marked in yellow), what this machine says now, and what it cannot say (marked in '
                "red). Numbers of other devices stand in dashed boxes with device and date. The rows behind each table and picture "
                f"are in the file that is named below it.</p>\n{machine_html}\n<nav>{links}</nav>\n" +
                "\n".join(chapter.render() for chapter in self.chapters) +
                '\n<section id="missing"><h2>What this report does not have</h2>' +
                (f"<table><tr><th>item</th><th>what and why</th></tr>{missing}</table>" if missing
                 else "<p>Nothing is missing.</p>") +
                '</section>\n<section id="commands"><h2>Commands</h2><p>In the order in which they ran; SCRATCH is a temporary folder, '
                "PREFIX the program's. What each said is in <code>raw/</code>.</p><pre>" + escape("\n".join(commands)) +
                f"</pre><p>{marked(foot)}</p></section>\n</body></html>\n")
        path = os.path.join(self.out, "index.html")
        with open(path + ".new", "w", encoding="utf-8") as out:
            out.write(html)
        os.replace(path + ".new", path)
        return path
