// SPDX-License-Identifier: Apache-2.0
// Histograms with logarithmic bins: bin i counts values from first * e^(i width) to
// first * e^((i + 1) width). The lowest bin counts all smaller values too, the highest all larger.
#ifndef HEFT_SRC_MATH_HISTOGRAM_H
#define HEFT_SRC_MATH_HISTOGRAM_H

#include <heft/math.h>

typedef struct HistogramScale {
  double first;  ///< lower edge of bin 0
  double width;  ///< of a bin, as a logarithm
  int count;     ///< bins
} HistogramScale;

/// The bin of a value. NaN is counted in bin 0.
static inline int histogram_bin(HistogramScale scale, double value) {
  if (!(value > scale.first)) return 0;
  const double bin = heft_log(value / scale.first) / scale.width;
  return bin < scale.count - 1 ? (int)bin : scale.count - 1;
}

/// The upper edge of the bin in which the share `share` (0 to 1) of all values is reached; 0 if
/// there are no values.
static inline double histogram_quantile(HistogramScale scale, const long* bins, double share) {
  long all = 0, sum = 0;
  for (int i = 0; i < scale.count; ++i) all += bins[i];
  for (int i = 0; i < scale.count && all > 0; ++i) {
    sum += bins[i];
    if ((double)sum >= share * (double)all) return scale.first * heft_exp((i + 1) * scale.width);
  }
  return 0;
}

#endif
