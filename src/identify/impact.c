// SPDX-License-Identifier: Apache-2.0
// Papers: R72.
// Restitution and friction from impacts whose velocities were measured before and after, under
// several laws of impact.
//
// A body of mass 1 moves in a plane and hits a floor with one point. Impulses away from the floor
// and along it, p = (p_n, p_t), change its velocities by (p_t, p_n, (a_n p_n + a_t p_t) / ρ²) and
// those of the point by u⁺ = u⁻ + W p. ρ is the radius of gyration, and
//
//     W = [ 1 + a_n² / ρ²    a_n a_t / ρ² ]                                                  (1)
//         [ a_n a_t / ρ²    1 + a_t² / ρ² ]
//
// Newton: u_n⁺ = -e u_n⁻ and Coulomb's law at u_t⁺, or at u_t⁺ + e_t u_t⁻ with a restitution e_t
// along the floor. Poisson and Stronge follow Routh's course ([Routh 1905]): as p_n grows, friction
// opposes the slip; once the slip has stopped, the point sticks or slides back. The course ends
// when p_n is 1 + e times that of greatest compression, or when the normal impulse has returned e²
// of its work ([Stronge 1990]). Heft's law is Newton's with the largest coefficient s e for which
// the impulses take at least 1 - e² of the energy that they take at s = 0 (docs/theory/impacts.md).
//
// The residuals are differences of the velocities after the impact. A first fit weights the rate by
// a length of the body, a second one each velocity by the scale of what the first left over.
// Impacts measured at a real body have outliers. So the scale of what is left over is that of
// Student's distribution with 4 degrees of freedom, whose most probable value solves
// s² = mean(5 r² / (4 + r²/s²)); likelihoods are of that distribution, too.
#include <heft/math.h>
#include <math.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"
#include "identify/identify.h"

static const char* const law_names[] = {
#define NAME(constant, word, meaning) word,
    HEFT_IMPACT_LAW_LIST(NAME)
#undef NAME
};

const char* heft_impact_law_name(HeftImpactLaw law) {
  return (int)law >= 0 && law < HEFT_IMPACT_LAWS ? law_names[law] : "unknown";
}

typedef struct Point {
  double nn, nt, tt;  // W
  double un, ut;      // before
  double e, mu, et;
} Point;

typedef struct Impulse {
  double n, t;
} Impulse;

// ---- Newton

static Impulse newton(const Point* c, double e) {
  const double bn = -(1 + e) * c->un, bt = -(1 + c->et) * c->ut;
  const double det = c->nn * c->tt - c->nt * c->nt;
  const Impulse stick = {(c->tt * bn - c->nt * bt) / det, (c->nn * bt - c->nt * bn) / det};
  if (stick.n >= 0 && fabs(stick.t) <= c->mu * stick.n) return stick;
  // Slides so that friction opposes what is left of the slip.
  for (int sign = -1; sign <= 1; sign += 2) {
    const double k = sign * c->mu, stiff = c->nn + k * c->nt;
    if (stiff <= 0) continue;
    const Impulse slide = {bn / stiff, k * bn / stiff};
    if (sign * (c->nt * slide.n + c->tt * slide.t - bt) <= 0) return slide;
  }
  const double n = bn / c->nn;
  return (Impulse){n, fmax(-c->mu * n, fmin(c->mu * n, (bt - c->nt * n) / c->tt))};
}

static double energy(const Point* c, Impulse p) {
  return p.n * (c->un + 0.5 * (c->nn * p.n + c->nt * p.t)) +
         p.t * (c->ut + 0.5 * (c->nt * p.n + c->tt * p.t));
}

static Impulse bounded(const Point* c) {
  const double allowed = (1 - c->e * c->e) * energy(c, newton(c, 0));
  if (energy(c, newton(c, c->e)) <= allowed + 1e-12 * fabs(allowed)) return newton(c, c->e);
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double s = 0.5 * (low + high);
    *(energy(c, newton(c, s * c->e)) <= allowed ? &low : &high) = s;
  }
  return newton(c, low * c->e);
}

// ---- Routh's course

static double friction_now(const Point* c, double ut) {
  if (ut != 0) return ut > 0 ? -c->mu : c->mu;
  return fmax(-c->mu, fmin(c->mu, -c->nt / c->tt));
}

