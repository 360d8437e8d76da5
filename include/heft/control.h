// SPDX-License-Identifier: Apache-2.0
/// @file control.h
/// Control of robots: servos and drives, trajectories, inverse kinematics, whole-body inverse
/// dynamics with balance, compliance and gaze. Measurement: force sensors, force plates, filters.
///
/// - Controllers read a world's state between steps and write its controls; they own no world and
///   no model, both must outlive them.
/// - All memory is taken when a controller is created; nothing below allocates, locks or prints
///   afterwards. One controller per thread.
/// - Same inputs, same bits: controllers use no clock, and no functions of the C library but sqrt.
#ifndef HEFT_CONTROL_H
#define HEFT_CONTROL_H

#include <heft/legged.h>
#include <heft/whole_body.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- servos and drives

/// Γ = ff + K_p (q_d - q) + K_v (q̇_d - q̇) for all degrees of freedom: tau. kp, kv: 0 for a dof
/// without servo. v_d and ff may be NULL (zero). For ball and free joints q_d - q is the rotation
/// vector from q to q_d.
/// [in] kp[nv], kv[nv], q_d[nq], v_d[nv], ff[nv], q[nq], v[nv]
/// [scratch] scratch[nv]
/// [out] tau[nv]
HEFT_API void heft_pd_torques(const HeftModel* model, const double* kp, const double* kv,
                              const double* q_d, const double* v_d, const double* ff,
                              const double* q, const double* v, double* scratch, double* tau);

/// A geared motor with a servo on its own side: [Chardonnet 2012], Eq. 22, with friction that
/// resists.
typedef struct HeftDrive {
  double gear;           ///< R: turns of the motor per turn of the joint, times the efficiency
  double kp, kv;         ///< gains of the servo on the motor side [N m/rad, N m s/rad]
  double rotor_inertia;  ///< J: inertia of the rotor [kg m²]
  double viscous;        ///< μ_v at the joint [N m s/rad]
  double dry;            ///< μ_d at the joint [N m]
  double dry_speed;      ///< dry friction grows linearly up to this speed [rad/s]; 0: it is a step
  double limit;          ///< max torque of the motor [N m]; 0: no limit
} HeftDrive;

/// Γ = R (K_p (q_d - q) + K_v (q̇_d - q̇)) + ff - μ_v q̇ - μ_d sign(q̇): the torque at the joint.
HEFT_API double heft_drive_torque(const HeftDrive* drive, double q_d, double v_d, double ff,
                                  double q, double v);
/// Rotor inertia reduced to the joint, R² J [kg m²]: the value of dof_armature in the model.
HEFT_API double heft_drive_armature(const HeftDrive* drive);

// ---- trajectories

/// Smooth curves through points in time: cubic splines, at rest at both ends.
typedef struct HeftSpline HeftSpline;

/// times: strictly increasing [s]; both arrays are copied. count >= 2. allocator and error may be
/// NULL. *out is NULL on failure.
/// [in] times[count], values[count][channels]
HEFT_API HeftStatus heft_spline_create(HeftSpline** out, int count, int channels,
                                       const double* times, const double* values,
                                       const HeftAllocator* allocator, HeftError* error);
