// SPDX-License-Identifier: Apache-2.0
/// @file device.h
/// Haptic devices: drivers, the guard, the servo thread, and an emulated device. The library
/// `heft_device` on top of `heft`, because it needs sockets, dlopen() and real-time threads.
///
///     device ──read──▶ servo (1 kHz) ──input──▶ probe ──coupling──▶ world
///     device ◀─guard── servo         ◀─model─── probe ◀─────────── world
///     ╰───────────── this header ────────────╯  ╰ <heft/interact.h> ╯
///
/// - A driver speaks to one kind of device and is one small struct of functions (HeftDriver).
/// - A device is an open driver with a guard around it. The force that goes out is finite and
///   limited, grows no faster than allowed, is zero when samples stop coming, and gives no energy
///   that it did not take, whatever force the program asks for.
/// - A servo reads the devices and renders forces at their rate, in a thread of its own or on
///   request (heft_servo_tick()). Between steps of the world it renders the local model that the
///   probe returned.
/// - Coordinates, units and times are those of <heft/interact.h>.
/// - Memory is taken at create and open. Nothing here prints or locks.
#ifndef HEFT_DEVICE_H
#define HEFT_DEVICE_H

#include <heft/interact.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- drivers

/// What a device is and can do. Zero where it is not known.
typedef struct HeftDeviceInfo {
  char name[64];
  int axes_sensed;           ///< 3: position; 6: rotation too
  int axes_driven;           ///< 0: feels nothing; 3: force; 6: moment too
  HeftVec3 lowest, highest;  ///< corners of the workspace [m]
  double force_max;          ///< that it can keep up [N]
  double torque_max;         ///< [N m]
  double speed_max;          ///< of the handle, given by the maker [m/s]
  double mass;               ///< felt at the handle [kg]
  double damping;            ///< of its own, that eats energy: b [N s/m]
  double friction;           ///< of its own, dry: f_c [N]
  double resolution;         ///< smallest step of position that it senses: Δ [m]
  double rate;               ///< samples per second
} HeftDeviceInfo;

/// What a look at a device brings: X(name, text).
#define HEFT_DEVICE_READ_LIST(X)                            \
  X(HEFT_DEVICE_NOTHING, "nothing new since the last look") \
  X(HEFT_DEVICE_FRESH, "a new sample")                      \
  X(HEFT_DEVICE_LOST, "the device is gone")

typedef enum HeftDeviceRead {
  HEFT_DEVICE_READ_LIST(HEFT_ENUM_ENTRY) HEFT_DEVICE_READ_COUNT
} HeftDeviceRead;

/// One kind of device. Functions get `self`, memory of `size` bytes that open() finds zeroed, and
/// are called from one thread at a time. None may block for longer than a millisecond but open()
/// and close().
typedef struct HeftDriver {
  const char* name;     ///< as people type it: "udp"
  const char* text;     ///< what it is for, one line
  const char* address;  ///< what an address looks like, with the default; "" if it takes none
  size_t size;
  /// address may be "": the default one. Must leave nothing behind when it fails.
  HeftStatus (*open)(void* self, const char* address, HeftError* error);
  void (*close)(void* self);
  void (*info)(void* self, HeftDeviceInfo* info);
  /// The newest sample. After HEFT_DEVICE_LOST the device is closed and opened again.
  HeftDeviceRead (*read)(void* self, uint64_t now_ns, HeftDeviceSample* sample);
  /// The force from now on; held until the next one. Returns 0 if the device is gone.
  int (*write)(void* self, uint64_t now_ns, const HeftDeviceForce* force);
  /// For devices that render themselves; NULL for all others. 0 if the device is gone.
  int (*set_local_model)(void* self, const HeftLocalModel* model);
  /// For SDKs that own the servo thread: calls tick(user) at the device's rate from a thread of its
  /// own until stop(); NULL for all others.
  HeftStatus (*run)(void* self, void (*tick)(void* user), void* user, HeftError* error);
  void (*stop)(void* self);
} HeftDriver;

