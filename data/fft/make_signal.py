#!/usr/bin/env python3
"""Writes data/fft/tones.npy: 64 float32 samples of three tones, for the demo. Run from the repository's root."""

import math
import struct

LENGTH = 64
TONES = [(3, 1.0), (10, 0.5), (21, 0.25)]  # periods in the signal, amplitude

samples = [sum(a * math.cos(2 * math.pi * f * t / LENGTH) for f, a in TONES) for t in range(LENGTH)]
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % LENGTH
header = header.ljust(117) + "\n"  # data start on a multiple of 64 bytes
with open("data/fft/tones.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<%df" % LENGTH, *samples))
