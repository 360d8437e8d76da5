// SPDX-License-Identifier: Apache-2.0
#include "sweep_picture.h"

#include <math.h>
#include <stdio.h>

void sweep_picture_number(double x, char out[32]) {
  snprintf(out, 32, "%.3g", fabs(x) < 1e-12 ? 0 : x);
}

void sweep_picture_axes(Picture* p, SweepBox b, const SweepRange* rx, const SweepRange* ry,
                        const char* x_name, const char* y_name, double size) {
  char text[32];
  for (int k = 0; k <= 4; k += 2) {
    sweep_picture_number(sweep_range_value(rx, k / 4.), text);
    picture_text(p, b.x + b.width * k / 4, b.y + b.height + 1.4 * size, size,
                 k == 0 ? PICTURE_LEFT : (k == 4 ? PICTURE_RIGHT : PICTURE_MIDDLE), 0x333333, text);
    if (!ry) continue;
    sweep_picture_number(sweep_range_value(ry, k / 4.), text);
    picture_text(p, b.x - 5,
                 b.y + b.height * (1 - k / 4.) + (k == 0 ? 0 : (k == 4 ? 0.8 : 0.35)) * size, size,
                 PICTURE_RIGHT, 0x333333, text);
  }
  picture_text(p, b.x + b.width / 2, b.y + b.height + 2.8 * size, size, PICTURE_MIDDLE, 0x000000,
               x_name);
  picture_text(p, b.x, b.y - 0.5 * size, size, PICTURE_LEFT, 0x000000, y_name);
}

void sweep_picture_histogram(Picture* p, const SweepData* d, int z, int bins, int width, int height,
                             double size) {
  double count[SWEEP_BINS_MAX] = {0}, most = 0, known = 0;
  char title[200], text[64];
  const Hdf5Column* c = &d->sweep->column[z];
  const SweepRange r = sweep_range(d, z);
  for (int64_t i = 0; i < d->runs; ++i) {
    const int k = sweep_range_bin(&r, d->column[z][i], bins);
    if (k < 0) continue;
    ++known;
    if (++count[k] > most) most = count[k];
  }
  snprintf(title, sizeof title, "%s%s%s%s: %.0f of %lld runs", c->name, c->unit[0] ? " [" : "",
           c->unit, c->unit[0] ? "]" : "", known, (long long)d->runs);
  const SweepBox b = {6 * size, 4.2 * size, width - 9 * size, height - 7.7 * size};
  picture_text(p, b.x, 2 * size, 1.33 * size, PICTURE_LEFT, 0x000000, title);
  for (int k = 0; k <= 4; ++k) {
    const double y = b.y + b.height * (1 - k / 4.);
    picture_box(p, b.x, y, b.width, 1, 0xcccccc);
    snprintf(text, sizeof text, "%.4g", most * k / 4);
    picture_text(p, b.x - 0.5 * size, y + 0.4 * size, size, PICTURE_RIGHT, 0x333333, text);
  }
  for (int k = 0; k < bins && most > 0; ++k)
    picture_box(p, b.x + b.width * k / bins, b.y + b.height * (1 - count[k] / most),
                b.width / bins - (b.width / bins > 4), b.height * count[k] / most, 0x2a788e);
  sweep_picture_axes(p, b, &r, NULL, c->name, "runs", size);
}