/// The drivers that Heft has: 0 to count - 1, NULL beyond.
HEFT_API const HeftDriver* heft_driver_at(int index);
/// By name; NULL if there is none.
HEFT_API const HeftDriver* heft_driver_find(const char* name);

// ---- the guard

/// What a person can be given. Zeros are filled in from the device.
typedef struct HeftGuardDef {
  double force_max;   ///< [N]; 0: the device's, and 3 N if that is not known
  double torque_max;  ///< [N m]; 0: the device's
  double slew;        ///< the force grows no faster [N/s]; it may shrink at once
  double speed_max;   ///< of the handle; force fades from here to nothing at twice this [m/s]; 0:
                      ///< the device's, and 2 m/s if that is not known
  double watchdog;    ///< force is zero when no sample came for so long [s]
  double ramp;        ///< after a start or a loss the force comes back over so long [s]
  double damping, friction;  ///< of the device, counted in the ledger [N s/m, N]; -1: the device's
  int passivity;             ///< 1: time-domain passivity control
} HeftGuardDef;

HEFT_API HeftGuardDef heft_guard_def_default(void);

/// What a guard saw and did.
typedef struct HeftGuardReport {
  long forces;           ///< that were asked for
  long clamped;          ///< were too large
  long slewed;           ///< grew too fast
  long too_fast;         ///< the handle was too fast
  long not_finite;       ///< were not numbers
  long starved;          ///< had no fresh sample
  long interventions;    ///< were damped by passivity control
  long jumps;            ///< samples that went back in time or jumped in place
  double energy;         ///< ledger: energy that the coupling has taken since the last touch [J]
  double energy_lowest;  ///< its lowest value
  double force_peak;     ///< [N]
} HeftGuardReport;

/// Plain data: a guard that lives where its owner wants it.
typedef struct HeftGuard {
  HeftGuardDef def;
  HeftGuardReport report;
  HeftDeviceSample last;   ///< sample that was seen last
  HeftDeviceForce given;   ///< force that is held since then
  HeftVec3 mean_velocity;  ///< displacement of the last interval over its time [m/s]
  double dissipated;       ///< by the device in the interval in which the contact began [J]
  uint64_t sample_ns;      ///< when the last sample came
  uint64_t force_ns;       ///< when the last force went out
  uint64_t start_ns;       ///< when forces may begin to grow again
  double idle;             ///< since when no force was asked for [s]
  int seen;
} HeftGuard;

/// A guard for a device; def may be NULL.
HEFT_API HeftGuard heft_guard_make(const HeftGuardDef* def, const HeftDeviceInfo* info);
/// Tells it of a new sample. Returns 0 if the sample is not to be believed, and is left out.
HEFT_API int heft_guard_sample(HeftGuard* guard, uint64_t now_ns, const HeftDeviceSample* sample);
/// The force that may go out instead of `wish`. moved: how what the spring is fixed to has turned
/// and moved since the last force [rad, m], in device coordinates; energy that the world gives
/// through it is not the coupling's. moved may be NULL: it stood still.
HEFT_API HeftDeviceForce heft_guard_force(HeftGuard* guard, uint64_t now_ns,
                                          const HeftDeviceForce* command, const HeftSpatial* moved);
/// Forces start again from zero.
HEFT_API void heft_guard_restart(HeftGuard* guard, uint64_t now_ns);

/// The stiffest wall that a device can render without giving energy ([Colgate 1997];
/// [Abbott 2005]): min(2 (b - B) / T, 2 f_c / Δ), where Δ and f_c are known [N/m]. 0: none.
HEFT_API double heft_device_stiffness_bound(const HeftDeviceInfo* info, double period,
                                            double damping);

// ---- a device

typedef struct HeftDevice HeftDevice;

