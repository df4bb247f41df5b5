#!/usr/bin/env python3
"""Writes data/fft/tones.npy, 64 float32 samples of three tones, and data/fft/chord.wav, half a second of sound on two channels,
for the demo. Run from the repository's root."""

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

RATE = 8000  # samples a second
CHANNELS = [[(440, 0.5), (660, 0.25)], [(1000, 0.125)]]  # frequency in Hz, amplitude

frames = [
    round(32767 * sum(a * math.sin(2 * math.pi * f * t / RATE) for f, a in tones)) for t in range(RATE // 2) for tones in CHANNELS
]
data = struct.pack("<%dh" % len(frames), *frames)
form = struct.pack("<HHIIHH", 1, len(CHANNELS), RATE, 4 * RATE, 4, 16)  # PCM, 16 bits
chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
with open("data/fft/chord.wav", "wb") as file:
    file.write(b"RIFF" + struct.pack("<I", len(chunks)) + chunks)
