// SPDX-License-Identifier: Apache-2.0
// A model as MJCF. The writer reads the attributes from the same table as the reader and leaves out
// the values that equal the defaults of the table. Numbers have the fewest digits that read back to
// the same bits. Every value has the form that the reader stores without arithmetic: radians,
// quaternions, full inertias, general actuators. If other elements refer to an element without a
// name, the writer gives it one that the reader removes again.
#include "io/mjcf_write.h"

#include "base/error.h"
#include "io/mjcf_plain.h"
#include "io/mjcf_put.h"

// Bodies depth first, children in the order of the model. next and last are scratch.
static void order_bodies(const HeftModel* m, int* order, int* next, int* first) {
  for (int b = 0; b < m->nbody; ++b) next[b] = first[b] = -1;
  for (int b = m->nbody - 1; b > 0; --b) {
    next[b] = first[m->body_parent[b]];
    first[m->body_parent[b]] = b;
  }
  int count = 0, b = 0;
  while (b >= 0) {
    order[count++] = b;
    int after = first[b];
    while (after < 0 && b > 0) {
      after = next[b];
      b = m->body_parent[b];
    }
    b = after;
  }
}

static void write_document(Out* o) {
  const HeftModel* m = o->m;
  out_text(o, "<mujoco>");
  ++o->indent;
  out_open(o, "compiler");
  mj_put_text_always(o, MJ_compiler_angle, "radian");
  mj_put_text_always(o, MJ_compiler_autolimits, "true");
  mj_put_text_always(o, MJ_compiler_inertiafromgeom, "false");
  out_end_empty(o);
  out_open(o, "option");
  mj_put_reals_always(o, MJ_option_timestep, &m->physics.time_step, 1);
  mj_put_reals_always(o, MJ_option_gravity, m->physics.gravity, 3);
  mj_put_real(o, MJ_option_density, m->physics.density);
  mj_put_real(o, MJ_option_viscosity, m->physics.viscosity);
  mj_put_reals(o, MJ_option_wind, m->physics.wind, 3);
  out_end_empty(o);
  mjcf_write_assets(o);
  mjcf_write_bodies(o);
  mjcf_write_contacts(o);
  mjcf_write_tendons(o);
  mjcf_write_equalities(o);
  mjcf_write_actuators(o);
  mjcf_write_sensors(o);
  mjcf_write_keys(o);
  mjcf_write_custom(o);
  out_end(o, "mujoco");
  out_text(o, "\n");
}

HeftStatus heft_model_write_mjcf(const HeftModel* model, const HeftWriteDef* def,
                                 HeftError* error) {
  const HeftStatus given = out_check(model, def, error);
  if (given != HEFT_OK) return given;
  const HeftModel* m = model;
  if (m->ndeformable > 0)
    return heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                          "deformable body '%s' cannot be written as MJCF yet; write a .heft file",
                          m->names + m->deformable_name[0]);
  MjcfPlan plan = {.explicit_materials = !mjcf_materials_are_plain(model)};
  Out o = {.m = model, .def = def, .error = error, .plan = &plan};
  const size_t count = 3 * (size_t)m->nbody + (size_t)m->nshape + (size_t)m->nsite +
                       (size_t)m->ncamera + (size_t)m->nlight;
  int* numbers = def->allocator.allocate(def->allocator.user, count * sizeof(int), 64);
  if (!numbers) return out_fail(&o, HEFT_ERR_MEMORY, "no memory to write the model%s", "");
  plan.body = numbers;
  plan.shape = plan.body + m->nbody;
  plan.site = plan.shape + m->nshape;
  plan.camera = plan.site + m->nsite;
  plan.light = plan.camera + m->ncamera;
  order_bodies(m, plan.body, plan.light + m->nlight, plan.light + m->nlight + m->nbody);
  write_document(&o);
  out_hand_over(&o, "");
  for (int k = 0; k < model->nmesh && def->mesh_folder && o.status == HEFT_OK; ++k) {
    if (model->mesh_face_count[k] > 0) out_mesh_file(&o, k);
  }
  def->allocator.release(def->allocator.user, numbers, count * sizeof(int));
  out_release(&o);
  return o.status;
}
