// SPDX-License-Identifier: Apache-2.0
// Types of the functions of FMI 3.0, as the standard defines them.
#ifndef HEFT_APPS_FMI3_H
#define HEFT_APPS_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI_EXPORT __attribute__((visibility("default")))

typedef enum FmiStatus { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL } FmiStatus;
typedef void FmiLog(void* environment, FmiStatus status, const char* category, const char* text);

/// Functions that return an error: X(name, type of the result, result).
#define FMI_ABSENT_LIST(X)                                     \
  X(fmi3InstantiateModelExchange, void*, NULL)                 \
  X(fmi3InstantiateScheduledExecution, void*, NULL)            \
  X(fmi3EnterEventMode, FmiStatus, FMI_ERROR)                  \
  X(fmi3EnterConfigurationMode, FmiStatus, FMI_ERROR)          \
  X(fmi3ExitConfigurationMode, FmiStatus, FMI_ERROR)           \
  X(fmi3GetFloat32, FmiStatus, FMI_ERROR)                      \
  X(fmi3GetInt8, FmiStatus, FMI_ERROR)                         \
  X(fmi3GetUInt8, FmiStatus, FMI_ERROR)                        \
  X(fmi3GetInt16, FmiStatus, FMI_ERROR)                        \
  X(fmi3GetUInt16, FmiStatus, FMI_ERROR)                       \
  X(fmi3GetUInt32, FmiStatus, FMI_ERROR)                       \
  X(fmi3GetInt64, FmiStatus, FMI_ERROR)                        \
  X(fmi3GetUInt64, FmiStatus, FMI_ERROR)                       \
  X(fmi3GetBoolean, FmiStatus, FMI_ERROR)                      \
  X(fmi3GetString, FmiStatus, FMI_ERROR)                       \
  X(fmi3GetBinary, FmiStatus, FMI_ERROR)                       \
  X(fmi3GetClock, FmiStatus, FMI_ERROR)                        \
  X(fmi3SetFloat32, FmiStatus, FMI_ERROR)                      \
  X(fmi3SetInt8, FmiStatus, FMI_ERROR)                         \
  X(fmi3SetUInt8, FmiStatus, FMI_ERROR)                        \
  X(fmi3SetInt16, FmiStatus, FMI_ERROR)                        \
  X(fmi3SetUInt16, FmiStatus, FMI_ERROR)                       \
  X(fmi3SetInt32, FmiStatus, FMI_ERROR)                        \
  X(fmi3SetUInt32, FmiStatus, FMI_ERROR)                       \
  X(fmi3SetInt64, FmiStatus, FMI_ERROR)                        \
  X(fmi3SetUInt64, FmiStatus, FMI_ERROR)                       \
  X(fmi3SetBoolean, FmiStatus, FMI_ERROR)                      \
  X(fmi3SetString, FmiStatus, FMI_ERROR)                       \
  X(fmi3SetBinary, FmiStatus, FMI_ERROR)                       \
  X(fmi3SetClock, FmiStatus, FMI_ERROR)                        \
  X(fmi3GetNumberOfVariableDependencies, FmiStatus, FMI_ERROR) \
  X(fmi3GetVariableDependencies, FmiStatus, FMI_ERROR)         \
  X(fmi3GetDirectionalDerivative, FmiStatus, FMI_ERROR)        \
  X(fmi3GetAdjointDerivative, FmiStatus, FMI_ERROR)            \
  X(fmi3GetIntervalDecimal, FmiStatus, FMI_ERROR)              \
  X(fmi3GetIntervalFraction, FmiStatus, FMI_ERROR)             \
  X(fmi3GetShiftDecimal, FmiStatus, FMI_ERROR)                 \
  X(fmi3GetShiftFraction, FmiStatus, FMI_ERROR)                \
  X(fmi3SetIntervalDecimal, FmiStatus, FMI_ERROR)              \
  X(fmi3SetIntervalFraction, FmiStatus, FMI_ERROR)             \
  X(fmi3SetShiftDecimal, FmiStatus, FMI_ERROR)                 \
  X(fmi3SetShiftFraction, FmiStatus, FMI_ERROR)                \
  X(fmi3EvaluateDiscreteStates, FmiStatus, FMI_ERROR)          \
  X(fmi3UpdateDiscreteStates, FmiStatus, FMI_ERROR)            \
  X(fmi3EnterContinuousTimeMode, FmiStatus, FMI_ERROR)         \
  X(fmi3CompletedIntegratorStep, FmiStatus, FMI_ERROR)         \
  X(fmi3SetTime, FmiStatus, FMI_ERROR)                         \
  X(fmi3SetContinuousStates, FmiStatus, FMI_ERROR)             \
  X(fmi3GetContinuousStateDerivatives, FmiStatus, FMI_ERROR)   \
  X(fmi3GetEventIndicators, FmiStatus, FMI_ERROR)              \
  X(fmi3GetContinuousStates, FmiStatus, FMI_ERROR)             \
  X(fmi3GetNominalsOfContinuousStates, FmiStatus, FMI_ERROR)   \
  X(fmi3GetNumberOfEventIndicators, FmiStatus, FMI_ERROR)      \
  X(fmi3GetNumberOfContinuousStates, FmiStatus, FMI_ERROR)     \
  X(fmi3GetOutputDerivatives, FmiStatus, FMI_ERROR)            \
  X(fmi3ActivateModelPartition, FmiStatus, FMI_ERROR)
