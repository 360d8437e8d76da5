// SPDX-License-Identifier: Apache-2.0
// Pairs of numbered bodies, divided so that threads can share a sweep over them.
//
// Groups of pairs without a common body could be dealt out colour by colour, but then threads would
// wait for each other a dozen times in a sweep of a few microseconds, and the bodies would wander
// from cache to cache. So the bodies are divided into domains of neighbouring numbers, which mostly
// lie near each other. A job is all pairs inside of one domain, or all between the same two. Jobs
// of domains that differ share no body. A stage is a list of such jobs: first the insides of all
// domains, then, as in a tournament in which all meet all, the pairs of domains, D / 2 at a time.
//
// The number of domains follows only from the number of pairs, never from the threads.
#ifndef HEFT_SRC_BASE_DOMAINS_H
#define HEFT_SRC_BASE_DOMAINS_H

enum { DOMAINS_MAX = 8, JOBS_MAX = DOMAINS_MAX * (DOMAINS_MAX + 1) / 2 };

typedef struct Domains {
  int count;                   ///< domains: 1, or an even number
  int jobs, stages;            ///< the job of the inside of domain a is a
  int body[DOMAINS_MAX + 1];   ///< first body of each domain
  int stage[DOMAINS_MAX + 1];  ///< first job of each stage
  unsigned char job_of[DOMAINS_MAX][DOMAINS_MAX];
} Domains;

/// The number of domains for so many pairs.
int heft_domains_count(int pairs);
Domains heft_domains_make(int count, int bodies);

static inline int heft_domain_of(const Domains* d, int body) {
  int a = 0;
  while (body >= d->body[a + 1]) ++a;
  return a;
}

/// The domains of both sides of a pair; a side below zero has no body and belongs to the domain of
/// the other.
static inline void heft_domains_of_pair(const Domains* d, const int body[2], int out[2]) {
  for (int s = 0; s < 2; ++s) out[s] = body[s] >= 0 ? heft_domain_of(d, body[s]) : -1;
  for (int s = 0; s < 2; ++s) {
    if (out[s] < 0) out[s] = out[1 - s] >= 0 ? out[1 - s] : 0;
  }
}

#endif
