// SPDX-License-Identifier: Apache-2.0
/// @file device.h
/// Haptic devices: drivers, the guard, the servo thread, and an emulated device. The library
/// `heft_device` on top of `heft`, because it needs sockets, dlopen() and real-time threads.
///
///     device ──read──▶ servo (1 kHz) ──input──▶ probe ──coupling──▶ world
///     device ◀─guard── servo         ◀─model─── probe ◀─────────── world
///     ╰───────────── this header ────────────╯  ╰ <heft/interact.h> ╯
///
/// - A driver communicates with one kind of device: a small struct of functions (HeftDriver).
/// - A device is an open driver with a guard around it. Whatever force the program commands, the
///   force at the device is finite and limited, its rate is limited, it is zero if samples stop,
///   and it returns no more energy than it absorbed.
/// - A servo reads the devices and renders forces at their rate, in a thread of its own or on
///   request (heft_servo_tick()). Between steps of the world it renders the local model that the
///   probe returned.
/// - Coordinates, units and times are as in <heft/interact.h>.
/// - Memory is allocated at create and open. No function prints or locks.
#ifndef HEFT_DEVICE_H
#define HEFT_DEVICE_H

#include <heft/interact.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- drivers

/// Properties of a device. Zero: unknown.
typedef struct HeftDeviceInfo {
  char name[64];             ///< maker and product
  int axes_sensed;           ///< 3: position; 6: position and rotation
  int axes_driven;           ///< 0: no force feedback; 3: force; 6: force and torque
  HeftVec3 lowest, highest;  ///< corners of the workspace [m]
  double force_max;          ///< continuous [N]
  double torque_max;         ///< [N m]
  double speed_max;          ///< of the handle, by the maker's specification [m/s]
  double mass;               ///< apparent, at the handle [kg]
  double damping;            ///< viscous, of the device: b [N s/m]
  double friction;           ///< dry, of the device: f_c [N]
  double resolution;         ///< of position: Δ [m]
  double rate;               ///< samples per second [1/s]
} HeftDeviceInfo;

/// Results of reading a device: X(name, text).
#define HEFT_DEVICE_READ_LIST(X)                              \
  X(HEFT_DEVICE_NOTHING, "no new sample since the last read") \
  X(HEFT_DEVICE_FRESH, "a new sample")                        \
  X(HEFT_DEVICE_LOST, "the device is disconnected")

typedef enum HeftDeviceRead {
  HEFT_DEVICE_READ_LIST(HEFT_ENUM_ENTRY) HEFT_DEVICE_READ_COUNT
} HeftDeviceRead;

/// One kind of device. `self` is memory of `size` bytes, zeroed before open(). Functions are called
/// from one thread at a time. Only open() and close() may block for longer than a millisecond,
/// unless there is wait_on(). While a servo runs, its thread never calls a function that may block:
/// a thread of the device opens a lost device again.
typedef struct HeftDriver {
  const char* name;     ///< on the command line, e.g. "udp"
  const char* text;     ///< description, one line
  const char* address;  ///< format of an address, with the default; "" if it has none
  size_t size;          ///< of self [bytes]
  /// address may be "": the default one. On failure all resources must be released.
  HeftStatus (*open)(void* self, const char* address, HeftError* error);
  void (*close)(void* self);                       ///< releases all that open() took
  void (*info)(void* self, HeftDeviceInfo* info);  ///< properties, when it is open
  /// The newest sample. After HEFT_DEVICE_LOST the device is closed and opened again.
  HeftDeviceRead (*read)(void* self, uint64_t now_ns, HeftDeviceSample* sample);
  /// Sets the force until the next call. Returns false if the device is disconnected.
  bool (*write)(void* self, uint64_t now_ns, const HeftDeviceForce* force);
  /// For devices that render by themselves, NULL for others. Returns false if the device is
  /// disconnected.
  bool (*set_local_model)(void* self, const HeftLocalModel* model);
  /// For SDKs that own the servo thread: calls tick(user) at the device's rate from the SDK's
  /// thread until stop(). NULL for others.
  HeftStatus (*run)(void* self, void (*tick)(void* user), void* user, HeftError* error);
  void (*stop)(void* self);  ///< ends run()
  /// For drivers that depend on another program, NULL for others. While a servo runs, all functions
  /// are called from a thread of the device, which waits for this descriptor to become readable and
  /// then calls read(). -1: it calls read() every millisecond.
  int (*wait_on)(void* self);
} HeftDriver;