static Impulse course(const Point* c, bool stronge) {
  Impulse p = {0, 0};
  double un = c->un, ut = c->ut, end = (double)INFINITY, work = 0;
  for (int part = 0; part < 6; ++part) {
    const double k = friction_now(c, ut), dun = c->nn + k * c->nt, dut = c->nt + k * c->tt;
    double span = end - p.n;
    int stops = 0, turns = 0;
    if (ut * dut < 0 && -ut / dut < span) {
      span = -ut / dut;
      stops = 1;
    }
    if (un < 0 && dun > 0 && -un / dun <= span) {
      span = -un / dun;
      turns = 1;
      stops = 0;
    }
    if (stronge && un >= 0) {  // the rest of the work that returns: un x + dun x²/2
      const double root = un * un + 2 * dun * work;
      const double rest = dun > 0 ? (sqrt(fmax(0, root)) - un) / dun : (double)INFINITY;
      if (rest <= span) {
        span = rest;
        end = p.n + span;
        stops = 0;
      }
    }
    if (!isfinite(span)) break;
    work -= span * (un + 0.5 * dun * span);
    p.n += span;
    p.t += k * span;
    un = turns ? 0 : un + dun * span;
    ut = stops ? 0 : ut + dut * span;
    if (turns) {
      work *= c->e * c->e;
      if (!stronge) end = (1 + c->e) * p.n;
    }
    if (!turns && !stops) break;
  }
  return p;
}

// ---- prediction

void heft_impact_predict(HeftImpactLaw law, const double* x, const HeftImpact* m, double* after) {
  HEFT_REQUIRE_VOID(x && m && after && x[HEFT_IMPACT_GYRATION] > 0);
  const double an = m->arm_away, at = m->arm_along, inverse = 1 / x[HEFT_IMPACT_GYRATION];
  const Point c = {.nn = 1 + an * an * inverse,
                   .nt = an * at * inverse,
                   .tt = 1 + at * at * inverse,
                   .un = m->before[1] + an * m->before[2],
                   .ut = m->before[0] + at * m->before[2],
                   .e = x[HEFT_IMPACT_RESTITUTION],
                   .mu = x[HEFT_IMPACT_FRICTION],
                   .et = law == HEFT_IMPACT_TANGENTIAL ? x[HEFT_IMPACT_RETURN] : 0};
  Impulse p = {0, 0};
  if (c.un < 0) {
    if (law == HEFT_IMPACT_NEWTON || law == HEFT_IMPACT_TANGENTIAL) p = newton(&c, c.e);
    if (law == HEFT_IMPACT_HEFT) p = bounded(&c);
    if (law == HEFT_IMPACT_POISSON || law == HEFT_IMPACT_STRONGE)
      p = course(&c, law == HEFT_IMPACT_STRONGE);
  }
  after[0] = m->before[0] + p.t;
  after[1] = m->before[1] + p.n;
  after[2] = m->before[2] + (an * p.n + at * p.t) * inverse;
}

// ---- fit

typedef struct Impacts {
  HeftImpactLaw law;
  const HeftImpact* impact;
  long count;
  double weight[3];  // of residuals
} Impacts;

static HeftStatus residuals(void* user, const double* x, double* r, HeftError* error) {
  const Impacts* all = user;
  (void)error;
  for (long i = 0; i < all->count; ++i) {
    double after[3] = {0};
    heft_impact_predict(all->law, x, &all->impact[i], after);
    for (int k = 0; k < 3; ++k)
      r[3 * i + k] = (all->impact[i].after[k] - after[k]) * all->weight[k];
  }
  return HEFT_OK;
}

static double gyration_guess(const HeftImpact* m, long count) {
  double sum = 0;
  for (long i = 0; i < count; ++i)
    sum += m[i].arm_away * m[i].arm_away + m[i].arm_along * m[i].arm_along;
  return 0.5 * sum / (double)count;
}

// While all points stick, no residual depends on friction, and a search that starts there ends
// there. So it starts at the best of some guesses.
static void find_start(Impacts* all, double gyration, double* start) {
  double least = (double)INFINITY;
  for (int i = 0; i < 5 * 10 * 3 * 2; ++i) {
    static const double friction[] = {0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.9, 1.5};
    static const double factor[] = {0.6, 1, 1.6};
    const double x[] = {0.1 + 0.2 * (i % 5), friction[i / 5 % 10], gyration * factor[i / 50 % 3],
                        i < 150 ? 0 : 0.5};
    double sum = 0;
    for (long k = 0; k < all->count; ++k) {
      double r[3];
      Impacts one = *all;
      one.impact += k;
      one.count = 1;
      residuals(&one, x, r, NULL);
      for (int j = 0; j < 3; ++j) sum += fmin(fabs(r[j]), 1e6);  // outliers count less
    }
    if (!(sum < least)) continue;
    least = sum;
    for (int k = 0; k < HEFT_IMPACT_PARAMETERS; ++k) start[k] = x[k];
  }
}