/// Reads a spline from text: one point per line, time first, numbers separated by commas,
/// semicolons or blanks. Lines that begin with # or a letter are skipped. Numbers are written as in
/// C, independent of the locale.
HEFT_API HeftStatus heft_spline_read(HeftSpline** out, const char* text, size_t size,
                                     const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_spline_destroy(HeftSpline* spline);
HEFT_API int heft_spline_channels(const HeftSpline* spline);
HEFT_API double heft_spline_end(const HeftSpline* spline);
/// Values, velocities and accelerations at a time [s]; each may be NULL. Before the first point the
/// first value holds, after the last point the last.
/// [out] value[heft_spline_channels(spline)], velocity[heft_spline_channels(spline)]
/// [out] acceleration[heft_spline_channels(spline)]
HEFT_API void heft_spline_at(const HeftSpline* spline, double time, double* value, double* velocity,
                             double* acceleration);
/// Smooth step from 0 to 1 for s in [0, 1], with zero velocity and acceleration at both ends. out:
/// value and the first two derivatives by s. Outside [0, 1] the value is constant.
/// [out] out[3]
HEFT_API void heft_spline_smooth_step(double s, double out[3]);

// ---- inverse kinematics

/// Target of inverse kinematics: position of a point of a body, and orientation of the body.
typedef struct HeftPoseTarget {
  int body;        ///< -1: the centre of mass of the robot (only pos counts)
  HeftVec3 point;  ///< in the body's frame [m]
  HeftVec3 pos;    ///< in the world [m]
  HeftQuat quat;   ///< in the world
  HeftVec3 move;   ///< weights of the position, per axis of the world; 0: no target
  double turn;     ///< weight of the orientation; 0: no target
} HeftPoseTarget;

/// Solver of inverse kinematics: coordinates for poses of links.
typedef struct HeftPoseSolver HeftPoseSolver;

/// root: the body at the root of the robot's tree.
HEFT_API HeftStatus heft_pose_solver_create(HeftPoseSolver** out, const HeftModel* model, int root,
                                            const HeftAllocator* allocator, HeftError* error);
HEFT_API void heft_pose_solver_destroy(HeftPoseSolver* solver);
/// Changes q to minimise the weighted error of the targets, within the ranges of the joints and
/// close to the given q. Joints with springs keep their coordinates. Returns the remaining weighted
/// error, the root of the sum of squares [m, rad].
/// [in] targets[count]; [in,out] q[nq]
HEFT_API double heft_pose_solver_solve(HeftPoseSolver* solver, const HeftPoseTarget* targets,
                                       int count, double* q);

/// One round of heft_pose_solver_solve(), of bounded cost, for targets that move a little in each
/// step of a controller. Joints at a limit stay there. Returns the weighted error of the given q.
/// [in] targets[count]; [in,out] q[nq]
HEFT_API double heft_pose_solver_step(HeftPoseSolver* solver, const HeftPoseTarget* targets,
                                      int count, double* q);

// ---- compliance and gaze

/// Compliance to contact forces: M_d q̈_d + B_d q̇_d = Jᵀ f on the joints between the body in
/// contact and the waist, with diagonal matrices ([Chardonnet 2012], Eq. 16).
typedef struct HeftComplianceDef {
  uint32_t cookie;  ///< set by heft_compliance_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  int waist;         ///< body at which the chain ends; its own joints do not move
  double inertia;    ///< M_d of every dof [kg m²], > 0; heft_compliance_set_dof() changes one
  double damping;    ///< B_d [N m s/rad], >= 0
  double stiffness;  ///< towards zero offset [N m/rad]; 0: the offset stays
} HeftComplianceDef;

/// Controller that gives a body the stiffness and damping of a spring.
typedef struct HeftCompliance HeftCompliance;

/// The waist is the body named "waist" or "pelvis", or body 1 if the model has neither.
HEFT_API void heft_compliance_def_init(HeftComplianceDef* def, uint32_t cookie,
                                       const HeftModel* model);
static inline HeftComplianceDef heft_compliance_def_default(const HeftModel* model) {
  HeftComplianceDef def;
  heft_compliance_def_init(&def, HEFT_DEF_COOKIE(HeftComplianceDef), model);
  return def;
}
/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_compliance_create(HeftCompliance** out, const HeftModel* model,
                                           const HeftComplianceDef* def, HeftError* error);
HEFT_API void heft_compliance_destroy(HeftCompliance* compliance);
/// Sets the elements of the diagonal matrices M_d [kg m²], B_d [N m s/rad] and of the stiffness
/// [N m/rad] of one dof; ranges as in HeftComplianceDef.
HEFT_API void heft_compliance_set_dof(HeftCompliance* compliance, int dof, double inertia,
                                      double damping, double stiffness);
/// Sets offset and velocity to zero.
HEFT_API void heft_compliance_reset(HeftCompliance* compliance);
/// One step of dt [s] with load_count forces on the robot. dynamics: at the present pose.
/// [in] loads[load_count]
HEFT_API void heft_compliance_step(HeftCompliance* compliance, const HeftDynamics* dynamics,
                                   const HeftLoad* loads, int load_count, double dt);
/// Sets offset and velocity, as they were read before.
/// [in] offset[nv], velocity[nv]
HEFT_API void heft_compliance_set_offset(HeftCompliance* compliance, const double* offset,
                                         const double* velocity);
/// Offset of each dof from the posture, and its rate. Owned by the controller.
/// [return] offset[nv]
HEFT_API const double* heft_compliance_offset(const HeftCompliance* compliance);
/// [return] velocity[nv]
HEFT_API const double* heft_compliance_velocity(const HeftCompliance* compliance);
/// out = posture plus offset, within the ranges of the joints. out may be posture.
/// [in] posture[nq]; [out] out[nq]
HEFT_API void heft_compliance_apply(const HeftCompliance* compliance, const double* posture,
                                    double* out);

/// Wrench of a held object on a hand, as the force sensor in a wrist reads it: torque [N m] and
/// force [N] of all contacts of the object with the body of a site and the bodies beyond it, about
/// the origin and along the axes of the site.
HEFT_API HeftSpatial heft_wrist_wrench(const HeftWorld* world, int site, int object);
/// heft_wrist_wrench() of an object at rest of whose weight this hand carries a share. The weight
/// acts at the object's centre of mass.
HEFT_API HeftSpatial heft_wrist_weight(const HeftWorld* world, int site, int object, double share);
/// A wrench in the frame of a site as a load on its body, for heft_compliance_step().
HEFT_API HeftLoad heft_wrist_load(const HeftWorld* world, int site, HeftSpatial wrench);

/// Gaze control: turns the joints between a site and the chest until the x axis of the site points
/// at a target.
typedef struct HeftGaze HeftGaze;

/// site: frame of the eyes. base: body at which the neck begins; -1: the body named "chest", or the
/// parent of the body of the site. speed: max joint velocity [rad/s].
HEFT_API HeftStatus heft_gaze_create(HeftGaze** out, const HeftModel* model, int site, int base,
                                     double speed, const HeftAllocator* allocator,
                                     HeftError* error);
HEFT_API void heft_gaze_destroy(HeftGaze* gaze);
/// Turns the joints of the neck in a posture towards a point of the world. dynamics: at the present
/// coordinates q. Returns the remaining angle [rad].
/// [in] q[nq]; [in,out] posture[nq]
HEFT_API double heft_gaze_step(HeftGaze* gaze, const HeftDynamics* dynamics, const double* q,
                               HeftVec3 point, double dt, double* posture);

// ---- sensors

/// A six-axis force sensor: a calibration matrix turns six raw values l into the external wrench,
/// f_e = -P + G (l + d) ([Chardonnet 2012], Eq. 18-20).
typedef struct HeftForceSensor {
  double matrix[36];  ///< G, row-major: force [N], then torque [N m], from the raw values
  double offset[6];   ///< d: added, in the unit of the raw values
  double noise[6];    ///< standard deviation of the raw values, in their unit
  HeftQuat quat;      ///< the sensor's axes in the frame of its body
  double mass;        ///< mass beyond the sensor, for example of a tool [kg]
  HeftVec3 com;       ///< centre of that mass in the sensor's frame [m]
  uint64_t seed;      ///< seed of the noise
} HeftForceSensor;

/// Identity matrix, no offset, no noise, no mass beyond the sensor.
HEFT_API HeftForceSensor heft_force_sensor_default(void);
/// Raw values for a wrench on the sensor (torque, force; at its centre, in world axes), if its body
/// has the orientation `body`. tick numbers the readings, for the noise. HEFT_ERR_SINGULAR if G has
/// no inverse.
/// [out] raw
HEFT_API HeftStatus heft_force_sensor_read(const HeftForceSensor* sensor, HeftQuat body,
                                           HeftSpatial wrench, uint64_t tick, double raw[6]);
/// External wrench (torque, force) in world axes, from the raw values.
HEFT_API HeftSpatial heft_force_sensor_outside(const HeftForceSensor* sensor, HeftQuat body,
                                               HeftVec3 gravity, const double raw[6]);

/// Reading of a force plate under a body.
typedef struct HeftForcePlate {
  HeftVec3 force;   ///< force of the plate on the body [N]
  HeftVec3 center;  ///< centre of pressure: no torque about the axes in the plate [m]
  double twist;     ///< torque about the vertical axis through center [N m]
  bool loaded;      ///< true if the plate carries force; otherwise all fields are zero
} HeftForcePlate;

/// Reading of a level plate at height z [m], from the contacts of `body` with `other`.
HEFT_API HeftForcePlate heft_force_plate_read(const HeftWorld* world, int body, int other,
                                              double height);

enum { HEFT_BUTTERWORTH_ORDER_MAX = 10 };  ///< largest order of a filter

/// A Butterworth low-pass filter of any order up to HEFT_BUTTERWORTH_ORDER_MAX, as sections of
/// order two.
typedef struct HeftButterworth {
  int sections;    ///< number of sections
  double b[5][3];  ///< numerators [1]
  double a[5][2];  ///< denominators, less the leading 1 [1]
  double z[5][2];  ///< state, in the unit of the values
  bool fresh;      ///< true before the first value; the filter then starts from that value
} HeftButterworth;

/// order: 1 to HEFT_BUTTERWORTH_ORDER_MAX. cutoff and rate [Hz], 0 < cutoff < rate / 2.
HEFT_API HeftButterworth heft_butterworth_make(int order, double cutoff, double rate);
/// Filters one value; called once per 1 / rate.
/// [in,out] filter
HEFT_API double heft_butterworth_step(HeftButterworth* filter, double x);

#ifdef __cplusplus
}
#endif
#endif
