#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the constants of src/math/elementary*.h and sincos_packet.h.

Needs mpmath. Every constant is computed with 1500 bits and printed as a C hexadecimal literal, so
that each digit in the sources can be derived again. Nothing here runs when Heft is built.
"""
from mpmath import mp, mpf, pi, log, atan, sin, cos, floor, ldexp, factorial

mp.prec = 1500


def chop(v, bits):
    """v cut (towards zero) to `bits` significant bits."""
    m, e = mp.frexp(abs(v))
    return mp.sign(v) * ldexp(floor(ldexp(m, bits)), int(e) - bits)


def split(v, widths):
    """v as a sum of parts with the given widths; the last one is rounded to a double."""
    parts = []
    for w in widths:
        parts.append(chop(v, w))
        v -= parts[-1]
    parts.append(mpf(float(v)))
    return parts


def nearly_minimax(f, top, terms, weight):
    """Coefficients of a polynomial for f on [0, top]: weighted least squares at Chebyshev nodes.

    The constant term is rounded to a double first and the others fitted again to what is left, and
    so on: what rounding took from one coefficient is thereby mostly made good by the next ones."""
    nodes = [top / 2 * (1 + mp.cos(pi * (2 * i + 1) / 80)) for i in range(40)]
    coefs = []
    for done in range(terms):
        a = mp.matrix([[weight(z) * z**j for j in range(done, terms)] for z in nodes])
        b = mp.matrix([weight(z) * (f(z) - sum(c * z**i for i, c in enumerate(coefs)))
                       for z in nodes])
        coefs.append(mpf(float(mp.lu_solve(a.T * a, a.T * b)[0])))
    return coefs


def worst(f, coefs, top, weight):
    """log2 of the largest weighted error of the polynomial on [0, top]."""
    e = max(abs(weight(z) * (f(z) - sum(c * z**i for i, c in enumerate(coefs))))
            for z in (top * i / 2000 for i in range(1, 2001)))
    return float(log(e, 2))


def show(name, values):
    print(name)
    for v in values:
        print("   ", float(v).hex() + ",", "//", float(v))


def main():
    show("pi/2 in 32-bit parts", split(pi / 2, [32, 32, 32]))
    show("2/pi", [2 / pi])
    top = (pi / 4 + mpf(1) / 1024) ** 2
    fs = lambda z: (sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    weight = lambda z: z
    s = nearly_minimax(fs, top, 6, weight)
    show("sin: x^3 ... x^13, error 2^%.1f of x" % worst(fs, s, top, weight), s)
    fc = lambda z: (cos(mp.sqrt(z)) - 1 + z / 2) / z**2
    weight = lambda z: z * z
    c = nearly_minimax(fc, top, 6, weight)
    show("cos: x^4 ... x^14, error 2^%.1f" % worst(fc, c, top, weight), c)
    bits = int(floor(ldexp(2 / pi, 64 * 19)))
    words = [0] + [(bits >> (64 * (18 - i))) & (2**64 - 1) for i in range(19)]
    print("bits of 2/pi after 64 zeros")
    for w in words:
        print("    0x%016X," % w)
    halfpi = int(floor(ldexp(pi / 2, 127)))
    print("pi/2 * 2^127: 0x%016X 0x%016X" % (halfpi >> 64, halfpi & (2**64 - 1)))
    show("ln 2 in 40 bits + rest", split(log(2), [40]))
    show("1/ln 2", [1 / log(2)])
    show("1/k! for k = 2..13", [1 / factorial(k) for k in range(2, 14)])
    show("pi/2, low", split(pi / 2, [53]))
    for k in range(9):
        show("atan(%d/8)" % k, [float(atan(mpf(k) / 8)), atan(mpf(k) / 8) - float(atan(mpf(k) / 8))])


if __name__ == "__main__":
    main()