/// In C, a function may be called with arguments that it ignores on every platform of Heft.
#define FMI_DEFINE_ABSENT(name, type, result) \
  FMI_EXPORT type name(void);                 \
  FMI_EXPORT type name(void) { return result; }

FMI_EXPORT const char* fmi3GetVersion(void);
FMI_EXPORT FmiStatus fmi3SetDebugLogging(void* unit, bool on, size_t count,
                                         const char* const categories[]);
FMI_EXPORT void fmi3FreeInstance(void* unit);
FMI_EXPORT void* fmi3InstantiateCoSimulation(const char* name, const char* token,
                                             const char* resources, bool visible, bool logging,
                                             bool events, bool early, const uint32_t* required,
                                             size_t required_count, void* environment, FmiLog* log,
                                             void* intermediate);
FMI_EXPORT FmiStatus fmi3EnterInitializationMode(void* unit, bool tolerant, double tolerance,
                                                 double start, bool stops, double stop);
FMI_EXPORT FmiStatus fmi3ExitInitializationMode(void* unit);
FMI_EXPORT FmiStatus fmi3Terminate(void* unit);
FMI_EXPORT FmiStatus fmi3Reset(void* unit);
FMI_EXPORT FmiStatus fmi3GetFloat64(void* unit, const uint32_t references[], size_t count,
                                    double values[], size_t value_count);
FMI_EXPORT FmiStatus fmi3SetFloat64(void* unit, const uint32_t references[], size_t count,
                                    const double values[], size_t value_count);
FMI_EXPORT FmiStatus fmi3GetInt32(void* unit, const uint32_t references[], size_t count,
                                  int32_t values[], size_t value_count);
FMI_EXPORT FmiStatus fmi3EnterStepMode(void* unit);
FMI_EXPORT FmiStatus fmi3DoStep(void* unit, double time, double length, bool no_return, bool* event,
                                bool* terminate, bool* early, double* last);
FMI_EXPORT FmiStatus fmi3GetFMUState(void* unit, void** state);
FMI_EXPORT FmiStatus fmi3SetFMUState(void* unit, void* state);
FMI_EXPORT FmiStatus fmi3FreeFMUState(void* unit, void** state);
FMI_EXPORT FmiStatus fmi3SerializedFMUStateSize(void* unit, void* state, size_t* size);
FMI_EXPORT FmiStatus fmi3SerializeFMUState(void* unit, void* state, unsigned char bytes[],
                                           size_t size);
FMI_EXPORT FmiStatus fmi3DeserializeFMUState(void* unit, const unsigned char bytes[], size_t size,
                                             void** state);

#endif
