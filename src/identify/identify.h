// SPDX-License-Identifier: Apache-2.0
/// @file identify.h
/// Identification: parameters of a model from measurements, each with a confidence interval. A fit
/// of any function by least squares; the coefficient of friction from pulls; the calibration of
/// force sensors from known loads; friction, gears and stiffness of a model from the log of a
/// motion; laws of impact; probabilities from ensembles of runs. For the command and the tests; not
/// installed.
///
/// An interval contains the true value with a probability of 95.45 % (two standard errors), if the
/// model is right and the errors of the measurements are independent and normal. Errors of the
/// measurements are estimated from what the fit leaves over, by Student's distribution.
#ifndef HEFT_IDENTIFY_H
#define HEFT_IDENTIFY_H

#include <heft/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Estimate of a parameter.
typedef struct HeftEstimate {
  double value;
  double error;      ///< standard error
  double low, high;  ///< the interval
  bool excited;      ///< false: the measurements do not depend on it, or not apart from others
  int partner;       ///< if not excited: the parameter it cannot be separated from; -1: none
} HeftEstimate;

/// Standard errors from the estimate to the ends of the interval, for a number of degrees of
/// freedom (measurements less parameters) above 0.
double heft_estimate_factor(double freedom);

// ---- any function

enum { HEFT_FIT_MAX = 64 };  ///< parameters of a fit

/// Writes the residuals at x, each divided by the standard deviation of its error up to a common
/// factor. Must give the same numbers for the same x.
typedef HeftStatus HeftFitResiduals(void* user, const double* x, double* residual,
                                    HeftError* error);

/// Writes the derivatives of the residuals by each parameter, one after another (parameters x
/// count). HEFT_ERR_UNSUPPORTED: there are none at x, differences are taken.
typedef HeftStatus HeftFitJacobian(void* user, const double* x, double* jacobian, HeftError* error);

typedef struct HeftFitDef {
  HeftFitResiduals* residuals;
  HeftFitJacobian* jacobian;  ///< NULL: there is none
  void* user;                 ///< passed to residuals
  int parameters;             ///< 1 to HEFT_FIT_MAX
  long count;                 ///< of the residuals, more than parameters
  int series;           ///< residuals are this number of equal time series, one after another; 0:
                        ///< they have no order. Series are tested for correlation in time.
  const double* start;  ///< (parameters)
  const double* step;   ///< (parameters): for the derivatives, > 0
  const double *low, *high;  ///< (parameters): the values stay between them; NULL: no limits
  bool robust;               ///< true: residuals beyond 1.345 deviations count less (Huber)
  int iterations;            ///< max; 0: 50
  HeftAllocator allocator;   ///< allocate NULL: the default one
} HeftFitDef;

typedef struct HeftFit {
  HeftEstimate estimate[HEFT_FIT_MAX];
  double noise;  ///< standard deviation of the residuals
  double
      correlation;  ///< of neighbours in the series, the largest; beyond chance, the intervals were
                    ///< widened by it
  bool correlated;  ///< true: they were
  bool converged;   ///< false: the iterations ended before
  int iterations;
  long evaluations;  ///< calls of residuals
  long jacobians;    ///< calls of the jacobian
  bool exact;        ///< true: the intervals have derivatives, not differences
} HeftFit;

/// Minimises the sum of squares (Levenberg and Marquardt, central differences). HEFT_ERR_VALUE: a
/// residual at the start is not finite. Errors of the residuals at the start are returned; later
/// ones shorten the step.
HeftStatus heft_fit(const HeftFitDef* def, HeftFit* out, HeftError* error);

// ---- friction from pulls

/// Pulls at which a body slipped, each with its load: pull = coefficient x load + offset.
typedef struct HeftPulls {
  const double *load, *pull;  ///< (count) [N]
  int count;                  ///< at least 2
  double
      load_noise;  ///< ratio of standard deviations, of loads to pulls: 0, the loads are exact; 1,
                   ///< both come from the same kind of sensor
  bool with_offset;   ///< true: the dynamometer has an unknown offset
  bool proportional;  ///< true: errors grow with the load, as errors of the direction of pull do
  bool robust;        ///< true: outliers count less
} HeftPulls;

/// Finds coefficient and offset [N] (which is 0 and not excited without with_offset).
HeftStatus heft_identify_pulls(const HeftPulls* pulls, HeftEstimate* coefficient,
                               HeftEstimate* offset, HeftError* error);

// ---- force sensors

enum { HEFT_SENSOR_AXES = 6 };  ///< max channels of a force sensor

