// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_MCAP_BYTES_OUT_H
#define HEFT_SRC_MCAP_BYTES_OUT_H

#include "record/mcap.h"

/// Makes room for more bytes. Returns 0 if there is no memory.
int bytes_out_reserve(HeftBytes* out, size_t more);
void bytes_out_put(HeftBytes* out, const void* bytes, size_t size);
void bytes_out_free(HeftBytes* out);

#endif
