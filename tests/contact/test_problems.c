// SPDX-License-Identifier: Apache-2.0
// Papers: R19.
// Every problem file of the reference data, solved cold and certified. Skipped when the data is not
// there. The environment variable HEFT_LONG adds those that take seconds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <heft/io.h>

#include "contact/problems.h"

typedef struct File {
  const char* name;
  double tolerance;  // what it must be certified at
  int slow;
} File;

static const File FILES[] = {
    {"scenes/humanoid8.dat", 1e-8, 0},
    {"scenes/g1.dat", 1e-8, 0},
    {"scenes/pyr6.dat", 1e-8, 0},
    {"scenes/pyr10.dat", 1e-8, 0},
    {"scenes/pyr15.dat", 1e-8, 1},
    {"scenes/boxes250.dat", 1e-8, 0},
    {"scenes/ws_pyr6_0.dat", 1e-8, 0},
    {"scenes/ws_pyr6_1.dat", 1e-8, 0},
    {"scenes/ws_pyr6_2.dat", 1e-8, 0},
    {"scenes/pile216.dat", 1e-8, 1},
    {"scenes/ws_pile216_0.dat", 1e-8, 1},
    {"scenes/ws_pile216_1.dat", 1e-8, 1},
    {"scenes/ws_pile216_2.dat", 1e-8, 1},
    {"scenes/pile343.dat", 1e-8, 1},
    {"scenes/pile36.dat", 1e-8, 0},
    {"scenes/ws_pile36_0.dat", 1e-8, 0},
    {"scenes/ws_pile36_1.dat", 1e-8, 0},
    {"scenes/ws_pile36_2.dat", 1e-8, 0},
    {"fc3d/BoxesStack1-i100000-32.hdf5.dat", 1e-8, 0},
    {"fc3d/Capsules-i100-1090.dat", 1e-8, 0},
    {"fc3d/Capsules-i100-889.dat", 1e-8, 0},
    {"fc3d/Capsules-i101-404.dat", 1e-8, 0},
    {"fc3d/Capsules-i103-990.dat", 1e-8, 0},
    {"fc3d/Capsules-i122-1617.dat", 1e-8, 0},
    {"fc3d/Confeti-ex03-Fc3D-SBM.dat", 1e-8, 0},
    {"fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat", 1e-8, 0},
    {"fc3d/Confeti-ex13-Fc3D-SBM.dat", 1e-8, 0},
    {"fc3d/FC3D_Example1.dat", 1e-8, 0},
    {"fc3d/FC3D_Example1_SBM.dat", 1e-8, 0},
    {"fc3d/FrictionContact3D_1c.dat", 1e-8, 0},
    {"fc3d/FrictionContact3D_RR_1c.dat", 1e-8, 0},
    {"fc3d/GFC3D_Example0.dat", 1e-8, 0},
    {"fc3d/GFC3D_Example00.dat", 1e-8, 0},
    {"fc3d/GFC3D_Example00_badly_scaled.dat", 1e-8, 0},
    {"fc3d/GFC3D_Example0_SBM.dat", 1e-8, 0},
    {"fc3d/GFC3D_Example1.dat", 1e-8, 0},
    {"fc3d/GFC3D_OneContact.dat", 1e-8, 0},
    {"fc3d/GFC3D_TwoRods1-condensed.dat", 1e-8, 0},
    {"fc3d/GFC3D_TwoRods1.dat", 1e-8, 0},
    {"fc3d/KaplasTower-i1061-4.hdf5.dat", 1e-8, 0},
    {"fc3d/NESpheres_10_1.dat", 1e-8, 0},
    {"fc3d/NESpheres_30_1.dat", 1e-8, 0},
    {"fc3d/OneObject-i100000-316.hdf5.dat", 1e-8, 0},
    {"fc3d/OneObject-i100000-499.hdf5.dat", 1e-8, 0},
    {"fc3d/OneObject-i1028-138.hdf5.dat", 1e-8, 0},
    {"fc3d/RFC3D_cube_1.dat", 1e-8, 0},
    {"fc3d/RFC3D_sphere_1.dat", 1e-8, 0},
    {"fc3d/RFC3D_sphere_2.dat", 1e-8, 0},
    {"fc3d/RockPile_tob1.dat", 1e-8, 1},
    {"fc3d/Rover1039.dat", 1e-8, 0},
    {"fc3d/Rover1040.dat", 1e-8, 0},
    {"fc3d/Rover1041.dat", 1e-8, 0},
    {"fc3d/Rover11035.dat", 1e-8, 0},
    {"fc3d/Rover11211.dat", 1e-8, 0},
    {"fc3d/Rover3865.dat", 1e-8, 0},
    {"fc3d/Rover4144.dat", 1e-8, 0},
    {"fc3d/Rover4396.dat", 1e-8, 0},
    {"fc3d/Rover4493.dat", 1e-8, 0},
    {"fc3d/Rover4516.dat", 1e-8, 0},
    {"fc3d/Rover4609.dat", 1e-8, 0},
    {"fc3d/Rover4613.dat", 1e-8, 0},
    {"fc3d/Rover4622.dat", 1e-8, 0},
    {"fc3d/Rover9770.dat", 1e-8, 0},
    {"fc3d/rfc3d_sphere_from_grfc3d.dat", 1e-8, 0},
    {"fc3d/rfc3d_sphere_from_grfc3d_dense.dat", 1e-8, 0},
    {"fc3d/rockfall_14_25792.dat", 1e-8, 0},
    {"fc3d/rockfall_21_54029.dat", 1e-8, 0},
    {"fc3d/FC2D_SliderCrankLagrangian00000.dat", 1e-8, 0},
    {"fc3d/FrictionContactProblem00031.dat", 1e-8, 0},
    {"fc3d/FrictionContactProblem00071.dat", 1e-8, 0},
    {"fc3d/FrictionContactProblem00237.dat", 1e-8, 0},
    {"fc3d/fc2d_granularflowonwall_00667_00000.dat", 1e-8, 0},
};