/// The drivers of Heft: 0 to count - 1, NULL beyond.
HEFT_API const HeftDriver* heft_driver_at(int index);
/// Finds a driver by name; NULL if it is unknown.
HEFT_API const HeftDriver* heft_driver_find(const char* name);

// ---- the guard

/// Limits of the force on a user. Zeros are replaced by the values of the device.
typedef struct HeftGuardDef {
  double force_max;   ///< [N]; 0: the device's, or 3 N if unknown
  double torque_max;  ///< [N m]; 0: the device's
  double slew;        ///< max growth of the force [N/s]; it may decrease at once
  double speed_max;   ///< of the handle; from here to twice this the force decreases to zero [m/s];
                      ///< 0: the device's, or 2 m/s if unknown
  double watchdog;    ///< the force is zero if no sample came within this time [s]
  double ramp;        ///< duration of the ramp of the force after a start or a loss [s]
  double damping, friction;  ///< of the device, for the ledger [N s/m, N]; -1: from the device
  int passivity;             ///< 1: time-domain passivity control
} HeftGuardDef;

/// Usual limits, or the device's where it states them.
HEFT_API HeftGuardDef heft_guard_def_default(void);

/// Counters of a guard.
typedef struct HeftGuardReport {
  long forces;           ///< commanded
  long clamped;          ///< forces above force_max
  long slewed;           ///< forces above the slew rate
  long too_fast;         ///< forces reduced because the handle was too fast
  long not_finite;       ///< forces that were not finite
  long starved;          ///< forces without a recent sample
  long interventions;    ///< forces damped by passivity control
  long jumps;            ///< samples that went back in time or jumped in position
  double energy;         ///< ledger: energy absorbed by the coupling since the contact began [J]
  double energy_lowest;  ///< its min [J]
  double force_peak;     ///< [N]
} HeftGuardReport;

/// A guard. Plain data, owned by the caller.
typedef struct HeftGuard {
  HeftGuardDef def;
  HeftGuardReport report;
  HeftDeviceSample last;   ///< last sample
  HeftDeviceForce given;   ///< force since then
  HeftVec3 mean_velocity;  ///< displacement of the last interval over its time [m/s]
  double dissipated;       ///< by the device in the interval in which the contact began [J]
  uint64_t sample_ns;      ///< time of the last sample
  uint64_t force_ns;       ///< time of the last force
  uint64_t start_ns;       ///< time from which forces may grow again
  double idle;             ///< time without a commanded force [s]
  int seen;                ///< 1: there was a sample
} HeftGuard;

/// Makes a guard for a device; def may be NULL.
HEFT_API HeftGuard heft_guard_make(const HeftGuardDef* def, const HeftDeviceInfo* info);
/// Passes a new sample. Returns false if the sample is implausible; then it is ignored.
/// [in,out] guard
HEFT_API bool heft_guard_sample(HeftGuard* guard, uint64_t now_ns, const HeftDeviceSample* sample);
/// Returns the force that the device may apply instead of `command`. moved: rotation and
/// displacement of the end of the spring since the last force [rad, m], in device coordinates; the
/// ledger excludes the energy that the world gives through it. moved may be NULL: no motion.
/// [in,out] guard
HEFT_API HeftDeviceForce heft_guard_force(HeftGuard* guard, uint64_t now_ns,
                                          const HeftDeviceForce* command, const HeftSpatial* moved);
/// Restarts the ramp of the force from zero.
/// [in,out] guard
HEFT_API void heft_guard_restart(HeftGuard* guard, uint64_t now_ns);

/// Stiffness of the stiffest wall that a device can render passively ([Colgate 1997];
/// [Abbott 2005]): min(2 (b - B) / T, 2 f_c / Δ), if Δ and f_c are known [N/m]. 0: none.
HEFT_API double heft_device_stiffness_bound(const HeftDeviceInfo* info, double period,
                                            double damping);

// ---- a device

/// An open haptic device.
typedef struct HeftDevice HeftDevice;

/// Settings of a device.
typedef struct HeftDeviceDef {
  uint32_t cookie;  ///< set by heft_device_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  HeftGuardDef guard;
  double retry;  ///< time until a lost device is opened again [s]
} HeftDeviceDef;

HEFT_DEF_FUNCTIONS(HeftDeviceDef, heft_device_def_default, heft_device_def_init);

