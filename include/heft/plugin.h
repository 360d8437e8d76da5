// SPDX-License-Identifier: Apache-2.0
/// @file plugin.h
/// Plug-ins: code of yours that acts in a simulation, as a controller, a force field, a sensor, a
/// contact law or a detector of collisions, or that builds the scene.
///
/// A plug-in is a shared object with one exported function, which returns a constant HeftPlugin.
/// The command loads it with `--plugin ./trot.so:speed=0.4` and calls its functions before and
/// after each step. The window shows its options as sliders and its values as plots, and loads the
/// file again when it changes.
///
///     #include <heft/plugin.h>
///     typedef struct Wind { double force; } Wind;
///     static const HeftOption options[] = {
///         HEFT_PLUGIN_OPTION(Wind, force, -100, 100, 5, "N", "force on body 1 along x")};
///     static void blow(void* self, HeftWorld* world) {
///       const Wind* wind = (const Wind*)self;
///       heft_world_joint_forces(world)[0] = wind->force;
///     }
///     static const HeftPlugin wind = {.cookie = HEFT_DEF_COOKIE(HeftPlugin), .name = "wind",
///                                     .help = "a steady wind", .size = sizeof(Wind),
///                                     .options = {options, 1}, .before_step = blow};
///     HEFT_PLUGIN(wind)
///
/// The data of an instance is a struct of the plug-in's, `self`. If it is plain data, Heft stores
/// and restores its bytes: rewinding, replay and hot reload need no further code. If it holds
/// pointers, the plug-in provides save and load.
///
/// A plug-in may use all public functions of Heft on the world that it is given. It is code of the
/// user's and runs with the user's rights. A plug-in is called by one thread at a time.
///
/// The second part, HeftPluginSet, is for programs that load plug-ins. It is the library
/// `heft_plugin`, because it needs dlopen and files.
#ifndef HEFT_PLUGIN_H
#define HEFT_PLUGIN_H

#include <heft/builder.h>
#include <heft/world.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- for authors of plug-ins

/// Where a plug-in draws. Positions are in the world's frame [m], colours are 0xRRGGBBAA.
typedef struct HeftPluginCanvas {
  void* user;  ///< first argument of all functions
  void (*arrow)(void* user, HeftVec3 from, HeftVec3 along, uint32_t color);    ///< from its tail
  void (*line)(void* user, HeftVec3 from, HeftVec3 to, uint32_t color);        ///< straight
  void (*sphere)(void* user, HeftVec3 center, double radius, uint32_t color);  ///< radius [m]
  void (*text)(void* user, HeftVec3 pos, uint32_t color, const char* text);    ///< up to 47 bytes
} HeftPluginCanvas;

/// A plug-in: static data that lives as long as the shared object. Functions that the plug-in does
/// not need are NULL.
typedef struct HeftPlugin {
  uint32_t cookie;      ///< HEFT_DEF_COOKIE(HeftPlugin)
  int data_version;     ///< another number if the fields of self have changed; see load
  const char* name;     ///< one word
  const char* help;     ///< one phrase
  size_t size;          ///< of the data of an instance, `self` [bytes]
  HeftOptions options;  ///< fields of self that users set: HEFT_PLUGIN_OPTION()
  HeftOptions values;   ///< fields of self that plots and logs show: HEFT_PLUGIN_VALUE()
  /// Prepares an instance. self is zero except for its options. The world keeps its state: it may
  /// be in the middle of a run. A status other than HEFT_OK, with a message in error, refuses the
  /// world, for example because it lacks a joint.
  HeftStatus (*create)(void* self, HeftWorld* world, HeftError* error);
  void (*destroy)(void* self);  ///< ends an instance
  /// The world was set to an initial state, at the start and again whenever the user restarts it.
  /// Before, all fields of self but the options have become zero, and the instance was created
  /// again; so this function is needed only by plug-ins that set another initial state.
  void (*reset)(void* self, HeftWorld* world);
  /// Sets controls, joint forces, wrenches and couplings of the coming step.
  void (*before_step)(void* self, HeftWorld* world);
  /// Reads what happened; sets its values.
  void (*after_step)(void* self, const HeftWorld* world, const HeftStepReport* report);
  /// Adds lines, arrows and text to a picture.
  void (*draw)(const void* self, const HeftWorld* world, const HeftPluginCanvas* canvas);
  /// Number of bytes that save writes, for all instances in a world and at all times.
  size_t (*save_size)(const void* self);
  void (*save)(const void* self, void* bytes);  ///< writes save_size bytes
  /// Reads what save wrote, in this process or in an earlier version of the plug-in. Returns false
  /// if the bytes do not fit. If save and load are NULL, self is stored byte by byte, and bytes of
  /// another size or data_version do not fit.
  bool (*load)(void* self, const void* bytes, size_t size);
  /// Hands of the users, before each call of before_step: first of devices, then the mouse of the
  /// window while it pulls. count may be 0.
  void (*hands)(void* self, const HeftHand* hands, int count);
  /// For programs that describe a plug-in at run time: if bind is not NULL, it is called before
  /// create with `user`.
  void (*bind)(void* self, void* user);
  void* user;  ///< of the program that adds the plug-in; not owned
  /// For plug-ins whose before_step() depends on something outside of the world, such as a socket.
  /// record writes what the last before_step() took from there, in record_size bytes. A recording
  /// stores these bytes for each step. A replay calls replay with them instead of before_step: it
  /// must have the same effect. It returns false if the bytes do not fit. All three or none.
  size_t (*record_size)(const void* self);
  void (*record)(const void* self, void* bytes);  ///< see record_size
  bool (*replay)(void* self, HeftWorld* world, const void* bytes,
                 size_t size);  ///< see record_size
  /// A law of contact and a detector of collisions, which act while the plug-in does. Their `user`
  /// is self, which they only read. NULL: none. One plug-in of a world may bring each of them.
  const HeftContactLaw* contact_law;
  const HeftDetector* detector;  ///< see contact_law
  /// Adds to the scene of a program that is given no model file. self is zero except for its
  /// options; create follows, in a world of the finished scene. The plug-ins of a set build in
  /// their order. A status other than HEFT_OK, with a message in error, refuses.
  HeftStatus (*build)(const void* self, HeftBuilder* builder, HeftError* error);
} HeftPlugin;

