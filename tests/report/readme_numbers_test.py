#!/usr/bin/env python3
"""readme_numbers_test.py SOURCE: the README quotes what data/report/recorded holds, and no measured number beside that."""
import os
import re
import sys
import unittest

SOURCE = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(SOURCE, "data/report"))
sys.dont_write_bytecode = True

import quoted  # noqa: E402  (of the report)
from tables import TableError  # noqa: E402

# A number and a unit of time, of bytes, of a rate, or per cent.
UNIT = "s|ms|us|ns|min|minutes|seconds|MB|GB|GB/s|MB/s|%"
MEASURED = re.compile(rf"\d(?:[\d.]|(?<=\d) (?=\d{{3}}\b))*(?: to [\d.]+)? (?:{UNIT})(?![\w/])")


def text_of_readme():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        return file.read()


def prose(readme):
    """The README without its examples, which are indented, and without the table of what was measured; one blank for each
    white space."""
    lines = [line for line in readme.split("\n") if not line.startswith("    ")]
    return " ".join(" ".join(lines).replace(" ".join(quoted.markdown(quoted.quoted_table()).split("\n")), " ").split())


class Readme(unittest.TestCase):
    def test_its_table_is_that_of_the_recorded_numbers(self):
        self.assertTrue(quoted.markdown(quoted.quoted_table()) in text_of_readme(),
                        "the README's table is not the one that data/report/quoted.py prints")

    def test_each_number_with_a_unit_in_its_text_is_recorded(self):
        text = prose(text_of_readme())
        words = quoted.recorded("readme-words").column("words")
        for phrase in words:
            self.assertTrue(phrase in text, f"the README no longer has '{phrase}', which recorded/readme-words.tsv has")
            text = text.replace(phrase, " ")
        self.assertEqual(MEASURED.findall(text), [], "numbers of the README that recorded/readme-words.tsv does not have")

    def test_the_pattern_finds_numbers(self):
        found = MEASURED.findall("in 0.3 s, 4 GB/s and 1 000 ms; 10 to 15 seconds, 5 % (not 3 systems, 64 MB2, 12 minds)")
        self.assertEqual(found, ["0.3 s", "4 GB/s", "1 000 ms", "10 to 15 seconds", "5 %"])

    def test_a_row_that_is_not_there_is_an_error(self):
        with self.assertRaises(TableError):
            quoted.only(quoted.recorded("batch-fig-4a"), "time_ms", {"solver": "none"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
