// SPDX-License-Identifier: Apache-2.0
// Four and eight doubles at a time by the compiler's vector extension. Every lane rounds like a scalar, so results do
// not depend on the machine's width. HEFT_CONTACT_CLONES compiles a function for several widths and picks one at load.
#ifndef HEFT_SRC_CONTACT_VECTOR_H
#define HEFT_SRC_CONTACT_VECTOR_H

typedef double V4 __attribute__((vector_size(32)));
typedef double V8 __attribute__((vector_size(64)));
// The same for memory that is only aligned like a double.
typedef double V4u __attribute__((vector_size(32), aligned(8), may_alias));
typedef double V8u __attribute__((vector_size(64), aligned(8), may_alias));

static inline V4 v4_load(const double* p) { return *(const V4u*)p; }
static inline void v4_store(double* p, V4 x) { *(V4u*)p = x; }
static inline V8 v8_load(const double* p) { return *(const V8u*)p; }
static inline void v8_store(double* p, V8 x) { *(V8u*)p = x; }

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
#define HEFT_CONTACT_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define HEFT_CONTACT_CLONES
#endif

#endif
