"""What `portable-hpc fft --bench` says of a device: times of ours and of the library beside it, by length and by pair, and their
spectra by frequency."""
import json
import os

import numpy

OURS = "portable-hpc"
LENGTHS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048]
LONGEST = 2048


class FftRun:
    """The run on one device. `library` is the name of what stands beside ours, "" where nothing does, and `why_alone` says why."""

    def __init__(self, here, device):
        self.device = device
        self.shown = device.shown
        table = os.path.join(here.runner.scratch, f"spectra-{device.label}.json")
        self.run = here.runner.portable_hpc(
            f"fft-bench-{device.label}", "fft", "--bench", "--lengths", ",".join(map(str, LENGTHS)), "--iterations",
            here.sizes.fft_iterations, "--histogram", "--spectra", table, "--device", device.label, "--format", "json",
            timeout=1800, made=table)
        self.why = self.run.why
        beside = (self.run.meta().get("bench", {}).get("libraries") or [{}])[0]
        self.library = beside.get("library", "")
        self.version = beside.get("version", "")
        self.why_alone = beside.get("missing", "")
        self._spectra = spectra_of(table) if self.run.ok else {}

    @property
    def libraries(self):
        return [OURS] + ([self.library] if self.library else [])

    @property
    def library_shown(self):
        return f"{self.library} {self.version}".strip()

    def rows(self, library=OURS):
        """{length: row of the table} of a library."""
        return {int(row["length"]): row for row in self.run.rows() if row.get("library", OURS) == library}

    def series(self, length, library=OURS):
        """{warm_up_us, pairs_us} of a length; {} where the program does not tell."""
        for entry in self.run.meta().get("bench", {}).get("series", []):
            if entry["length"] == length and entry.get("library", OURS) == library:
                return entry
        return {}

    def spectrum(self, library=OURS):
        """The spectrum of f(x) = x, N = 2048; None where there is none."""
        return self._spectra.get(library)


def spectra_of(path):
    """{library: spectrum of the longest transform} of a table that `fft --bench --spectra` wrote; {} where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
    except (OSError, ValueError, KeyError):
        return {}
    spectra = {}
    for row in rows:
        if row["length"] == LONGEST:
            spectra.setdefault(row["library"], []).append(complex(row["re"], row["im"]))
    return {library: numpy.array(values) for library, values in spectra.items() if len(values) == LONGEST}


def rows_of_ours(run):
    """The rows of `fft --bench` that are of this program's transforms."""
    return [row for row in run.rows() if row.get("library", OURS) == OURS]


def exact_spectrum():
    """NumPy's transform of f(x) = x, N = 2048, in f64: an oracle that shares nothing with the program."""
    return numpy.fft.fft(numpy.arange(LONGEST, dtype=numpy.float64))
