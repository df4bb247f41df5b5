"""Of the chapter on SYCL-FFT: spectra of f(x) = x, N = 2048, beside the vendor's library's and the exact one."""
import numpy

from chi_squared import allowed_deviation, frequency_statistic, histogram_statistic
from fft_runs import LONGEST, exact_spectrum
from tables import Table


def figures_4_and_5(chapter, here, runs):
    first = ([run for run in runs if run.device.is_gpu] + runs)[:1]  # as the paper's, a GPU beside its vendor's library
    for number, these in ((4, first), (5, [run for run in runs if run not in first])):
        item = chapter.item(f"sycl-fft-fig-{number}", f"Fig. {number}: difference by frequency, N = 2048, " +
                            ("first device" if number == 4 else "the other devices"))
        item.claim("|ours - cuFFT| / ours by frequency, N = 2048, up to about 6e-5 %; chi^2/ndf 3.47e-3 beside cuFFT, 7.21e-4 "
                   "beside rocFFT, p = 1.0 for both.")
        beside_libraries(item, these)
        beside_exact(item, these)
        if not these:
            item.missing("There is one device here, and Fig. 4 has it.")
        if not here.machine.gpus and number == 4:
            item.recorded("sycl-fft-fig-4-beside")


def beside_libraries(item, runs):
    """The paper's picture, in percent of our magnitude."""
    table = Table(["device", "frequency", "difference_percent"],
                  title="|ours - theirs| / |ours| by frequency, both in f32",
                  plot={"kind": "stems", "x": "frequency", "y": "difference_percent", "by": ["device"], "panel": "device",
                        "xlabel": "frequency", "ylabel": "difference (%)"})
    for run in runs:
        ours, theirs = run.spectrum(), run.spectrum(run.library)
        if ours is None or theirs is None:
            if run.why_alone:
                item.missing(f"No library's spectrum beside ours on {run.shown}: {run.why_alone}.")
            continue
        name = f"{run.library_shown} beside ours on {run.shown}"
        shares = 100 * numpy.abs(ours - theirs) / numpy.abs(ours)
        for frequency, share in enumerate(shares):
            table.add(name, frequency, float(share))
        item.say(f"{name}: {float(shares.max()):.2g} % at most, at frequency {int(shares.argmax())} of "
                 f"magnitude {float(numpy.abs(ours[shares.argmax()])):.3g}; {float(shares.mean()):.2g} % on average.")
    if table.rows:
        item.figure(table, name="beside")


def beside_exact(item, runs):
    """Which of the two is right: the difference from NumPy's transform in f64."""
    exact = exact_spectrum()
    allowed = allowed_deviation(exact)
    table = Table(["device", "frequency", "difference", "low", "high"],
                  title="Difference of ours (f32) from NumPy's transform (f64), real parts; band: what rounding may leave, one "
                  "deviation",
                  plot={"kind": "stems", "x": "frequency", "y": "difference", "low": "low", "high": "high", "by": ["device"],
                        "panel": "device", "xlabel": "frequency", "ylabel": "ours - NumPy's"})
    for run in runs:
        if run.spectrum() is None:
            item.missing(f"No spectrum of {run.shown}: {run.why or 'the program wrote none'}.")
            continue
        for frequency, value in enumerate(numpy.real(run.spectrum() - exact)):
            table.add(run.shown, frequency, float(value), -allowed, allowed)
        shares = 100 * numpy.abs(run.spectrum() - exact) / numpy.abs(exact)
        item.say(f"On {run.shown} a frequency differs from the exact one by {float(shares.max()):.2g} % of its magnitude at most "
                 f"and by {float(shares.mean()):.2g} % on average.")
    if table.rows:
        item.figure(table)


def statistic(chapter, runs):
    item = chapter.item("sycl-fft-chi2", "Chi-squared: the paper's, and one that can fail")
    item.claim("chi^2/ndf of the histograms of two spectra, 3.47e-3 and 7.21e-4, p = 1.0: taken as agreement.")
    exact = exact_spectrum()
    table = Table(["device", "spectrum", "histogram_chi2_per_ndf", "histogram_p", "frequency_chi2_per_ndf", "frequency_p"])
    for run in runs:
        ours, theirs = run.spectrum(), run.spectrum(run.library)
        if ours is None:
            item.missing(f"No spectrum of {run.shown}: {run.why or 'the program wrote none'}.")
            continue
        compared = [("ours", ours), ("ours, reversed", ours[::-1].copy()), ("ours with an error of 1e-5", ours * (1 + 1e-5))]
        if theirs is not None:
            compared.append((run.library, theirs))
        for name, values in compared:
            table.add(run.shown, name, *histogram_statistic(values, exact), *frequency_statistic(values, exact))
        if theirs is not None:  # both are rounded
            chi, p = frequency_statistic(ours, theirs, 2**0.5 * allowed_deviation(exact))
            table.add(run.shown, f"ours against {run.library}", *histogram_statistic(ours, theirs), chi, p)
    if not table.rows:
        return
    item.table(table, caption="Against NumPy's transform in f64, or against the library named, N = 2048. The two faults are made on "
               "purpose.")
    item.say("The paper's statistic counts how many magnitudes fall into each bin of a histogram. It cannot see at which frequency "
             "a magnitude stands, so that a reversed spectrum passes with p = 1, nor an error that leaves magnitudes in their "
             "bins, such as 1e-5 of every number. The statistic beside it takes the difference at each frequency by what rounding "
             "in f32 may leave there (white noise of 1e-7 sqrt(log2 N) of the spectrum's norm, between two rounded spectra sqrt(2) "
             "times that). To be expected are chi^2/ndf below "
             "1 and p near 1 of right results, and p = 0 of both faults. " + verdict(table))
    told = Table(["device", "library", "chi2_per_ndf", "p", "relative_error", "round_trip_error", "difference_from_ours",
                  "difference_chi2_per_ndf", "difference_p"])
    for run in runs:
        for library in run.libraries:
            row = run.rows(library).get(LONGEST)
            if row:
                told.add(run.shown, library, *(row[name] for name in ("chi2_per_ndf", "p_value", "relative_error",
                                                                      "round_trip_error", "difference", "difference_chi2_per_ndf",
                                                                      "difference_p_value")))
    if told.rows:
        item.table(told, name="bench", caption="What `fft --bench` says itself at N = 2048, against a transform in extended "
                   "precision")


def verdict(table):
    """What the rows say of the statistic by frequency."""
    right = [row for row in table.rows if row[1] == "ours"]
    passing = [row[0] for row in right if row[4] < 1 and row[5] > 0.5]
    failing = [row[0] for row in right if row[0] not in passing]
    unseen = [f"{row[1]} on {row[0]}" for row in table.rows if row[1] in ("ours, reversed", "ours with an error of 1e-5") and
              not row[5] < 1e-12]
    words = f"Ours have not, on {', '.join(failing)}." if failing else "Ours have that here."
    return words + (f" Faults that it did not see here: {', '.join(unseen)}." if unseen else " It saw all faults here.")