/// Calibration of a sensor by f = G (l + d) ([Chardonnet 2012], Eq. 19-20): from the wrench f the
/// raw values l.
typedef struct HeftCalibration {
  int axes;                                                 ///< 1 to HEFT_SENSOR_AXES
  HeftEstimate matrix[HEFT_SENSOR_AXES][HEFT_SENSOR_AXES];  ///< G
  HeftEstimate offset[HEFT_SENSOR_AXES];                    ///< d, in raw units
  double noise[HEFT_SENSOR_AXES];                           ///< of each raw value
  int rank;                          ///< directions of load in the data; axes + 1 are needed
  double missing[HEFT_SENSOR_AXES];  ///< if the rank is too small: a wrench that the data lack
} HeftCalibration;

/// Finds G and d. wrench, raw: count rows of `axes` numbers. If the data lack directions, the
/// status is HEFT_ERR_SINGULAR, with a message; rank and missing are set.
HeftStatus heft_identify_calibration(int axes, long count, const double* wrench, const double* raw,
                                     HeftCalibration* out, HeftError* error);

// ---- parameters of a model from a motion

/// A parameter of a model by a text KIND:NAME, for example "damping:elbow".
typedef struct HeftParameter {
  int kind;   ///< of the table in parameter.c
  int index;  ///< shape, joint, actuator or value of a sensor; -1: all
} HeftParameter;

/// Finds a parameter. HEFT_ERR_NAME: there is no such kind or object; the message suggests one.
HeftStatus heft_parameter_find(const HeftModel* model, const char* text, HeftParameter* out,
                               HeftError* error);
/// Its value in a model.
double heft_parameter_get(const HeftModel* model, HeftParameter parameter);
/// Changes it. The model must not be used by a world.
void heft_parameter_set(HeftModel* model, HeftParameter parameter, double value);
/// True if it may be negative.
bool heft_parameter_signed(HeftParameter parameter);
/// Its unit, "" if it has none.
const char* heft_parameter_unit(HeftParameter parameter);

/// A motion that was measured: rows of times, controls and values of sensors. The controls of a row
/// act in the time before it, from the row before.
typedef struct HeftMotion {
  const HeftModel* model;
  long rows;              ///< at least 2
  const double* time;     ///< (rows) [s], increasing; the first is the start
  const double* control;  ///< (rows x nactuator); NULL: the controls are 0
  const double* sensed;   ///< (rows x channels)
  const int* value;       ///< (channels): number in the sensor data of the model
  int channels;
  const double *q, *v;  ///< (nq), (nv): state of the model at the start
  bool free_start;      ///< true: q and v are inexact and fitted, too
  bool robust;
  bool differences;     ///< true: by differences of simulations only
  const double* noise;  ///< (channels): standard deviations; 0 or NULL: estimated
} HeftMotion;

/// Simulates the motion with the parameters that the model has. simulated: rows x channels, without
/// noise.
HeftStatus heft_motion_simulate(const HeftMotion* motion, double* simulated, HeftError* error);
/// Finds parameters (1 to HEFT_FIT_MAX, with free_start also 2 nv) by which the simulated motion
/// agrees with the measured one. The first estimates of fit belong to the parameters. channel_noise
/// (channels) gets the deviation of each channel. model gets the values that were found; it must be
/// another one than motion->model with the same sizes, or that model itself.
HeftStatus heft_identify_motion(const HeftMotion* motion, const HeftParameter* parameter, int count,
                                HeftFit* fit, double* channel_noise, HeftModel* model,
                                HeftError* error);

// ---- laws of impact from measured impacts

/// Laws of impact (docs/theory/impacts.md). X(constant, word, meaning)
#define HEFT_IMPACT_LAW_LIST(X)                                                               \
  X(HEFT_IMPACT_NEWTON, "newton", "the normal velocity returns by e; Coulomb's law after it") \
  X(HEFT_IMPACT_TANGENTIAL, "tangential", "the same; slip that stops returns by a share")     \
  X(HEFT_IMPACT_POISSON, "poisson", "the normal impulse returns by e")                        \
  X(HEFT_IMPACT_STRONGE, "stronge", "the work of the normal impulse returns by e squared")    \
  X(HEFT_IMPACT_HEFT, "heft", "Newton's law, e smaller where the energy demands it")
#define HEFT_LAW_CONSTANT(constant, word, meaning) constant,
typedef enum HeftImpactLaw {
  HEFT_IMPACT_LAW_LIST(HEFT_LAW_CONSTANT) HEFT_IMPACT_LAWS
} HeftImpactLaw;
#undef HEFT_LAW_CONSTANT
const char* heft_impact_law_name(HeftImpactLaw law);

