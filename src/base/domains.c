// SPDX-License-Identifier: Apache-2.0
#include "base/domains.h"

#include <stdint.h>

#include "base/assert.h"

// Fewer pairs are not worth the pairs of domains that some of them become.
enum { TWO = 1024, FOUR = 4096, EIGHT = 16384 };

int heft_domains_count(int pairs) {
  if (pairs < TWO) return 1;
  return pairs < FOUR ? 2 : pairs < EIGHT ? 4 : DOMAINS_MAX;
}

// In round r of a tournament of n players (n even), the last one meets r, and r + k meets r - k,
// modulo n - 1.
Domains heft_domains_make(int count, int bodies) {
  HEFT_ASSERT(count >= 1 && count <= DOMAINS_MAX && (count == 1 || count % 2 == 0));
  const int others = count - 1;
  Domains d = {.count = count, .jobs = count, .stages = 1, .stage = {0, count}};
  for (int a = 0; a <= count; ++a) d.body[a] = (int)((int64_t)bodies * a / count);
  for (int a = 0; a < count; ++a) d.job_of[a][a] = (unsigned char)a;
  for (int r = 0; r < others; ++r) {
    for (int k = 0; k < count / 2; ++k) {
      const int a = k == 0 ? others : (r + k) % others, b = (r + others - k) % others;
      d.job_of[a][b] = d.job_of[b][a] = (unsigned char)d.jobs++;
    }
    d.stage[++d.stages] = d.jobs;
  }
  return d;
}
