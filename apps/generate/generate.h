// SPDX-License-Identifier: Apache-2.0
// C for the dynamics of one model: kinematics, RNEA and CRBA without loops, with the same bits as
// src/dynamics (docs/decisions/120-generated-dynamics.md).
#ifndef HEFT_APPS_GENERATE_GENERATE_H
#define HEFT_APPS_GENERATE_GENERATE_H

#include <heft/model.h>
#include <stdio.h>

#include "generate/text.h"

/// The functions of the file, in order.
typedef enum GeneratedFunction {
  GENERATED_KINEMATICS,
  GENERATED_BODY_POSES,
  GENERATED_RNEA,
  GENERATED_BIAS,
  GENERATED_CRBA,
  GENERATED_COUNT
} GeneratedFunction;

typedef struct GenerateDef {
  const char* prefix;  ///< of all names; letters, digits and _
  const char* header;  ///< name of the header as the source includes it
  const char* origin;  ///< where the model comes from, for a comment
} GenerateDef;

/// Writes the source and its header. counts may be NULL: the operations of each function.
/// HEFT_ERR_UNSUPPORTED: the model has a part that cannot be generated.
HeftStatus generate_dynamics(const HeftModel* model, const GenerateDef* def, FILE* source,
                             FILE* header, OperationCount counts[GENERATED_COUNT],
                             HeftError* error);
/// A prefix from any text: other characters become _, and a digit gets one before it. "": "model".
void generate_prefix(const char* text, char* out, size_t size);

#endif
