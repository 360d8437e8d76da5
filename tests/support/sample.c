// SPDX-License-Identifier: Apache-2.0
#include "support/sample.h"

#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

static int add_body(HeftBuilder* b, const char* name, int parent, double mass) {
  HeftBodyDef def = heft_body_def_default();
  def.name = name;
  def.parent = parent;
  def.pos = heft_vec3(0.1, -0.2, 0.3);
  def.quat = heft_quat_from_axis_angle(heft_vec3(0.6, 0, 0.8), 0.5);
  def.mass = mass;
  def.com = heft_vec3(0.01, 0.02, -0.03);
  def.inertia_quat = heft_quat_from_axis_angle(heft_vec3(0, 0.6, 0.8), -0.7);
  def.inertia = (HeftSym3){0.03 * mass, 0.04 * mass, 0.05 * mass, 0.001 * mass, 0, 0};
  return heft_builder_add_body(b, &def);
}

static int add_joint(HeftBuilder* b, const char* name, int body, HeftJointType type,
                     HeftVec3 axis) {
  HeftJointDef def = heft_joint_def_default();
  def.name = name;
  def.body = body;
  def.type = type;
  def.axis = axis;
  def.axis2 = heft_vec3(0.3, 0.4, 0.5);
  for (int i = 0; i < 6; ++i) {
    def.damping[i] = 0.1;
    def.stiffness[i] = 2;
    def.friction[i] = 0.01;
    def.armature[i] = 0.02;
    def.limited[i] = i == 0 && type == HEFT_JOINT_HINGE;
    def.range[i][0] = -1.5;
    def.range[i][1] = 1.5;
  }
  def.restitution = 0.25;
  return heft_builder_add_joint(b, &def);
}

static void add_bodies(HeftBuilder* b) {
  const HeftVec3 x = heft_vec3(1, 0, 0), y = heft_vec3(0, 2, 0), z = heft_vec3(0, 0, 3);
  const int base = add_body(b, "base", 0, 5);
  add_joint(b, "flight", base, HEFT_JOINT_FREE, z);
  const int arm = add_body(b, "arm", base, 2);
  add_joint(b, "shoulder", arm, HEFT_JOINT_BALL, z);
  const int hand = add_body(b, "hand", arm, 1);
  add_joint(b, "elbow", hand, HEFT_JOINT_HINGE, y);
  const int glove = add_body(b, "glove", hand, 0.2);  // welded: no joint
  const int head = add_body(b, "head", base, 1);
  add_joint(b, "neck", head, HEFT_JOINT_UNIVERSAL, x);
  const int tail = add_body(b, "tail", base, 1);
  add_joint(b, "tail turn", tail, HEFT_JOINT_HINGE, x);
  add_joint(b, "tail reach", tail, HEFT_JOINT_SLIDE, y);
  add_joint(b, "tail end", tail, HEFT_JOINT_FIXED, z);
  const int cart = add_body(b, "cart", 0, 3);
  add_joint(b, "table", cart, HEFT_JOINT_PLANAR, x);
  const int post = add_body(b, "post", 0, 1);  // welded to the world
  const int piston = add_body(b, "piston", post, 1);
  add_joint(b, "bore", piston, HEFT_JOINT_CYLINDRICAL, z);
  HeftBodyDef lift = heft_body_def_default();
  lift.name = "lift";
  lift.pos = heft_vec3(2, 1, 0.5);
  lift.quat = heft_quat_from_axis_angle(heft_vec3(0, 0.6, 0.8), 0.3);
  lift.moved = 1;
  for (int i = 0; i < 6; ++i) lift.moved_velocity[i] = 0.01 * i - 0.02;
  heft_builder_add_body(b, &lift);
  (void)glove;
}

