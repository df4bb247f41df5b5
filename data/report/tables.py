"""Tables as TSV files: what the report writes beside its page, draws its pictures from, and merge.py puts together.

A file begins with lines `# key: value`: what the table is (`item`, `title`), where its numbers come from (`machine`, `program`,
`date`) and, where it has a picture, how it is drawn (`plot`, in JSON). Then follow the columns' names and the rows. An empty
field is a number that is not there.
"""
import json
import math


class TableError(Exception):
    """A file that is no such table; its text is one line that names the file."""


class Table:
    """Columns, rows (lists of str, int, float or None) and what is said of them above."""

    def __init__(self, columns, rows=(), **head):
        self.columns = list(columns)
        self.rows = [list(row) for row in rows]
        self.head = dict(head)

    def add(self, *row):
        if len(row) != len(self.columns):
            raise ValueError(f"{len(row)} fields for {len(self.columns)} columns")
        self.rows.append(list(row))

    def column(self, name):
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def numbers(self, name):
        """The column's numbers; NaN where there is none."""
        return [to_number(value) for value in self.column(name)]

    def where(self, **wanted):
        """The rows that have these values in these columns, as a table of the same columns and head."""
        places = [(self.columns.index(name), str(value)) for name, value in wanted.items()]
        return Table(self.columns, [row for row in self.rows if all(str(row[at]) == value for at, value in places)], **self.head)

    @property
    def plot(self):
        return self.head.get("plot")

    def write(self, path):
        lines = []
        for key, value in self.head.items():
            text = json.dumps(value, ensure_ascii=False) if key == "plot" else str(value)
            lines.append(f"# {key}: " + " ".join(text.split("\n")))
        lines.append("\t".join(self.columns))
        lines += ["\t".join(to_field(value) for value in row) for row in self.rows]
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")


def to_field(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value).replace("\t", " ").replace("\n", " ")


def to_number(value):
    if value is None or value == "":
        return math.nan
    return float(value)


def read_table(path):
    """The table of a file. Throws TableError."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise TableError(f"cannot open '{path}' ({error.strerror})") from None
    except UnicodeDecodeError:
        raise TableError(f"'{path}' is not text in UTF-8; give a .tsv file that report.py has written") from None
    head, columns, rows = {}, None, []
    for number, line in enumerate(lines, 1):
        if columns is None and line.startswith("# "):
            key, colon, value = line[2:].partition(": ")
            if not colon:
                raise TableError(f"'{path}', line {number}: no 'key: value' after the #")
            head[key] = value
        elif columns is None:
            columns = line.split("\t")
        elif line:
            fields = line.split("\t")
            if len(fields) != len(columns):
                raise TableError(f"'{path}', line {number}: {len(fields)} fields, and {len(columns)} columns")
            rows.append(fields)
    if not columns or columns == [""]:
        raise TableError(f"'{path}' has no line of column names")
    if not rows:
        raise TableError(f"'{path}' has no rows")
    if "plot" in head:
        try:
            head["plot"] = json.loads(head["plot"])
        except ValueError:
            raise TableError(f"'{path}': its line '# plot:' is not JSON") from None
        check_plot(path, head["plot"], columns, rows)
    return Table(columns, rows, **head)


# What a roofline is drawn of: points, bandwidths and rates.
ROOFLINE_COLUMNS = ["kind", "name", "level", "operations_per_byte", "GFLOP_per_s", "GB_per_s"]


def check_plot(path, plot, columns, rows):
    """Throws TableError where a picture names columns that are not there, or would draw what is not a number."""
    if not isinstance(plot, dict):
        raise TableError(f"'{path}': its line '# plot:' is not a JSON object")
    named = [plot.get(key) for key in ("x", "y", "low", "high", "panel")] + plot.get("by", [])
    named += ROOFLINE_COLUMNS if plot.get("kind") == "roofline" else []
    for name in named:
        if name is not None and name not in columns:
            raise TableError(f"'{path}': its picture needs a column '{name}', which is not there")
    drawn = [plot[key] for key in ("y", "low", "high") if plot.get(key)]
    drawn += ROOFLINE_COLUMNS[3:] if plot.get("kind") == "roofline" else []
    drawn += [plot["x"]] if plot.get("x") and plot.get("kind") in ("lines", "points", "stems") else []
    for name in drawn:
        at = columns.index(name)
        for row in rows:
            try:
                to_number(row[at])
            except ValueError:
                raise TableError(f"'{path}': '{row[at]}' in column '{name}' is not a number") from None