static char* read_whole(const char* name, size_t* size) {
  char path[512];
  snprintf(path, sizeof path, "%s/problems/%s", HEFT_SHARED_DIR, name);
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* text = malloc(*size + 1);
  *size = fread(text, 1, *size, file);
  fclose(file);
  return text;
}

static void solve_file(const File* file, const char* text, size_t size) {
  HeftContactProblemData data;
  HeftError err = {0};
  if (heft_contact_problem_parse(&data, text, size, file->name, heft_allocator_default(), &err) !=
      HEFT_OK) {
    fail_msg("%s: %s", file->name, err.message);
  }
  const HeftContactProblem* p = &data.problem;
  const HeftContactSolverDef def = def_for(p);
  HeftContactSolver* solver;
  assert_int_equal(heft_contact_solver_create(&solver, &def, &err), HEFT_OK);
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = file->tolerance;
  if (file->slow) stop.effort_max = 10000000;
  double* r = calloc((size_t)p->row_count, sizeof(double));
  double* u = calloc((size_t)p->row_count, sizeof(double));
  double* scratch = calloc(heft_contact_certify_scratch(p), sizeof(double));
  const HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, u);
  const HeftContactCertificate c = heft_contact_certify(p, r, u, scratch);
  print_message("%-46s %5d contacts %5d sweeps %4d newtons  %.1e\n", file->name,
                p->constraint_count, result.sweeps, result.newton_steps, c.relative);
  if (!(c.relative <= file->tolerance * 1.5))
    fail_msg("%s is certified at %g only", file->name, c.relative);
  assert_true(c.finite && c.energy_change <= 1e-9);
  heft_contact_solver_destroy(solver);
  heft_contact_problem_release(&data);
  free(r);
  free(u);
  free(scratch);
}

static void all_files(void** state) {
  (void)state;
  int found = 0;
  for (size_t k = 0; k < sizeof FILES / sizeof *FILES; ++k) {
    size_t size = 0;
    if (FILES[k].slow && !getenv("HEFT_LONG")) continue;
    char* text = read_whole(FILES[k].name, &size);
    if (!text) continue;
    found++;
    solve_file(&FILES[k], text, size);
    free(text);
  }
  if (found == 0) {
    print_message("the reference data is not there: skipped\n");
    skip();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