static void find_scales(HeftImpactFit* fit, const HeftImpact* m, long count) {
  double x[HEFT_IMPACT_PARAMETERS];
  for (int k = 0; k < HEFT_IMPACT_PARAMETERS; ++k) x[k] = fit->estimate[k].value;
  for (int k = 0; k < 3; ++k) fit->scale[k] = 1;
  for (int pass = 0; pass < 100; ++pass) {
    double sum[3] = {0};
    for (long i = 0; i < count; ++i) {
      double after[3];
      heft_impact_predict(fit->law, x, &m[i], after);
      for (int k = 0; k < 3; ++k) {
        const double r2 = (m[i].after[k] - after[k]) * (m[i].after[k] - after[k]);
        sum[k] += 5 * r2 / (4 + r2 / (fit->scale[k] * fit->scale[k]));
      }
    }
    for (int k = 0; k < 3; ++k) fit->scale[k] = fmax(1e-12, sqrt(sum[k] / (double)count));
  }
}

HeftStatus heft_identify_impacts(HeftImpactLaw law, const HeftImpact* impact, long count,
                                 bool robust, HeftImpactFit* out, HeftError* error) {
  HEFT_REQUIRE(impact && out && law >= 0 && law < HEFT_IMPACT_LAWS, HEFT_ERR_ARGUMENT);
  const int parameters = HEFT_IMPACT_PARAMETERS - (law != HEFT_IMPACT_TANGENTIAL);
  *out = (HeftImpactFit){.law = law};
  if (count < 4)
    return heft_error_set(error, HEFT_ERR_VALUE, "%ld impacts are too few, at least 4 are needed",
                          count);
  const double gyration = gyration_guess(impact, count);
  if (!(gyration > 0 && gyration < 1e12))
    return heft_error_set(error, HEFT_ERR_VALUE, "the arms of the impacts are all 0 or too large");
  Impacts all = {law, impact, count, {1, 1, sqrt(gyration)}};
  double start[HEFT_IMPACT_PARAMETERS] = {0.5, 0.3, gyration, 0.1};
  const double step[] = {1e-4, 1e-4, 1e-4 * gyration, 1e-4};
  const double low[] = {0, 0, 1e-3 * gyration, -1}, high[] = {1, 10, 1e3 * gyration, 1};
  const HeftFitDef def = {.residuals = residuals,
                          .user = &all,
                          .parameters = parameters,
                          .count = 3 * count,
                          .start = start,
                          .step = step,
                          .low = low,
                          .high = high,
                          .robust = robust};
  HeftFit fit;
  HeftStatus status = HEFT_OK;
  find_start(&all, gyration, start);
  for (int pass = 0; pass < 2 && status == HEFT_OK; ++pass) {
    status = heft_fit(&def, &fit, error);
    for (int k = 0; k < parameters && status == HEFT_OK; ++k) {
      out->estimate[k] = fit.estimate[k];
      start[k] = fit.estimate[k].value;
    }
    if (parameters < HEFT_IMPACT_PARAMETERS) out->estimate[HEFT_IMPACT_RETURN].partner = -1;
    if (status == HEFT_OK) find_scales(out, impact, count);
    for (int k = 0; k < 3; ++k) all.weight[k] = 1 / fmax(1e-12, out->scale[k]);
  }
  return status;
}

double heft_impact_likelihood(const HeftImpactFit* fit, const HeftImpact* impact, long count) {
  HEFT_REQUIRE(fit && impact && count > 0, 0);
  const double constant = -0.98082925301172623;  // log(3/8), of Student's density at 0
  double x[HEFT_IMPACT_PARAMETERS], sum = 0;
  for (int k = 0; k < HEFT_IMPACT_PARAMETERS; ++k) x[k] = fit->estimate[k].value;
  for (long i = 0; i < count; ++i) {
    double after[3];
    heft_impact_predict(fit->law, x, &impact[i], after);
    for (int k = 0; k < 3; ++k) {
      const double r = (impact[i].after[k] - after[k]) / fit->scale[k];
      sum += constant - heft_log(fit->scale[k]) - 2.5 * heft_log(1 + 0.25 * r * r);
    }
  }
  return sum / (double)count;
}
