// SPDX-License-Identifier: Apache-2.0
// Writing one MJCF attribute. mj_put_X leaves the attribute out where x is the default of the
// table; mj_put_X_always does not.
#ifndef HEFT_SRC_IO_MJCF_PUT_H
#define HEFT_SRC_IO_MJCF_PUT_H

#include "io/mjcf_attributes.h"
#include "io/out.h"

/// ` name="`: the beginning of an attribute.
void mj_put_name_of(Out* o, MjcfKey key);
void mj_put_reals_always(Out* o, MjcfKey key, const double* x, int count);
void mj_put_reals(Out* o, MjcfKey key, const double* x, int count);
void mj_put_real(Out* o, MjcfKey key, double x);
void mj_put_int(Out* o, MjcfKey key, int x);
void mj_put_text_always(Out* o, MjcfKey key, const char* text);
void mj_put_text(Out* o, MjcfKey key, const char* text);
void mj_put_bool(Out* o, MjcfKey key, int x);
/// Leaves out the identity.
void mj_put_quat(Out* o, MjcfKey key, const double* q);
/// A range: written where it applies; where it does not apply and is not zero, with
/// limited="false".
void mj_put_range(Out* o, MjcfKey limited, MjcfKey range, int applies, const double* x);
/// An angle in degrees that the reader converts back to the same radians.
void mj_put_degrees(Out* o, MjcfKey key, double radians);
/// The name of element i in the file; see mj_model_name() for the way back.
void mj_put_element_name(Out* o, HeftNamed kind, int i);
/// The name of element i of a kind; the world is called "world", nameless ones get a name. i < 0:
/// none.
void mj_put_reference(Out* o, MjcfKey key, HeftNamed kind, int i);
/// The own name of element i; `referred`: it gets one if it has none.
void mj_put_own_name(Out* o, MjcfKey key, HeftNamed kind, int i, int referred);

#endif
