#!/usr/bin/env python3
"""Writes data/newton/step1.npz and step2.npz: the linear systems of the first two steps of Newton's method for one step of backward
Euler on a batch of stiff reactions, for the demo. Run from the repository's root.

Robertson's three species, y1' = -k1 y1 + k3 y2 y3, y2' = k1 y1 - k3 y2 y3 - k2 y2^2, y3' = k2 y2^2 (Hairer and Wanner, Solving
Ordinary Differential Equations II, chapter IV.1), react in a row of cells and diffuse between them. System i has k1 multiplied by
1 + i / 8. With f the rates of change and z the next iterate, Newton's step from y is

    (I - dt f'(y)) z = y_0 + dt (f(y) - f'(y) y),

so that the solution of one step is close to that of the next. (tests/examples/batch_kinetics.cpp integrates such a batch to its end.)
"""

import io
import struct
import zipfile

SYSTEMS, CELLS = 8, 8
ROWS = 3 * CELLS
K2, K3, DIFFUSION, DT = 3e7, 1e4, 0.5, 3


def k1_of(system):
    return 0.04 * (1 + system / 8)


def rates(k1, y):
    """f of the three species of a cell, without diffusion, and its derivatives."""
    f = [-k1 * y[0] + K3 * y[1] * y[2], 0, K2 * y[1] * y[1]]
    f[1] = -f[0] - f[2]
    derivatives = [[-k1, K3 * y[2], K3 * y[1]], [k1, -K3 * y[2] - 2 * K2 * y[1], -K3 * y[1]], [0, 2 * K2 * y[1], 0]]
    return f, derivatives


def newton_system(k1, start, y):
    """Matrix and right-hand side of Newton's step from y; dense."""
    jacobian = [[0.0] * ROWS for _ in range(ROWS)]
    f = [0.0] * ROWS
    for cell in range(CELLS):
        own, derivatives = rates(k1, y[3 * cell : 3 * cell + 3])
        for species in range(3):
            row = 3 * cell + species
            f[row] += own[species]
            for other in range(3):
                jacobian[row][3 * cell + other] += derivatives[species][other]
            for neighbour in (cell - 1, cell + 1):
                if 0 <= neighbour < CELLS:
                    column = 3 * neighbour + species
                    f[row] += DIFFUSION * (y[column] - y[row])
                    jacobian[row][column] += DIFFUSION
                    jacobian[row][row] -= DIFFUSION
    matrix = [[(i == j) - DT * jacobian[i][j] for j in range(ROWS)] for i in range(ROWS)]
    rhs = [start[i] + DT * (f[i] - sum(jacobian[i][j] * y[j] for j in range(ROWS))) for i in range(ROWS)]
    return matrix, rhs


def solve(matrix, rhs):
    """By elimination with exchanges of rows."""
    rows = [line[:] + [b] for line, b in zip(matrix, rhs)]
    for k in range(ROWS):
        pivot = max(range(k, ROWS), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, ROWS):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * ROWS
    for i in reversed(range(ROWS)):
        x[i] = (rows[i][ROWS] - sum(rows[i][j] * x[j] for j in range(i + 1, ROWS))) / rows[i][i]
    return x


def npy(descr, shape, data):
    """The bytes of a .npy file."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header = header.ljust(117 if len(header) < 117 else 181) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def write_npz(path, systems):
    """One pattern in SciPy's form (csr), `values` of shape (systems, entries), `rhs` of shape (systems, rows)."""
    columns = [[j for j in range(ROWS) if j // 3 == i // 3 or (abs(j // 3 - i // 3) == 1 and j % 3 == i % 3)] for i in range(ROWS)]
    entries = [(i, j) for i in range(ROWS) for j in columns[i]]
    offsets = [sum(len(columns[i]) for i in range(row)) for row in range(ROWS + 1)]
    values = [matrix[i][j] for matrix, _ in systems for i, j in entries]
    rhs = [b for _, right in systems for b in right]
    arrays = {
        "format": npy("|S3", "()", b"csr"),
        "shape": npy("<i8", "(2,)", struct.pack("<2q", ROWS, ROWS)),
        "indptr": npy("<i4", "(%d,)" % len(offsets), struct.pack("<%di" % len(offsets), *offsets)),
        "indices": npy("<i4", "(%d,)" % len(entries), struct.pack("<%di" % len(entries), *[j for _, j in entries])),
        "values": npy("<f8", "(%d, %d)" % (SYSTEMS, len(entries)), struct.pack("<%dd" % len(values), *values)),
        "rhs": npy("<f8", "(%d, %d)" % (SYSTEMS, ROWS), struct.pack("<%dd" % len(rhs), *rhs)),
    }
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    with open(path, "wb") as file:
        file.write(stored.getvalue())


starts = []
for system in range(SYSTEMS):
    slope = [0.5 * (2 * cell + 1 - CELLS) / CELLS for cell in range(CELLS)]
    most = [1 + slope[cell] for cell in range(CELLS)]
    # Species 2 where it is made as fast as it is used up.
    starts.append([value for y1 in most for value in (y1, (k1_of(system) * y1 / K2) ** 0.5, 0.0)])
y = [start[:] for start in starts]
for step in (1, 2):
    systems = [newton_system(k1_of(i), starts[i], y[i]) for i in range(SYSTEMS)]
    write_npz("data/newton/step%d.npz" % step, systems)
    y = [solve(*system) for system in systems]