/// An impact of a body that moves in a plane on a fixed one, in one point. The point's velocity is
/// before[0] + arm_along x before[2] along the floor, and before[1] + arm_away x before[2] away
/// from it.
typedef struct HeftImpact {
  double arm_away, arm_along;  ///< [m]
  double before[3], after[3];  ///< of the centre of mass along and away [m/s], and rate [rad/s]
} HeftImpact;

typedef enum HeftImpactParameter {
  HEFT_IMPACT_RESTITUTION,
  HEFT_IMPACT_FRICTION,
  HEFT_IMPACT_GYRATION,  ///< square of the radius of gyration [m²]
  HEFT_IMPACT_RETURN,    ///< restitution along the floor; only of HEFT_IMPACT_TANGENTIAL
  HEFT_IMPACT_PARAMETERS
} HeftImpactParameter;

typedef struct HeftImpactFit {
  HeftImpactLaw law;
  HeftEstimate estimate[HEFT_IMPACT_PARAMETERS];
  double scale[3];  ///< of what the law leaves over, by Student's distribution of 4 degrees
} HeftImpactFit;

/// The velocities after an impact by a law; parameter: HEFT_IMPACT_PARAMETERS values.
void heft_impact_predict(HeftImpactLaw law, const double* parameter, const HeftImpact* impact,
                         double* after);
/// Finds the parameters of a law from impacts (count, at least 4). robust: outliers count less.
HeftStatus heft_identify_impacts(HeftImpactLaw law, const HeftImpact* impact, long count,
                                 bool robust, HeftImpactFit* out, HeftError* error);
/// Mean log density of other impacts (count) by a fit: the larger, the better it predicts them.
double heft_impact_likelihood(const HeftImpactFit* fit, const HeftImpact* impact, long count);

/// Random part of an impact, which a rigid body has not. If the last step changed the rate of a
/// free body by more than 1 rad/s, adds `share` of that change to it, and to the velocity a quarter
/// of `share` of its change, each along a random direction. dof: the first of the body's joint;
/// before (6): the velocities at the start of the step; normal: independent normal numbers, which
/// are asked for after an impact.
void heft_impact_scatter(HeftWorld* world, int dof, const double* before, double share,
                         double (*normal)(void* user), void* user);

// ---- forecasts: outcomes with probabilities, from ensembles of runs

enum { HEFT_OUTCOMES_MAX = 8, HEFT_FORECAST_BINS = 8, HEFT_REGION_MAX = 3 };

/// Runs that differ by all that is not known: how many end in each outcome, and which happened.
typedef struct HeftForecast {
  int outcomes;                    ///< 2 to HEFT_OUTCOMES_MAX; one of them happens
  double runs[HEFT_OUTCOMES_MAX];  ///< that end so, at least 0
  int happened;                    ///< the outcome that was observed; -1: none yet
} HeftForecast;

/// How far the shares of an ensemble are believed: p is proportional to (runs + extra)^power.
typedef struct HeftTrust {
  double extra;  ///< runs added to each outcome, > 0
  double power;  ///< below 1: the ensemble is too sure of itself
} HeftTrust;

/// Trust in an ensemble that knows what it does not know: extra 1/2, power 1.
HeftTrust heft_trust_default(void);
/// Probabilities of the outcomes; their sum is 1.
void heft_forecast_probabilities(const HeftForecast* forecast, HeftTrust trust, double* p);
/// Finds the trust with the smallest log loss over observed forecasts (count, at least 10).
HeftStatus heft_trust_fit(const HeftForecast* forecast, long count, HeftTrust* out,
                          HeftError* error);

/// Every outcome of every forecast, by the probability that it was given.
typedef struct HeftForecastBin {
  double low, high;  ///< probabilities of the bin
  long count, happened;
  double said;  ///< mean probability
} HeftForecastBin;

typedef struct HeftForecastScore {
  long count;            ///< observed forecasts
  double log_loss;       ///< mean of -log p of the outcome that happened
  double expected_loss;  ///< the same if the probabilities were right: smaller is sharper
  double hits;           ///< share of forecasts whose most probable outcome happened
  HeftForecastBin bin[HEFT_FORECAST_BINS];
} HeftForecastScore;
/// Compares forecasts (count) with what happened; those without an observation are skipped.
void heft_forecast_score(const HeftForecast* forecast, long count, HeftTrust trust,
                         HeftForecastScore* out);

/// Distance of a point x (n, at most HEFT_REGION_MAX) from an ensemble (runs x n), in deviations of
/// it: Mahalanobis' distance. The runs at a distance below r are its region of size r.
double heft_region_distance(int n, long runs, const double* ensemble, const double* x);
/// The size at which regions hold with a probability, from the distances of observations (count),
/// which are sorted. Infinite if they are too few.
double heft_region_size(double* distance, long count, double probability);

#ifdef __cplusplus
}
#endif
#endif
