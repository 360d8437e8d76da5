// SPDX-License-Identifier: Apache-2.0
// Probabilities from ensembles, and whether they are right.
//
// An ensemble repeats a run with other values of all that is not known: parameters within the
// intervals of an identification, the start within the errors of its measurement, scatter of
// impacts. Of M runs n_k end in outcome k. If the ensemble is right, the outcome that happens is
// one more draw, and (n_k + 1/2) / (M + K/2) is its probability by Jeffreys' prior. An ensemble
// that leaves something out is too sure of itself, or of the wrong thing. Observed outcomes show
// it, and
//
//     p_k = (n_k + a)^b / Σ (n_j + a)^b                                                         (1)
//
// mends it: b < 1 takes certainty from all forecasts, a > 1/2 from those that are quite certain. a
// and b minimise the log loss, the mean of -log p of what happened, which no other probabilities
// than the true ones minimise ([Gneiting 2007]). A few hundred observations determine them badly,
// so that they are expected near 1/2 and 1, within factors of e and 1.35 (deviations of a normal
// distribution of their logarithms), and the most probable values are taken. b is found by golden
// sections for each a of a fine grid; the loss is convex in b, a log-sum-exp less a linear
// function.
//
// Regions of continuous outcomes have Mahalanobis' distance. If N observations were as the
// next one, the distance of the next one is below the k-th smallest of theirs with a probability of
// k / (N + 1), whatever the distribution ([Vovk 2005]): so the size is that of k = p (N + 1).
#include <heft/math.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "identify/identify.h"

static const double bin_edge[HEFT_FORECAST_BINS + 1] = {0,    0.01, 0.1,  0.25, 0.5,
                                                        0.75, 0.9,  0.99, 1.0};

HeftTrust heft_trust_default(void) { return (HeftTrust){.extra = 0.5, .power = 1}; }

void heft_forecast_probabilities(const HeftForecast* f, HeftTrust trust, double* p) {
  HEFT_REQUIRE_VOID(f && p && f->outcomes >= 2 && f->outcomes <= HEFT_OUTCOMES_MAX);
  HEFT_REQUIRE_VOID(trust.extra > 0);
  double most = 0, sum = 0;
  for (int k = 0; k < f->outcomes; ++k) most = fmax(most, f->runs[k] + trust.extra);
  for (int k = 0; k < f->outcomes; ++k) {
    p[k] = heft_exp(trust.power * heft_log((f->runs[k] + trust.extra) / most));
    sum += p[k];
  }
  for (int k = 0; k < f->outcomes; ++k) p[k] /= sum;
}

static double mean_loss(const HeftForecast* f, long count, HeftTrust trust) {
  const double a = heft_log(trust.extra / 0.5), b = heft_log(trust.power) / 0.3;
  double sum = 0.5 * (a * a + b * b), p[HEFT_OUTCOMES_MAX];
  long known = 0;
  for (long i = 0; i < count; ++i) {
    if (f[i].happened < 0) continue;
    heft_forecast_probabilities(&f[i], trust, p);
    sum -= heft_log(fmax(p[f[i].happened], 1e-300));
    ++known;
  }
  return known > 0 ? sum / (double)known : 0;
}

// The best power for an `extra`.
static double find_power(const HeftForecast* f, long count, HeftTrust* trust) {
  const double golden = 0.6180339887498949;
  double low = 0.05, high = 4;
  double x[2] = {high - golden * (high - low), low + golden * (high - low)}, y[2];
  for (int i = 0; i < 2; ++i) y[i] = mean_loss(f, count, (HeftTrust){trust->extra, x[i]});
  while (high - low > 1e-3) {
    const int left = y[0] <= y[1];
    *(left ? &high : &low) = x[left];
    x[left] = x[!left];
    y[left] = y[!left];
    x[!left] = left ? high - golden * (high - low) : low + golden * (high - low);
    y[!left] = mean_loss(f, count, (HeftTrust){trust->extra, x[!left]});
  }
  trust->power = 0.5 * (low + high);
  return mean_loss(f, count, *trust);
}

