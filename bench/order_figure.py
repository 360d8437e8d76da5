#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Draws the order of convergence from the rows of `heft validate order --csv`.
# usage: heft validate order --csv | bench/order_figure.py >docs/theory/figures/order.svg
import csv
import math
import re
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, LOW = 640, 400, 80, 150, 20, 50
COLORS = ['#1f77b4', '#17a2b8', '#2ca02c', '#9467bd', '#e08214', '#d62728']
ROW = re.compile(r'(.+): change from steps of ([\d.]+) ms to')


def read():
    curves = {}
    for row in csv.reader(sys.stdin):
        found = ROW.search(row[2]) if len(row) > 4 else None
        if not found:
            continue
        curves.setdefault(found.group(1), []).append((float(found.group(2)), float(row[4])))
    return curves


def main():
    curves = read()
    steps = [h for c in curves.values() for h, _ in c]
    errors = [e for c in curves.values() for _, e in c]
    x0, x1 = math.log10(min(steps)) - 0.1, math.log10(max(steps)) + 0.1
    y0, y1 = math.floor(math.log10(min(errors))), math.ceil(math.log10(max(errors)))

    def x(h):
        return LEFT + (math.log10(h) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)

    def y(e):
        return HEIGHT - LOW - (math.log10(e) - y0) / (y1 - y0) * (HEIGHT - LOW - TOP)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">' % (WIDTH, HEIGHT),
           '<rect width="%d" height="%d" fill="white"/>' % (WIDTH, HEIGHT)]
    for d in range(y0, y1 + 1):
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (LEFT, WIDTH - RIGHT, y(10.0**d), y(10.0**d)))
        out.append('<text x="%d" y="%.1f" text-anchor="end">1e%d</text>' % (LEFT - 8, y(10.0**d) + 4, d))
    for h in sorted(set(steps)):
        out.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#eee"/>' % (x(h), x(h), TOP, HEIGHT - LOW))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%g</text>' % (x(h), HEIGHT - LOW + 18, h))
    out.append('<text x="%d" y="%d" text-anchor="middle">time step [ms]</text>' % ((LEFT + WIDTH - RIGHT) // 2, HEIGHT - 10))
    out.append('<text x="18" y="%d" text-anchor="middle" transform="rotate(-90 18 %d)">change by half the step [m, rad, and per s]</text>'
               % ((HEIGHT - LOW + TOP) // 2, (HEIGHT - LOW + TOP) // 2))
    taken = []
    for color, (name, points) in zip(COLORS, sorted(curves.items(), key=lambda c: -c[1][0][1])):
        slope = math.log2(points[0][1] / points[-1][1]) / (len(points) - 1)
        path = ' '.join('%.1f,%.1f' % (x(h), y(e)) for h, e in points)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, color))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (x(h), y(e), color) for h, e in points]
        label = y(points[0][1]) + 4
        while any(abs(label - t) < 15 for t in taken):
            label += 3
        taken.append(label)
        out.append('<text x="%d" y="%.1f" fill="%s">%s: %.2f</text>' % (WIDTH - RIGHT + 6, label, color, name, slope))
    print('\n'.join(out + ['</svg>']))


main()