typedef struct HeftDeviceDef {
  HeftAllocator allocator;
  HeftGuardDef guard;
  double retry;  ///< a device that is gone is looked for again after so long [s]
} HeftDeviceDef;

HEFT_API HeftDeviceDef heft_device_def_default(void);

/// address may be NULL (the default one), def may be NULL, error may be NULL. *out is NULL on
/// failure.
HEFT_API HeftStatus heft_device_open(HeftDevice** out, const HeftDriver* driver,
                                     const char* address, const HeftDeviceDef* def,
                                     HeftError* error);
/// Sends a zero force and lets go. NULL is allowed.
HEFT_API void heft_device_close(HeftDevice* device);
HEFT_API HeftDeviceInfo heft_device_info(const HeftDevice* device);
HEFT_API const char* heft_device_driver(const HeftDevice* device);
/// The driver's own memory, for those who know the driver.
HEFT_API void* heft_device_self(HeftDevice* device);
/// The newest sample, if there is a new one. A device that is gone is opened again from here.
HEFT_API HeftDeviceRead heft_device_read(HeftDevice* device, uint64_t now_ns,
                                         HeftDeviceSample* sample);
/// Through the guard. Returns what went out. moved: as heft_guard_force(), moved may be NULL.
HEFT_API HeftDeviceForce heft_device_write(HeftDevice* device, uint64_t now_ns,
                                           const HeftDeviceForce* command,
                                           const HeftSpatial* moved);
HEFT_API HeftGuardReport heft_device_report(const HeftDevice* device);
/// 1 while it is there.
HEFT_API int heft_device_alive(const HeftDevice* device);

// ---- the servo

enum { HEFT_SERVO_DEVICES = 4, HEFT_SERVO_BINS = 64 };

typedef struct HeftServoDef {
  HeftAllocator allocator;
  double rate;      ///< [1/s]
  int priority;     ///< of real time, 1 to 99; 0: as any thread
  int lock_memory;  ///< 1: keep the program in memory
  double blend;     ///< when a late step comes in, the force goes over to it in this time [s]
} HeftServoDef;

HEFT_API HeftServoDef heft_servo_def_default(void);

/// How well a servo keeps time. Bins are powers of two in steps of a quarter: bin i holds times
/// from 2^(i/4) to 2^((i+1)/4) microseconds.
typedef struct HeftServoReport {
  long ticks;
  long missed;                             ///< that were late by more than a period, and left out
  double late_median, late_p99, late_max;  ///< how late ticks begin [s]
  double latency_median, latency_p99;      ///< from the sample to its force [s]
  long late[HEFT_SERVO_BINS], latency[HEFT_SERVO_BINS];
  int real_time;      ///< 1 if the thread has a priority of real time
  char message[160];  ///< what was not permitted and how to permit it, or ""
} HeftServoReport;

typedef struct HeftServo HeftServo;

/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_servo_create(HeftServo** out, const HeftServoDef* def, HeftError* error);
/// Stops it. Devices stay open. NULL is allowed.
HEFT_API void heft_servo_destroy(HeftServo* servo);
/// A device to serve, before the start. Returns its number, -1 if there are too many. mapping may
/// be
/// NULL (the default one).
HEFT_API int heft_servo_add(HeftServo* servo, HeftDevice* device, const HeftMapping* mapping);
/// Starts the thread, or hands the tick to an SDK that has one.
HEFT_API HeftStatus heft_servo_start(HeftServo* servo, HeftError* error);
/// Ends it; all forces are zero then.
HEFT_API void heft_servo_stop(HeftServo* servo);
/// One turn, when there is no thread: reads, renders, writes.
HEFT_API void heft_servo_tick(HeftServo* servo, uint64_t now_ns);

// From the thread that steps the world; nobody waits.
/// The newest input. Returns 1 if it is new.
HEFT_API int heft_servo_input(HeftServo* servo, int device, HeftProbeInput* input);
/// What the device should feel from now on.
HEFT_API void heft_servo_model(HeftServo* servo, int device, const HeftLocalModel* model);
/// Another mapping, when the camera has moved.
HEFT_API void heft_servo_map(HeftServo* servo, int device, const HeftMapping* mapping);

