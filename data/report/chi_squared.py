"""Chi-squared and its p-value: the statistic of the SYCL-FFT paper, and one beside it that can fail."""
import math

import numpy


def chi_squared_tail(value, degrees):
    """P(chi^2 >= value) for that many degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5), for thousands of them too."""
    if value <= 0:
        return 1.0
    half = value / 2
    odd = degrees % 2
    terms = [-half + (i + odd / 2) * math.log(half) - math.lgamma(i + 1 + odd / 2) for i in range((degrees - odd) // 2)]
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    if terms:
        most = max(terms)
        total += math.exp(most) * sum(math.exp(term - most) for term in terms)
    return min(1.0, total)


def histogram_statistic(result, reference):
    """(chi^2 / ndf, p) of histograms of the magnitudes: sqrt(n) bins of equal width in the logarithm, from the reference's
    smallest to its largest; chi^2 = sum (s - r)^2 / r, with 1 for r = 0. This is the paper's, and that of `portable-hpc fft
    --bench`."""
    expected, found = numpy.abs(reference), numpy.abs(result)
    bins = max(4, round(math.sqrt(len(expected))))
    low = max(expected.min(), expected.max() * float(numpy.finfo(numpy.float32).eps))
    width = math.log(expected.max() / low) / bins

    def counts(values):
        places = numpy.log(numpy.maximum(values, low) / low) / width if width > 0 else numpy.zeros(len(values))
        return numpy.bincount(numpy.minimum(places.astype(int), bins - 1), minlength=bins)
    r, s = counts(expected), counts(found)
    chi = float(((s - r)**2 / numpy.maximum(r, 1)).sum())
    return chi / (bins - 1), chi_squared_tail(chi, bins - 1)


def allowed_deviation(reference):
    """What rounding in f32 may leave in each real number of a spectrum: white noise whose norm is 1e-7 sqrt(log2 n) of the
    spectrum's, the limit that the project's tests hold every length of small prime factors to."""
    n = len(reference)
    return 1e-7 * math.sqrt(math.log2(n)) * float(numpy.linalg.norm(reference)) / math.sqrt(2 * n)


def frequency_statistic(result, reference, allowed=None):
    """(chi^2 / ndf, p) of the differences at each frequency, real and imaginary, by what rounding may leave there (`allowed`, or
    that of one rounded spectrum): 2 n degrees."""
    scale = allowed_deviation(reference) if allowed is None else allowed
    differences = (numpy.asarray(result, numpy.complex128) - reference).view(numpy.float64) / scale
    chi = float((differences**2).sum())
    return chi / len(differences), chi_squared_tail(chi, len(differences))
