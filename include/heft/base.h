// SPDX-License-Identifier: Apache-2.0
/// @file base.h
/// Base: status codes, errors with an input position, defs, options, names, allocators, log and
/// assert hooks, hash, clock.
///
/// Contract of the whole library
/// - Memory: every object allocates its memory from the HeftAllocator of its def when it is
///   created, and releases it when it is destroyed. In between, only functions whose comment states
///   it allocate (a builder grows, heft_world_set_contact_model() changes the solver). Stepping
///   never does.
/// - Threads: objects share nothing but const models, so different objects may be used from
///   different threads. One object is used by one thread at a time, unless its header states
///   otherwise. The hooks below are the only global state: set them before other threads start.
/// - Errors: four kinds, each with its own answer.
///   | a call that breaks its contract   | the assert hook is called; if it returns, the function
///   | (NULL, an index out of range)     | changes nothing and returns HEFT_ERR_ARGUMENT or, if it
///   |                                   | has no status, 0, -1, "", zeros or the identity
///   | a def that was never initialised, | HEFT_ERR_ARGUMENT or HEFT_ERR_VERSION, and a message in
///   | or comes from another version     | a HeftError of the caller
///   | files, memory, devices            | a HeftStatus, and a message in a HeftError of the caller
///   | numbers that a step cannot use    | the step report
/// - The library never prints, never exits, and never changes the locale or the floating-point
///   environment. In debug builds the default assert hook aborts.
#ifndef HEFT_BASE_H
#define HEFT_BASE_H

#include <heft/export.h>
#include <heft/version.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Every status of the library, with the sentence that explains it: X(name, text).
#define HEFT_STATUS_LIST(X)                                                   \
  X(HEFT_OK, "all is well")                                                   \
  X(HEFT_ERR_MEMORY, "memory could not be had from the allocator")            \
  X(HEFT_ERR_ARGUMENT, "an argument is outside of its documented range")      \
  X(HEFT_ERR_FILE, "a file could not be opened, read or written")             \
  X(HEFT_ERR_SYNTAX, "the input does not follow the grammar of its format")   \
  X(HEFT_ERR_VALUE, "a value in the input is not allowed where it stands")    \
  X(HEFT_ERR_NAME, "a name is missing, unknown or used twice")                \
  X(HEFT_ERR_LIMIT, "the input is larger than the configured limit")          \
  X(HEFT_ERR_UNSUPPORTED, "the input uses something that Heft does not have") \
  X(HEFT_ERR_VERSION, "the data was written by another version of Heft")      \
  X(HEFT_ERR_CHECKSUM, "the data was damaged after it was written")           \
  X(HEFT_ERR_SINGULAR, "a matrix is singular or not positive definite")       \
  X(HEFT_ERR_ACCURACY, "the result does not meet the tolerance")              \
  X(HEFT_ERR_STOPPED, "the work was stopped before its end")

typedef enum HeftStatus {
#define HEFT_STATUS_ENUM(name, text) name,
  HEFT_STATUS_LIST(HEFT_STATUS_ENUM)
#undef HEFT_STATUS_ENUM
      HEFT_STATUS_COUNT
} HeftStatus;

/// The identifier of a status as text, for example "HEFT_ERR_MEMORY". Static string, never NULL.
HEFT_API const char* heft_status_name(HeftStatus status);
/// The sentence that explains a status. Static string, never NULL.
HEFT_API const char* heft_status_text(HeftStatus status);

/// An error of the world outside, and its place in the *input*. Owned by the caller; plain data.
/// Start with `HeftError error = {0};`: a function that fails writes status and message, and file,
/// line and column only where the input has them.
typedef struct HeftError {
  HeftStatus status;  ///< HEFT_OK while nothing went wrong
  int line, column;   ///< position in the input, counted from 1; 0 where it has none
  char file[256];     ///< the input's file name, empty where there is none; a name that is too long
                      ///< is cut with "..." at the front
  char message[512];  ///< the fault, the expectation and the remedy; one line without a newline
                      ///< at the end
} HeftError;

/// Writes "file:line:column: message" (the parts that exist) into text, always terminated. Returns
/// text. text may be NULL if size is 0.
/// [out] text[size]
HEFT_API char* heft_error_format(const HeftError* error, char* text, size_t size);

// ---- defs

/// Value of the first field of every def: a mark, the number of the binary interface and the size
/// of the struct, as the program was compiled. A function that takes a def refuses
/// - a def without the mark, with HEFT_ERR_ARGUMENT: its default function was never called;
/// - a def with another number or size, with HEFT_ERR_VERSION: the program was compiled with
///   headers that do not belong to this library.
#define HEFT_DEF_COOKIE(Def) \
  (0xDE000000U | ((uint32_t)HEFT_ABI_VERSION << 16) | (uint32_t)sizeof(Def))

/// Declares the two functions that fill in a def:
/// - `void init(Def* def, uint32_t cookie)` is exported by the library. cookie is HEFT_DEF_COOKIE()
///   of the caller. If it is the library's own, init writes all defaults. Otherwise it writes only
///   the cookie, so that a struct of another size is never overrun.
/// - `Def usual(void)` is compiled into the program and passes the program's cookie to init. C and
///   C++ programs call this one; bindings of other languages call init.
// NOLINTBEGIN(bugprone-macro-parentheses): none around a type or names of functions
#define HEFT_DEF_FUNCTIONS(Def, usual, init)     \
  HEFT_API void init(Def* def, uint32_t cookie); \
  static inline Def usual(void) {                \
    Def def;                                     \
    init(&def, HEFT_DEF_COOKIE(Def));            \
    return def;                                  \
  }                                              \
  struct HeftError