static void add_shapes(HeftBuilder* b) {
  static const double vertices[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  HeftMaterialDef rubber = heft_material_def_default();
  rubber.name = "rubber";
  rubber.friction = 1.2;
  rubber.kinetic = 0.9;
  rubber.restitution = 0.5;
  const int material = heft_builder_add_material(b, &rubber);
  HeftMeshDef mesh = heft_mesh_def_default();
  mesh.name = "tetra";
  mesh.vertex_count = mesh.face_count = 4;
  mesh.vertices = vertices;
  mesh.faces = faces;
  mesh.hull_count = 4;
  mesh.hull = faces;
  HeftShapeDef def = heft_shape_def_default();
  def.mesh = heft_builder_add_mesh(b, &mesh);
  const struct {
    const char* name;
    HeftShapeType type;
    int body;
  } shapes[] = {{"floor", HEFT_SHAPE_PLANE, 0},     {"ball", HEFT_SHAPE_SPHERE, 1},
                {"bone", HEFT_SHAPE_CAPSULE, 2},    {"palm", HEFT_SHAPE_BOX, 3},
                {"skull", HEFT_SHAPE_ELLIPSOID, 5}, {"rod", HEFT_SHAPE_CYLINDER, 9},
                {"thing", HEFT_SHAPE_MESH, 7}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
    def.name = shapes[i].name;
    def.type = shapes[i].type;
    def.body = shapes[i].body;
    def.material = i % 2 ? material : 0;
    for (int k = 0; k < 3; ++k) def.size[k] = 0.1 * (k + 1);
    if (def.type != HEFT_SHAPE_MESH) def.pos = heft_vec3(0.01 * (double)i, 0, 0);
    def.margin = 0.001;
    def.conveyor = def.type == HEFT_SHAPE_CYLINDER;
    for (int k = 0; k < 6; ++k) def.conveyor_velocity[k] = def.conveyor ? 0.1 * k : 0;
    heft_builder_add_shape(b, &def);
  }
}

// Ground, looks, eyes.
static void add_surroundings(HeftBuilder* b) {
  static const double heights[6] = {0, 0.1, 0.2, 0.3, 0.2, 0};
  HeftHeightFieldDef field = heft_height_field_def_default();
  field.name = "hills";
  field.rows = 2;
  field.columns = 3;
  field.heights = heights;
  HeftTextureDef texture = heft_texture_def_default();
  texture.name = "wood";
  texture.file = "textures/wood.png";
  HeftAppearanceDef look = heft_appearance_def_default();
  look.name = "desk";
  look.texture = heft_builder_add_texture(b, &texture);
  HeftShapeDef ground = heft_shape_def_default();
  ground.name = "ground";
  ground.type = HEFT_SHAPE_HEIGHT_FIELD;
  ground.height_field = heft_builder_add_height_field(b, &field);
  ground.appearance = heft_builder_add_appearance(b, &look);
  heft_builder_add_shape(b, &ground);
  HeftCameraDef camera = heft_camera_def_default();
  camera.name = "eye";
  camera.body = 5;
  heft_builder_add_camera(b, &camera);
  HeftLightDef light = heft_light_def_default();
  light.name = "sun";
  light.target = 1;
  heft_builder_add_light(b, &light);
}

// What ties parts together: pairs, excludes, tendons, equalities. The shapes are there already.
static void add_ties(HeftBuilder* b) {
  HeftPairDef pair = heft_pair_def_default();
  pair.name = "clap";
  pair.shape[0] = 1;
  pair.shape[1] = 3;
  pair.friction2 = 0.7;
  heft_builder_add_pair(b, &pair);
  HeftExcludeDef exclude = heft_exclude_def_default();
  exclude.name = "sleeve";
  exclude.body[0] = 2;
  exclude.body[1] = 3;
  heft_builder_add_exclude(b, &exclude);
  const HeftWrap way[] = {{HEFT_WRAP_SITE, 0, 0, -1}, {HEFT_WRAP_SHAPE, 1, 0, 0},
                          {HEFT_WRAP_SITE, 1, 0, -1}, {HEFT_WRAP_PULLEY, 0, 2, -1},
                          {HEFT_WRAP_SITE, 0, 0, -1}, {HEFT_WRAP_SITE, 1, 0, -1}};
  const HeftWrap sum[] = {{HEFT_WRAP_JOINT, 2, 0.5, -1}, {HEFT_WRAP_JOINT, 5, -1, -1}};
  HeftTendonDef tendon = heft_tendon_def_default();
  tendon.name = "cord";
  tendon.wraps = way;
  tendon.wrap_count = 6;
  const int cord = heft_builder_add_tendon(b, &tendon);
  tendon.name = "belt";
  tendon.wraps = sum;
  tendon.wrap_count = 2;
  const int belt = heft_builder_add_tendon(b, &tendon);
  const int objects[HEFT_EQUALITY_TYPE_COUNT][2] = {{1, 7}, {7, 9}, {4, 5}, {cord, belt}};
  const char* const names[] = {"pin", "glue", "gears", "cords"};
  for (int i = 0; i < HEFT_EQUALITY_TYPE_COUNT; ++i) {
    HeftEqualityDef equality = heft_equality_def_default();
    equality.name = names[i];
    equality.type = (HeftEqualityType)i;
    equality.object[0] = objects[i][0];
    equality.object[1] = objects[i][1];
    heft_builder_add_equality(b, &equality);
  }
}

static void add_drives(HeftBuilder* b) {
  HeftSiteDef site = heft_site_def_default();
  site.name = "tip";
  site.body = 3;
  site.pos = heft_vec3(0, 0, 0.1);
  const int tip = heft_builder_add_site(b, &site);
  site.name = "heel";
  site.body = 1;
  const int heel = heft_builder_add_site(b, &site);
  HeftActuatorDef motor = heft_actuator_def_default();
  motor.name = "elbow motor";
  motor.target = 2;
  motor.control_limited = motor.force_limited = 1;
  motor.control_range[0] = motor.force_range[0] = -10;
  motor.control_range[1] = motor.force_range[1] = 10;
  heft_builder_add_actuator(b, &motor);
  HeftActuatorDef muscle = heft_actuator_def_default();
  muscle.name = "muscle";
  muscle.target = 4;
  muscle.activation = HEFT_ACTIVATION_FILTER;
  muscle.time = 0.05;
  muscle.bias[1] = -3;
  heft_builder_add_actuator(b, &muscle);
  HeftActuatorDef jet = heft_actuator_def_default();
  jet.name = "jet";
  jet.transmission = HEFT_TRANSMISSION_SITE;
  jet.target = tip;
  jet.activation = HEFT_ACTIVATION_INTEGRATOR;
  heft_builder_add_actuator(b, &jet);
  HeftActuatorDef winch = heft_actuator_def_default();
  winch.name = "winch";
  winch.transmission = HEFT_TRANSMISSION_TENDON;
  heft_builder_add_actuator(b, &winch);
  HeftActuatorDef crank = heft_actuator_def_default();
  crank.name = "crank";
  crank.transmission = HEFT_TRANSMISSION_SLIDER_CRANK;
  crank.target = tip;
  crank.reference = heel;
  crank.crank = 0.4;
  heft_builder_add_actuator(b, &crank);
  const struct {
    const char* name;
    HeftSensorType type;
    int object;
  } sensors[] = {{"elbow angle", HEFT_SENSOR_JOINT_POSITION, 2},
                 {"motor force", HEFT_SENSOR_ACTUATOR_FORCE, 0},
                 {"tip turn", HEFT_SENSOR_FRAME_QUATERNION, tip},
                 {"tip gyro", HEFT_SENSOR_GYRO, tip}};
  for (size_t i = 0; i < sizeof sensors / sizeof *sensors; ++i) {
    HeftSensorDef sensor = heft_sensor_def_default();
    sensor.name = sensors[i].name;
    sensor.type = sensors[i].type;
    sensor.object = sensors[i].object;
    sensor.noise = 0.01;
    heft_builder_add_sensor(b, &sensor);
  }
}

void sample_fill(HeftBuilder* b) {
  add_bodies(b);
  add_shapes(b);
  add_surroundings(b);
  add_drives(b);
  add_ties(b);
  const double pose[7] = {0.5, -1, 2, 0, 0.6, 0, 0.8};
  double q[64] = {0}, v[64], act[16], control[16];
  for (int i = 0; i < 64; ++i) v[i] = 0.01 * i;
  for (int i = 0; i < 16; ++i) act[i] = control[i] = 0.5 + i;
  q[3] = q[7] = 1;  // the quaternions of the free and the ball joint, which come first
  q[11] = 0.7;
  HeftKeyDef key = heft_key_def_default();
  key.name = "bent";
  key.time = 2.5;
  key.q = q;
  key.v = v;
  key.act = act;
  key.control = control;
  key.moved = pose;
  heft_builder_add_key(b, &key);
  key = heft_key_def_default();
  key.name = "rest";
  heft_builder_add_key(b, &key);
}

HeftModel* sample_create(const HeftAllocator* allocator, HeftError* error) {
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&b, allocator, error) != HEFT_OK) return NULL;
  sample_fill(b);
  heft_builder_finish(b, &model, error);
  heft_builder_destroy(b);
  return model;
}