/// address may be NULL (the default one), def may be NULL, error may be NULL. *out is NULL on
/// failure.
HEFT_API HeftStatus heft_device_open(HeftDevice** out, const HeftDriver* driver,
                                     const char* address, const HeftDeviceDef* def,
                                     HeftError* error);
/// Sends a zero force and closes the device. NULL is allowed.
HEFT_API void heft_device_close(HeftDevice* device);
HEFT_API HeftDeviceInfo heft_device_info(const HeftDevice* device);
HEFT_API const char* heft_device_driver(const HeftDevice* device);
/// The memory of the driver (`self`), for code that knows the driver.
HEFT_API void* heft_device_self(HeftDevice* device);
/// The newest sample, if there is one. This function also opens a lost device again.
/// [out] sample
HEFT_API HeftDeviceRead heft_device_read(HeftDevice* device, uint64_t now_ns,
                                         HeftDeviceSample* sample);
/// Commands a force through the guard. Returns the force that was sent. moved: as
/// heft_guard_force(), moved may be NULL.
HEFT_API HeftDeviceForce heft_device_write(HeftDevice* device, uint64_t now_ns,
                                           const HeftDeviceForce* command,
                                           const HeftSpatial* moved);
HEFT_API HeftGuardReport heft_device_report(const HeftDevice* device);
/// True while the device is connected.
HEFT_API bool heft_device_alive(const HeftDevice* device);

// ---- the servo

enum {
  HEFT_SERVO_DEVICES = 4,
  HEFT_SERVO_BINS = 64
};  ///< most devices of a servo; bins of its histograms

/// Settings of a servo.
typedef struct HeftServoDef {
  uint32_t cookie;  ///< set by heft_servo_def_default(); see HEFT_DEF_COOKIE
  HeftAllocator allocator;
  double rate;      ///< [1/s]
  int priority;     ///< real-time priority, 1 to 99; 0: none
  int lock_memory;  ///< 1: lock the memory of the program
  double blend;     ///< duration of the transition to the model of a late step [s]
} HeftServoDef;

HEFT_DEF_FUNCTIONS(HeftServoDef, heft_servo_def_default, heft_servo_def_init);

/// Timing of a servo. Bin i of a histogram counts times from 2^(i/4) to 2^((i+1)/4) microseconds.
typedef struct HeftServoReport {
  long ticks;   ///< of the servo so far
  long missed;  ///< ticks skipped because they were late by more than a period
  double late_median, late_p99, late_max;                ///< lateness of ticks [s]
  double latency_median, latency_p99;                    ///< from the sample to its force [s]
  long late[HEFT_SERVO_BINS], latency[HEFT_SERVO_BINS];  ///< histograms
  int real_time;      ///< 1 if the thread has a real-time priority
  char message[160];  ///< missing permission and its remedy, or ""
} HeftServoReport;

/// Reads a device and renders a local model, a thousand times per second.
typedef struct HeftServo HeftServo;

/// def may be NULL, error may be NULL. *out is NULL on failure.
HEFT_API HeftStatus heft_servo_create(HeftServo** out, const HeftServoDef* def, HeftError* error);
/// Stops and destroys a servo. Devices stay open. NULL is allowed.
HEFT_API void heft_servo_destroy(HeftServo* servo);
/// Adds a device before the start. Returns its index, -1 if there are too many. mapping may be NULL
/// (the default one).
HEFT_API int heft_servo_add(HeftServo* servo, HeftDevice* device, const HeftMapping* mapping);
/// Starts the thread, or passes the tick to an SDK that has a servo thread.
HEFT_API HeftStatus heft_servo_start(HeftServo* servo, HeftError* error);
/// Stops the thread and sets all forces to zero.
HEFT_API void heft_servo_stop(HeftServo* servo);
/// One cycle without a thread: reads, renders, writes.
HEFT_API void heft_servo_tick(HeftServo* servo, uint64_t now_ns);

// For the thread that steps the world. These functions do not wait.
/// The newest input. Returns true if it is new.
/// [out] input
HEFT_API bool heft_servo_input(HeftServo* servo, int device, HeftProbeInput* input);
/// Sets the local model that the device renders.
HEFT_API void heft_servo_model(HeftServo* servo, int device, const HeftLocalModel* model);
/// Sets the mapping, for example after the camera has moved.
HEFT_API void heft_servo_map(HeftServo* servo, int device, const HeftMapping* mapping);