// NOLINTEND(bugprone-macro-parentheses)

// ---- options: fields of defs by name

/// Types of values in tables that are read at run time: X(name, C type).
#define HEFT_VALUE_LIST(X)       \
  X(HEFT_VALUE_CHAR, char)       \
  X(HEFT_VALUE_BOOL, bool)       \
  X(HEFT_VALUE_INT32, int)       \
  X(HEFT_VALUE_UINT64, uint64_t) \
  X(HEFT_VALUE_DOUBLE, double)

typedef enum HeftValueType {
#define HEFT_VALUE_ENUM(name, type) name,
  HEFT_VALUE_LIST(HEFT_VALUE_ENUM)
#undef HEFT_VALUE_ENUM
      HEFT_VALUE_TYPE_COUNT
} HeftValueType;

/// Size of one value [bytes].
HEFT_API size_t heft_value_type_size(HeftValueType type);

/// One field of a def or of another struct of settings. All strings are static. Enums are
/// HEFT_VALUE_INT32.
typedef struct HeftOption {
  const char* name;      ///< name of the field
  HeftValueType type;    ///< type of the field
  size_t offset;         ///< place of the field in its struct [bytes]
  double min, max;       ///< smallest and largest value, both allowed, in the unit of the option
  double default_value;  ///< value that the default function writes, in the unit of the option
  const char* unit;      ///< unit, "" if it has none
  const char* meaning;   ///< one phrase
} HeftOption;

/// A table of options. Static data; valid while the library is loaded.
typedef struct HeftOptions {
  const HeftOption* option;  ///< (count)
  int count;
} HeftOptions;

/// Value of the field that `option` describes in `object`, a struct that the table belongs to.
/// [in] object[sizeof the struct]
HEFT_API double heft_option_value(const HeftOption* option, const void* object);
/// Index of the option with this name. HEFT_ERR_NAME if there is none: the message suggests a name.
/// error may be NULL. *index is -1 on failure.
/// [out] index
HEFT_API HeftStatus heft_options_find(HeftOptions options, const char* name, int* index,
                                      HeftError* error);
/// Writes a field of `object` by its name. HEFT_ERR_NAME: no option has this name. HEFT_ERR_VALUE:
/// the value is outside [min, max], not finite, or not whole where the type is. object then stays
/// as it was. error may be NULL.
/// [in,out] object[sizeof the struct]
HEFT_API HeftStatus heft_options_set(HeftOptions options, void* object, const char* name,
                                     double value, HeftError* error);
/// Checks all fields of `object` against their ranges. HEFT_ERR_VALUE names the first that is
/// outside. error may be NULL.
/// [in] object[sizeof the struct]
HEFT_API HeftStatus heft_options_check(HeftOptions options, const void* object, HeftError* error);

// ---- names

/// Names to choose from: name(from, 0) .. name(from, count - 1). Empty names are skipped.
typedef struct HeftNames {
  const char* (*name)(const void* from, int index);  ///< never returns NULL
  const void* from;                                  ///< passed to name; not owned
  int count;                                         ///< how many there are
} HeftNames;

/// Writes a hint for a name that does not exist: "did you mean 'home'?" if one of the names is
/// similar, else "these exist: home, squat", or "there are none". Always terminated. Returns text.
/// [out] text[size]
HEFT_API char* heft_names_hint(HeftNames names, const char* given, char* text, size_t size);

/// Where memory comes from. allocate returns NULL when there is none; alignment is a power of two
/// up to 64. release gets the size that was asked for. Both are called from the thread that calls
/// the function that allocates or releases memory.
typedef struct HeftAllocator {
  void* (*allocate)(void* user, size_t size, size_t alignment);  ///< never called during a step
  void (*release)(void* user, void* memory, size_t size);        ///< of what allocate returned
  void* user;                                                    ///< passed to both; not owned
} HeftAllocator;

/// Functions malloc() and free() of the C library.
HEFT_API HeftAllocator heft_allocator_default(void);

/// How grave a message is.
typedef enum HeftLogLevel {
  HEFT_LOG_DEBUG,   ///< for developers of Heft
  HEFT_LOG_INFO,    ///< progress
  HEFT_LOG_WARNING  ///< something is probably wrong
} HeftLogLevel;

/// Receives one line of text without a newline. Called from the thread that does the work.
typedef void HeftLogHook(void* user, HeftLogLevel level, const char* text);
/// Sets the log hook; NULL (the default) drops all messages.
HEFT_API void heft_log_set_hook(HeftLogHook* hook, void* user);

/// Called in every build when a call breaks its contract, with the condition that does not hold and
/// its place in the library's source. If the hook returns, the function that was called changes
/// nothing and returns HEFT_ERR_ARGUMENT or a harmless value. A hook need not return: it may abort,
/// or longjmp out of a test.
typedef void HeftAssertHook(const char* condition, const char* file, int line);
/// Sets the assert hook; NULL restores the default, which aborts in debug builds and is silent in
/// others.
HEFT_API void heft_assert_set_hook(HeftAssertHook* hook);

/// 64 bits that depend on every byte, the same on every machine. Chain calls through seed; start
/// with 0. bytes may be NULL if size is 0.
/// [in] bytes[size]
HEFT_API uint64_t heft_hash(const void* bytes, size_t size, uint64_t seed);

/// Monotonic clock [ns], for deadlines and measurements; its origin is arbitrary.
HEFT_API uint64_t heft_clock_ns(void);

#ifdef __cplusplus
}
#endif
#endif