/// A row of `options`: HEFT_PLUGIN_OPTION(Trot, speed, 0, 3, 1, "Hz", "steps per second"). The
/// field is a double.
#define HEFT_PLUGIN_OPTION(Self, field, min, max, usual, unit, meaning)                        \
  {                                                                                            \
#field, HEFT_VALUE_DOUBLE, HEFT_PLUGIN_OFFSET(Self, field), (min), (max), (usual), (unit), \
        (meaning)                                                                              \
  }
/// A row of `values`: HEFT_PLUGIN_VALUE(Trot, height, "m", "height of the trunk").
#define HEFT_PLUGIN_VALUE(Self, field, unit, meaning) \
  { #field, HEFT_VALUE_DOUBLE, HEFT_PLUGIN_OFFSET(Self, field), 0, 0, 0, (unit), (meaning) }
/// Offset of a field; does not compile if the field is no double.
#define HEFT_PLUGIN_OFFSET(Self, field) \
  (offsetof(Self, field) + 0 * sizeof(char[sizeof(((Self*)0)->field) == sizeof(double) ? 1 : -1]))

#if defined(__GNUC__)
#define HEFT_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define HEFT_PLUGIN_EXPORT
#endif
#ifdef __cplusplus
/// Exports a plug-in: the function of a shared object that programs look for.
#define HEFT_PLUGIN(plugin)                                          \
  extern "C" HEFT_PLUGIN_EXPORT const HeftPlugin* heft_plugin(void); \
  extern "C" HEFT_PLUGIN_EXPORT const HeftPlugin* heft_plugin(void) { return &(plugin); }
#else
#define HEFT_PLUGIN(plugin)                               \
  HEFT_PLUGIN_EXPORT const HeftPlugin* heft_plugin(void); \
  HEFT_PLUGIN_EXPORT const HeftPlugin* heft_plugin(void) { return &(plugin); }
#endif

// ---- for programs that load plug-ins

/// Plug-ins that act in one world, in the order in which they were added. For one thread at a time.
typedef struct HeftPluginSet HeftPluginSet;

/// An empty set. *out is NULL on failure. allocator NULL: the default one. error may be NULL.
HEFT_API HeftStatus heft_plugin_set_create(HeftPluginSet** out, const HeftAllocator* allocator,
                                           HeftError* error);
/// Destroys all instances and closes all files. NULL is allowed. The world must still exist.
HEFT_API void heft_plugin_set_destroy(HeftPluginSet* set);

/// Adds a plug-in of this program. options: "speed=0.4,height=1", "" or NULL: the defaults.
/// HEFT_ERR_VERSION: it was compiled with other headers. HEFT_ERR_NAME, HEFT_ERR_VALUE: an option.
/// The set is unchanged on failure. error may be NULL.
HEFT_API HeftStatus heft_plugin_set_add(HeftPluginSet* set, const HeftPlugin* plugin,
                                        const char* options, HeftError* error);
/// Loads a shared object and adds its plug-in. spec: "./trot.so" or "./trot.so:speed=0.4,height=1".
/// The file itself is not mapped, but a copy, so that it may be written while it is in use.
HEFT_API HeftStatus heft_plugin_set_load(HeftPluginSet* set, const char* spec, HeftError* error);

/// Builds the scene of the plug-ins. HEFT_ERR_NAME: none of them builds. The caller destroys *out,
/// which is NULL on failure.
HEFT_API HeftStatus heft_plugin_set_build(const HeftPluginSet* set, HeftModel** out,
                                          HeftError* error);

/// Creates all instances in a world. If they acted in another world before, which still exists,
/// they leave it and keep their data: options, and the rest as far as it fits. Plain data fits if
/// the models have the same elements, or one of them more at the end. On failure no plug-in acts,
/// and error names the one that refused.
HEFT_API HeftStatus heft_plugin_set_attach(HeftPluginSet* set, HeftWorld* world, HeftError* error);
/// Ends all instances, but keeps plug-ins and options. Call it before the world is destroyed.
HEFT_API void heft_plugin_set_detach(HeftPluginSet* set);
/// True if the plug-ins act in a world.
HEFT_API bool heft_plugin_set_attached(const HeftPluginSet* set);

/// Call this after the world was set to an initial state.
HEFT_API HeftStatus heft_plugin_set_reset(HeftPluginSet* set, HeftError* error);
/// Call this before heft_plugin_set_before_step() if users act in the world. hands may be NULL if
/// count is 0.
/// [in] hands[count]
HEFT_API void heft_plugin_set_hands(HeftPluginSet* set, const HeftHand* hands, int count);
/// Call this before each step. HEFT_ERR_VALUE: a plug-in wrote a control or a joint force that is
/// not finite; error names it, and the number is replaced by 0.
HEFT_API HeftStatus heft_plugin_set_before_step(HeftPluginSet* set, HeftError* error);
/// Bytes that repeat the last heft_plugin_set_before_step(): what plug-ins took from outside of the
/// world. Their number is 0 if no plug-in reads anything.
HEFT_API size_t heft_plugin_set_record_size(const HeftPluginSet* set);
/// [out] bytes[heft_plugin_set_record_size(set)]
HEFT_API void heft_plugin_set_record(const HeftPluginSet* set, void* bytes);
/// Does what heft_plugin_set_before_step() did when the bytes were recorded. HEFT_ERR_SYNTAX: the
/// bytes do not belong to these plug-ins; some of them may have acted.
/// [in] bytes[size]
HEFT_API HeftStatus heft_plugin_set_replay(HeftPluginSet* set, const void* bytes, size_t size,
                                           HeftError* error);
/// Call this after each step that was taken.
HEFT_API void heft_plugin_set_after_step(HeftPluginSet* set, const HeftStepReport* report);
/// [in] canvas
HEFT_API void heft_plugin_set_draw(const HeftPluginSet* set, const HeftPluginCanvas* canvas);

/// Data of all instances, options included: a part of the state of a simulation.
HEFT_API size_t heft_plugin_set_save_size(const HeftPluginSet* set);
/// [out] bytes[heft_plugin_set_save_size(set)]
HEFT_API void heft_plugin_set_save(const HeftPluginSet* set, void* bytes);
/// HEFT_ERR_SYNTAX: the bytes do not belong to these plug-ins; some data may have been read.
/// [in] bytes[size]
HEFT_API HeftStatus heft_plugin_set_restore(HeftPluginSet* set, const void* bytes, size_t size);

/// Number of plug-ins.
HEFT_API int heft_plugin_set_count(const HeftPluginSet* set);
/// Plug-in i. Valid until it is loaded again.
HEFT_API const HeftPlugin* heft_plugin_set_plugin(const HeftPluginSet* set, int i);
/// The spec that repeats plug-in i with its present options: "./trot.so:speed=0.4". Always
/// terminated. Returns text. The name replaces the file if it was added by heft_plugin_set_add().
/// [out] text[size]
HEFT_API char* heft_plugin_set_spec(const HeftPluginSet* set, int i, char* text, size_t size);
/// Option k of plug-in i.
HEFT_API double heft_plugin_set_option(const HeftPluginSet* set, int i, int k);
/// HEFT_ERR_VALUE: outside of its range. error may be NULL.
HEFT_API HeftStatus heft_plugin_set_set_option(HeftPluginSet* set, int i, int k, double value,
                                               HeftError* error);
/// Value k of plug-in i.
HEFT_API double heft_plugin_set_value(const HeftPluginSet* set, int i, int k);

/// Hot reload, to be called a few times a second: loads each file again that has changed and then
/// stayed the same between two calls at least 0.1 s apart. Instances continue with their data;
/// options at a default get the new default. *reloaded is the number of plug-ins that were loaded
/// again. reloaded may be NULL. If a file cannot be used, its old version goes
/// on, and error states why, once for each change.
/// [out] reloaded
HEFT_API HeftStatus heft_plugin_set_reload(HeftPluginSet* set, int* reloaded, HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