void compiled_seal(unsigned char* bytes, size_t size) {
  uint32_t version;
  memcpy(&version, bytes + COMPILED_VERSION_AT, sizeof version);
  const uint64_t length = size - COMPILED_HEADER_SIZE;
  const uint64_t check = heft_hash(bytes + COMPILED_HEADER_SIZE, (size_t)length, version);
  memcpy(bytes + COMPILED_LENGTH_AT, &length, sizeof length);
  memcpy(bytes + COMPILED_CHECKSUM_AT, &check, sizeof check);
}

static void look_at_names(const HeftModel* m) {
#define LOOK(kind, offsets, count, text) \
  for (int i = 0; i < m->count; ++i) heft_model_find(m, kind, heft_model_name(m, kind, i));
  HEFT_NAMED_LIST(LOOK)
#undef LOOK
}

// Lengths and moments of everything that pulls.
static void pull(const HeftModel* m, const HeftDynamics* d, const double* q) {
  double* inertia = malloc((size_t)(m->nv + 1) * sizeof(double));
  if (!inertia) return;
  for (int t = 0; t < m->ntendon; ++t) heft_dynamics_tendon_length(d, t, q, inertia);
  for (int a = 0; a < m->nactuator; ++a) heft_dynamics_actuator_length(d, a, q, inertia);
  free(inertia);
}

void model_exercise(const HeftModel* m, int step) {
  look_at_names(m);
  heft_model_mass(m);
  heft_model_hash(m);
  HeftState* state = NULL;
  if (heft_state_create(&state, m, NULL, NULL) != HEFT_OK) return;
  for (int k = 0; k < m->nkey; ++k) heft_state_set_key(state, m, k);
  HeftWorld* world = NULL;
  HeftWorldDef def = heft_world_def_default();
  def.effort_max = 10;  // forged models may ask for anything; it is enough that the solver runs
  if (step && heft_world_create(&world, m, &def, NULL) == HEFT_OK) {
    heft_world_step(world);
    heft_world_set_state(world, state);
    heft_world_step(world);
    for (int b = 0; b < m->nbody; ++b) heft_dynamics_body_pose(heft_world_dynamics(world), b);
    for (int s = 0; s < m->nsite; ++s) heft_dynamics_site_pose(heft_world_dynamics(world), s);
    pull(m, heft_world_dynamics(world), heft_world_state(world)->q);
    heft_world_destroy(world);
  }
  heft_state_destroy(state);
}
