// SPDX-License-Identifier: Apache-2.0
// A collision detector of one's own: large spheres of the world are hollow, and balls roll in them.
//     heft run bowl.xml --detector ./bowl.so
#include <heft/plugin.h>

typedef struct Bowl {
  double smallest;
} Bowl;

static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Bowl, smallest, 0, 1e3, 0.5, "m", "radius from which spheres are hollow")};

// Bodies come in order, so the world is the body of shape a.
static bool takes(const void* self, const HeftModel* m, int a, int b) {
  const Bowl* bowl = (const Bowl*)self;
  return m->shape_body[a] == 0 && m->shape_type[a] == HEFT_SHAPE_SPHERE &&
         m->shape_type[b] == HEFT_SHAPE_SPHERE && m->shape_size[3 * a] >= bowl->smallest;
}

static int collide(const void* self, const HeftDetectorPair* pair, HeftDetectedPoint* out) {
  const double* size = pair->model->shape_size;
  const double bowl = size[3 * pair->shape_a], ball = size[3 * pair->shape_b];
  const HeftVec3 center = pair->b_in_a.pos;
  const double distance = heft_vec3_norm(center), gap = bowl - distance - ball;
  (void)self;
  if (!(distance > 0) || gap > pair->margin) return 0;
  out->normal = heft_vec3_scale(-1 / distance, center);
  out->pos = heft_vec3_scale((bowl - 0.5 * gap) / distance, center);
  out->gap = gap;
  out->feature = 0;  // there is one point
  return 1;
}

static const HeftDetector detector = {.name = "bowl", .takes = takes, .collide = collide};
static const HeftPlugin bowl = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                .name = "bowl",
                                .help = "large spheres of the world are hollow",
                                .size = sizeof(Bowl),
                                .options = {options, 1},
                                .detector = &detector};
HEFT_PLUGIN(bowl)
