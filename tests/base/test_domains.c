// SPDX-License-Identifier: Apache-2.0
// Domains: every pair of bodies has a job, and jobs of a stage share no domain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/domains.h"

static void jobs_of_a_stage_share_no_domain(void** state) {
  (void)state;
  static const int counts[] = {1, 2, 4, 8};
  for (int k = 0; k < 4; ++k) {
    const Domains d = heft_domains_make(counts[k], 1001);
    int stage_of[JOBS_MAX], seen[JOBS_MAX] = {0};
    assert_int_equal(d.jobs, counts[k] * (counts[k] + 1) / 2);
    assert_int_equal(d.stage[d.stages], d.jobs);
    for (int s = 0; s < d.stages; ++s) {
      for (int j = d.stage[s]; j < d.stage[s + 1]; ++j) stage_of[j] = s;
    }
    for (int a = 0; a < d.count; ++a) {
      unsigned stages = 0;  // in which the domain has a job
      for (int b = 0; b < d.count; ++b) {
        const int job = d.job_of[a][b];
        assert_int_equal(job, d.job_of[b][a]);
        assert_int_equal(stages >> stage_of[job] & 1, 0);
        stages |= 1u << stage_of[job];
        seen[job] += a <= b;
      }
    }
    for (int j = 0; j < d.jobs; ++j) assert_int_equal(seen[j], 1);
  }
}

static void every_body_has_a_domain(void** state) {
  (void)state;
  const Domains d = heft_domains_make(8, 21);
  int out[2];
  for (int body = 0, last = 0; body < 21; ++body) {
    const int own = heft_domain_of(&d, body), pair[2] = {-1, body};
    assert_true(own >= last && own < d.count);
    heft_domains_of_pair(&d, pair, out);
    assert_true(out[0] == own && out[1] == own);
    last = own;
  }
}

static void small_heaps_have_one(void** state) {
  (void)state;
  assert_int_equal(heft_domains_count(900), 1);
  for (int pairs = 1, last = 1; pairs < 1 << 20; pairs *= 2) {
    const int count = heft_domains_count(pairs);
    assert_true(count >= last && count <= DOMAINS_MAX);
    last = count;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jobs_of_a_stage_share_no_domain),
                                     cmocka_unit_test(every_body_has_a_domain),
                                     cmocka_unit_test(small_heaps_have_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
