// SPDX-License-Identifier: Apache-2.0
// Before each source that mingw.sh compiles. The C library of Windows has no aligned_alloc(); what
// tests allocate with it is aligned enough for SSE2 by malloc().
#include <stdlib.h>
#define aligned_alloc(alignment, size) malloc(size)