/// What a device is doing, for panels.
typedef struct HeftServoView {
  HeftDeviceSample sample;
  HeftProbeInput input;
  HeftDeviceForce given;  ///< what went out, in device coordinates
  HeftGuardReport guard;
  int alive;
  HeftServoReport servo;
} HeftServoView;
/// The newest view of a device, from one thread. Returns 1 if it is new.
HEFT_API int heft_servo_view(HeftServo* servo, int device, HeftServoView* view);

// ---- an emulated device

/// A handle with mass, friction and encoders, in a hand that follows an intention. Deterministic:
/// it lives in the time that it is told.
typedef struct HeftEmulatorDef {
  HeftDeviceInfo info;    ///< mass, damping, friction, resolution, force_max, rate
  double hand_mass;       ///< [kg]
  double hand_stiffness;  ///< of the arm towards its intention [N/m]
  double hand_damping;    ///< [N s/m]
  HeftVec3 start;         ///< [m]
  int delay;              ///< samples between a force that is written and one that is felt
  uint64_t seed;          ///< of jitter and loss
  double jitter;          ///< samples come late by up to this share of a period
  double loss;            ///< share of samples and forces that are lost
} HeftEmulatorDef;

HEFT_API HeftEmulatorDef heft_emulator_def_default(void);
/// Names of device models: "touch", "inverse3", "omega", "ideal", "joystick", "spacemouse". Returns
/// 0 if there is no such.
HEFT_API int heft_emulator_device(const char* name, HeftDeviceInfo* info);

typedef struct HeftEmulator {
  HeftEmulatorDef def;
  uint64_t now_ns, begun_ns;
  int begun, dead;
  HeftVec3 pos, vel;      ///< of the handle, as it is
  HeftVec3 intention;     ///< where the hand wants to be
  HeftDeviceForce force;  ///< that it feels
  HeftDeviceForce pending[8];
  uint64_t number, random;
  HeftVec3 sensed;  ///< last place that the encoders told
  uint64_t sensed_ns;
  HeftVec3 sensed_vel;
  unsigned buttons;
  double given;   ///< energy that device and coupling took from the hand while they pushed [J]
  double worked;  ///< energy that the forces written took from the handle so far [J]
  double script[16][5];  ///< time [s], x, y, z [m], buttons: way points
  int script_count;
} HeftEmulator;

HEFT_API HeftEmulator heft_emulator_make(const HeftEmulatorDef* def);
/// Lets time pass.
HEFT_API void heft_emulator_advance(HeftEmulator* emulator, uint64_t now_ns);
/// The newest sample. Returns HEFT_DEVICE_NOTHING if it was lost.
HEFT_API HeftDeviceRead heft_emulator_read(HeftEmulator* emulator, HeftDeviceSample* sample);
HEFT_API int heft_emulator_write(HeftEmulator* emulator, const HeftDeviceForce* force);
/// An emulator from a text: a model, what is changed in it, and a way:
/// "touch,friction=0.5,hand-mass=0.3:0 0 0 0; 1 0 0 -0.02". Names: mass, damping, friction,
/// resolution, force, rate; hand-mass, hand-stiffness, hand-damping; delay, jitter, loss, seed.
/// Model and way may be left out.
HEFT_API HeftStatus heft_emulator_read_text(HeftEmulator* emulator, const char* text,
                                            HeftError* error);
/// A way that the hand wants to go: "0 0 0 0; 1 0 0 -0.02 1" is time [s], place [m] and optionally
/// buttons, point by point, with straight lines between. Returns 0 if the text is not understood.
HEFT_API int heft_emulator_script(HeftEmulator* emulator, const char* text);

#ifdef __cplusplus
}
#endif
#endif