HeftStatus heft_trust_fit(const HeftForecast* f, long count, HeftTrust* out, HeftError* error) {
  HEFT_REQUIRE(f && out, HEFT_ERR_ARGUMENT);
  double least = (double)INFINITY;
  long known = 0;
  for (long i = 0; i < count; ++i) known += f[i].happened >= 0;
  *out = heft_trust_default();
  if (known < 10)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "%ld observations are too few to learn how far to trust an ensemble; it "
                          "takes 10 at least, and 100 for figures to rely on",
                          known);
  double extra = 0.05;
  for (int i = 0; i <= 30; ++i, extra *= 1.25) {  // to 40
    HeftTrust trust = {extra, 1};
    const double loss = find_power(f, count, &trust);
    if (loss < least) {
      least = loss;
      *out = trust;
    }
  }
  return HEFT_OK;
}

static void count_outcome(HeftForecastScore* s, double p, bool happened) {
  int b = 0;
  while (b < HEFT_FORECAST_BINS - 1 && p >= bin_edge[b + 1]) ++b;
  HeftForecastBin* bin = &s->bin[b];
  ++bin->count;
  bin->happened += happened;
  bin->said += (p - bin->said) / (double)bin->count;
}

void heft_forecast_score(const HeftForecast* f, long count, HeftTrust trust,
                         HeftForecastScore* out) {
  HEFT_REQUIRE_VOID(f && out);
  double p[HEFT_OUTCOMES_MAX];
  memset(out, 0, sizeof *out);
  for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
    out->bin[b].low = bin_edge[b];
    out->bin[b].high = bin_edge[b + 1];
  }
  for (long i = 0; i < count; ++i) {
    if (f[i].happened < 0) continue;
    int likely = 0;
    ++out->count;
    heft_forecast_probabilities(&f[i], trust, p);
    for (int k = 0; k < f[i].outcomes; ++k) {
      likely = p[k] > p[likely] ? k : likely;
      count_outcome(out, p[k], k == f[i].happened);
      if (p[k] > 0) out->expected_loss -= p[k] * heft_log(p[k]);
    }
    out->log_loss -= heft_log(fmax(p[f[i].happened], 1e-300));
    out->hits += likely == f[i].happened;
  }
  const double all = out->count > 0 ? (double)out->count : 1;
  out->log_loss /= all;
  out->expected_loss /= all;
  out->hits /= all;
}

// ---- regions

double heft_region_distance(int n, long runs, const double* ensemble, const double* x) {
  HEFT_REQUIRE(ensemble && x && n >= 1 && n <= HEFT_REGION_MAX && runs > n, (double)INFINITY);
  double mean[HEFT_REGION_MAX] = {0}, c[HEFT_REGION_MAX][HEFT_REGION_MAX] = {{0}};
  for (long i = 0; i < runs; ++i)
    for (int k = 0; k < n; ++k) mean[k] += ensemble[i * n + k] / (double)runs;
  for (long i = 0; i < runs; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j <= k; ++j)
        c[k][j] +=
            (ensemble[i * n + k] - mean[k]) * (ensemble[i * n + j] - mean[j]) / (double)(runs - 1);
  // Cholesky's factor L, and |L⁻¹ (x - mean)|; a spread that is only rounding counts as that.
  double y[HEFT_REGION_MAX], sum = 0;
  for (int k = 0; k < n; ++k) {
    const double least = 1e-24 * (1 + mean[k] * mean[k]) + 1e-12 * c[k][k];
    y[k] = x[k] - mean[k];
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < j; ++i) c[k][j] -= c[k][i] * c[j][i];
      c[k][j] /= c[j][j];
      c[k][k] -= c[k][j] * c[k][j];
      y[k] -= c[k][j] * y[j];
    }
    c[k][k] = sqrt(fmax(c[k][k], least));
    y[k] /= c[k][k];
    sum += y[k] * y[k];
  }
  return sqrt(sum);
}

double heft_region_size(double* distance, long count, double probability) {
  HEFT_REQUIRE(distance && count >= 0 && probability > 0 && probability < 1, (double)INFINITY);
  for (long i = 1; i < count; ++i) {
    const double x = distance[i];
    long k = i;
    for (; k > 0 && distance[k - 1] > x; --k) distance[k] = distance[k - 1];
    distance[k] = x;
  }
  const long rank = (long)ceil(probability * (double)(count + 1));
  return rank <= count ? distance[rank - 1] : (double)INFINITY;
}