/// State of a device, for display.
typedef struct HeftServoView {
  HeftDeviceSample sample;
  HeftProbeInput input;
  HeftDeviceForce given;  ///< last force, in device coordinates
  HeftGuardReport guard;
  int alive;  ///< 1: samples come
  HeftServoReport servo;
} HeftServoView;
/// The newest view of a device; for one thread. Returns true if it is new.
/// [out] view
HEFT_API bool heft_servo_view(HeftServo* servo, int device, HeftServoView* view);

// ---- an emulated device

/// A handle with mass, friction and encoders, held by a hand that follows a script. Deterministic:
/// it uses the times of its caller.
typedef struct HeftEmulatorDef {
  HeftDeviceInfo info;    ///< mass, damping, friction, resolution, force_max, rate
  double hand_mass;       ///< [kg]
  double hand_stiffness;  ///< of the arm towards the script [N/m]
  double hand_damping;    ///< [N s/m]
  HeftVec3 start;         ///< [m]
  int delay;              ///< samples between writing a force and its effect
  uint64_t seed;          ///< of jitter and loss
  double jitter;          ///< max lateness of samples, as a fraction of a period
  double loss;            ///< fraction of samples and forces that are lost
} HeftEmulatorDef;

/// Usual values: an ideal device in a hand of 0.2 kg, without jitter and loss.
HEFT_API HeftEmulatorDef heft_emulator_def_default(void);
/// Names of device models: "touch", "inverse3", "omega", "ideal", "joystick", "spacemouse". Returns
/// false if the name is unknown.
/// [out] info
HEFT_API bool heft_emulator_device(const char* name, HeftDeviceInfo* info);

/// A device and the hand that holds it, simulated. Plain data: a copy goes on alike.
typedef struct HeftEmulator {
  HeftEmulatorDef def;
  uint64_t now_ns, begun_ns;   ///< present time, and time of the start [ns]
  int begun, dead;             ///< 1: it was started; it was unplugged
  HeftVec3 pos;                ///< of the handle, exact [m]
  HeftVec3 vel;                ///< of the handle, exact [m/s]
  HeftVec3 intention;          ///< target position of the hand [m]
  HeftDeviceForce force;       ///< on the handle
  HeftDeviceForce pending[8];  ///< forces on their way
  uint64_t number, random;     ///< of samples; state of the random numbers
  HeftVec3 sensed;             ///< last position of the encoders [m]
  uint64_t sensed_ns;          ///< time of that position [ns]
  HeftVec3 sensed_vel;         ///< velocity from the encoders [m/s]
  unsigned buttons;            ///< bits of those that are pressed
  double given;                ///< energy absorbed from the hand by device and coupling [J]
  double worked;               ///< energy absorbed from the handle by the forces [J]
  double script[16][5];        ///< points of the path: time [s], x, y, z [m], buttons
  int script_count;
} HeftEmulator;

/// An emulator whose hand rests at the start.
HEFT_API HeftEmulator heft_emulator_make(const HeftEmulatorDef* def);
/// Advances the emulator to a time.
/// [in,out] emulator
HEFT_API void heft_emulator_advance(HeftEmulator* emulator, uint64_t now_ns);
/// The newest sample. Returns HEFT_DEVICE_NOTHING if it was lost.
/// [in,out] emulator; [out] sample
HEFT_API HeftDeviceRead heft_emulator_read(HeftEmulator* emulator, HeftDeviceSample* sample);
/// [in,out] emulator
HEFT_API bool heft_emulator_write(HeftEmulator* emulator, const HeftDeviceForce* force);
/// Makes an emulator from a text: model, changed parameters, and path:
/// "touch,friction=0.5,hand-mass=0.3:0 0 0 0; 1 0 0 -0.02". Names: mass, damping, friction,
/// resolution, force, rate; hand-mass, hand-stiffness, hand-damping; delay, jitter, loss, seed.
/// Model and path are optional.
/// [out] emulator
HEFT_API HeftStatus heft_emulator_read_text(HeftEmulator* emulator, const char* text,
                                            HeftError* error);
/// Sets the path of the hand: "0 0 0 0; 1 0 0 -0.02 1" is a list of time [s], position [m] and
/// optionally buttons, joined by straight lines. HEFT_ERR_SYNTAX: the text is wrong;
/// HEFT_ERR_LIMIT: it has more than 16 points.
/// [in,out] emulator
HEFT_API HeftStatus heft_emulator_script(HeftEmulator* emulator, const char* text);

#ifdef __cplusplus
}
#endif
#endif
