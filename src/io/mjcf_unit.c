// SPDX-License-Identifier: Apache-2.0
// One MJCF document: its includes, compiler settings, options and default classes.
#include "io/mjcf.h"

#include <string.h>

// ---- include

typedef struct Includes {
  const SourceFile* file;
  struct Includes* outer;
  int depth;
} Includes;

static void expand(Mjcf* m, const SourceFile* main, XmlNode* node, const Includes* includes);

const SourceFile* mj_read_file(Mjcf* m, Place place, const SourceFile* main, const char* folder,
                               const char* name) {
  Load* load = m->load;
  HeftError first = {0}, second = {0};
  const SourceFile* file = load_read(load, place, main, folder, name);
  if (file || load->status != HEFT_ERR_FILE || place.file == main || !load_forgive(load, &first))
    return file;
  file = load_read(load, place, place.file, folder, name);
  if (!file && load->status == HEFT_ERR_FILE && load_forgive(load, &second))
    load_fail(load, HEFT_ERR_FILE, place, "%s", first.message);
  return file;
}

static XmlNode* open_include(Mjcf* m, const SourceFile* main, const XmlNode* node,
                             const Includes* includes) {
  Load* load = m->load;
  mj_check(m, node, MJCF_include);
  const char* name = xml_get(node, "file");
  if (!name) {
    load_fail(load, HEFT_ERR_SYNTAX, xml_place(node), "<include> needs the attribute 'file'");
    return NULL;
  }
  const Place place = xml_attribute_place(node, "file");
  if (includes->depth >= load->def->limits.include_depth) {
    load_fail(load, HEFT_ERR_LIMIT, place,
              "files include each other %d deep, at most %d are allowed; raise the limit "
              "include_depth",
              includes->depth + 1, load->def->limits.include_depth);
    return NULL;
  }
  const SourceFile* file = mj_read_file(m, place, main, NULL, name);
  if (!file) return NULL;
  for (const Includes* i = includes; i; i = i->outer) {
    if (strcmp(i->file->path, file->path) != 0) continue;
    load_fail(load, HEFT_ERR_VALUE, place, "'%.150s' includes itself", file->path);
    return NULL;
  }
  XmlNode* root = xml_parse(load, file);
  if (!root) return NULL;
  if (!xml_is(root, "mujoco") && !xml_is(root, "mujocoinclude")) {
    load_fail(load, HEFT_ERR_SYNTAX, xml_place(root),
              "<%.60s> was found, expected <mujoco> or <mujocoinclude>", root->name);
    return NULL;
  }
  const Includes inner = {file, (Includes*)includes, includes->depth + 1};
  expand(m, main, root, &inner);
  return LOAD_OK(load) ? root : NULL;
}

int mj_enter(Mjcf* m, const XmlNode* node) {
  const int max = m->load->def->limits.xml_depth;
  if (++m->depth <= max) return 1;
  load_fail(m->load, HEFT_ERR_LIMIT, xml_place(node),
            "with all files there are more than %d levels of nested elements; raise the limit "
            "xml_depth",
            max);
  return 0;
}

// Puts the children of every included file in the place of its <include>.
static void expand(Mjcf* m, const SourceFile* main, XmlNode* node, const Includes* includes) {
  if (!mj_enter(m, node)) return;
  for (XmlNode **link = &node->child, *child = *link; child && LOAD_OK(m->load); child = *link) {
    if (!xml_is(child, "include")) {
      expand(m, main, child, includes);
      link = &child->next;
      continue;
    }
    XmlNode* root = open_include(m, main, child, includes);
    if (!root) break;
    XmlNode* after = child->next;
    *link = root->child ? root->child : after;
    for (XmlNode* n = root->child; n; n = n->next) {
      n->parent = node;
      if (n->next) continue;
      n->next = after;
      link = &n->next;
      break;
    }
  }
  --m->depth;
}

// ---- compiler and option

static void read_euler_order(Mjcf* m, const Item* item, Unit* unit) {
  const char* text = mj_text(m, item, MJ_compiler_eulerseq, NULL);
  int good = strlen(text) == 3;
  for (int i = 0; i < 3 && good; ++i) good = strchr("xyzXYZ", text[i]) != NULL;
  if (good) {
    memcpy(unit->euler, text, 4);
  } else {
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, MJ_compiler_eulerseq),
              "<compiler eulerseq>: '%.60s' was found, expected three letters of xyzXYZ", text);
  }
}

static void read_compiler(Mjcf* m, Unit* unit, const XmlNode* node) {
  static const char* const angles[] = {"degree", "radian", NULL};
  static const char* const coordinates[] = {"local", NULL};
  Scope scope = {.unit = unit};
  const Item item = {.node = node, .scope = &scope};
  mj_check(m, node, MJCF_compiler);
  if (mj_given(m, &item, MJ_compiler_angle))
    unit->radians = mj_word(m, &item, MJ_compiler_angle, angles) == 1;
  mj_word(m, &item, MJ_compiler_coordinate, coordinates);
  if (mj_given(m, &item, MJ_compiler_eulerseq)) read_euler_order(m, &item, unit);
  const struct {
    MjcfKey key;
    int* to;
  } flags[] = {{MJ_compiler_autolimits, &unit->auto_limits},
               {MJ_compiler_strippath, &unit->strip_path},
               {MJ_compiler_balanceinertia, &unit->balance},
               {MJ_compiler_discardvisual, &unit->discard_visual},
               {MJ_compiler_fitaabb, &unit->fit_around},
               {MJ_compiler_exactmeshinertia, &unit->exact_mesh}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    if (mj_given(m, &item, flags[i].key)) *flags[i].to = mj_bool(m, &item, flags[i].key);
  }
  if (mj_given(m, &item, MJ_compiler_inertiafromgeom))
    unit->inertia_from_geom = mj_tri(m, &item, MJ_compiler_inertiafromgeom);
  if (mj_given(m, &item, MJ_compiler_inertiagrouprange)) {
    const XmlNode* where;
    const char* text = mj_text(m, &item, MJ_compiler_inertiagrouprange, &where);
    xml_integers(m->load, where, "inertiagrouprange", text, 2, 2, unit->inertia_groups);
  }
  if (mj_given(m, &item, MJ_compiler_boundmass))
    unit->min_mass = mj_real(m, &item, MJ_compiler_boundmass);
  if (mj_given(m, &item, MJ_compiler_boundinertia))
    unit->min_inertia = mj_real(m, &item, MJ_compiler_boundinertia);
  if (mj_given(m, &item, MJ_compiler_settotalmass))
    unit->total_mass = mj_real(m, &item, MJ_compiler_settotalmass);
  const char* both = xml_get(node, "assetdir");
  if (both) unit->mesh_folder = unit->texture_folder = both;
  const char *meshes = xml_get(node, "meshdir"), *textures = xml_get(node, "texturedir");
  if (meshes) unit->mesh_folder = meshes;
  if (textures) unit->texture_folder = textures;
}

static void read_not_negative(Mjcf* m, const Item* item, MjcfKey key, const char* name,
                              double* out) {
  if (!mj_given(m, item, key)) return;
  *out = mj_real(m, item, key);
  if (LOAD_OK(m->load) && *out < 0)
    load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, item, key),
              "<option %s>: %g was found, expected 0 or more", name, *out);
}

static void read_option(Mjcf* m, Unit* unit, const XmlNode* node) {
  Scope scope = {.unit = unit};
  const Item item = {.node = node, .scope = &scope};
  mj_check(m, node, MJCF_option);
  for (const XmlNode* n = node->child; n; n = n->next) mj_unknown_element(m, n);
  HeftPhysics physics = heft_builder_physics(m->load->builder);
  if (mj_given(m, &item, MJ_option_timestep)) {
    physics.time_step = mj_real(m, &item, MJ_option_timestep);
    if (LOAD_OK(m->load) && !(physics.time_step > 0 && physics.time_step <= 10))
      load_fail(m->load, HEFT_ERR_VALUE, mj_place(m, &item, MJ_option_timestep),
                "<option timestep>: %g s was found, expected more than 0, at most 10",
                physics.time_step);
  }
  if (mj_given(m, &item, MJ_option_gravity)) mj_reals(m, &item, MJ_option_gravity, physics.gravity);
  if (mj_given(m, &item, MJ_option_wind)) mj_reals(m, &item, MJ_option_wind, physics.wind);
  read_not_negative(m, &item, MJ_option_density, "density", &physics.density);
  read_not_negative(m, &item, MJ_option_viscosity, "viscosity", &physics.viscosity);
  heft_builder_set_physics(m->load->builder, physics);
  const char *cone = xml_get(node, "cone"), *ratio = xml_get(node, "impratio");
  SoftSettings* soft = &m->load->soft_settings;
  if (cone) soft->elliptic = strcmp(cone, "elliptic") == 0;
  if (ratio && m->load->def->soft_contacts)
    xml_numbers(m->load, node, "impratio", ratio, 1, 1, &soft->impratio);
}

static void warn_sections(Mjcf* m, const Unit* unit) {
  static const char* const known[] = {"compiler", "option",   "default", "asset",    "worldbody",
                                      "contact",  "equality", "tendon",  "actuator", "sensor",
                                      "keyframe", "custom",   NULL};
  static const char* const for_viewers[] = {"visual", "statistic", "size", NULL};
  for (const XmlNode* n = unit->root->child; n; n = n->next) {
    int is_known = 0;
    for (int i = 0; known[i]; ++i) is_known |= xml_is(n, known[i]);
    for (int i = 0; for_viewers[i]; ++i) {
      if (!xml_is(n, for_viewers[i])) continue;
      is_known = 1;
      load_warn(m->load, xml_place(n), for_viewers[i],
                "<%s> holds settings of the %s of another program and is skipped", for_viewers[i],
                i == 2 ? "memory" : "viewer");
    }
    if (!is_known) mj_unknown_element(m, n);
  }
}

// ---- units

Unit* mj_open_unit(Mjcf* m, Place from, Unit* parent, const SourceFile* file, const char* name) {
  Unit* unit = LOAD_NEW(m->load, Unit);
  if (!unit) return NULL;
  *unit = (Unit){.name = name,
                 .file = file,
                 .auto_limits = 1,
                 .inertia_from_geom = -1,
                 .inertia_groups = {0, 5},
                 .euler = "xyz",
                 .mesh_folder = "",
                 .texture_folder = "",
                 .parent = parent,
                 .is_root = parent == NULL};
  int depth = 0;
  for (const Unit* u = parent; u; u = u->parent) {
    if (++depth <= m->load->def->limits.include_depth && strcmp(u->file->path, file->path) != 0)
      continue;
    load_fail(m->load, HEFT_ERR_LIMIT, from,
              "'%.150s' attaches itself, or models attach each other more than %d deep", file->path,
              m->load->def->limits.include_depth);
    return NULL;
  }
  unit->root = xml_parse(m->load, file);
  if (!unit->root) return NULL;
  if (!xml_is(unit->root, "mujoco")) {
    load_fail(m->load, HEFT_ERR_SYNTAX, xml_place(unit->root),
              "<%.60s> was found, expected <mujoco> (MJCF) or <robot> (URDF)", unit->root->name);
    return NULL;
  }
  const Includes first = {.file = file};
  expand(m, file, unit->root, &first);
  mj_check(m, unit->root, MJCF_mujoco);
  for (const XmlNode* n = xml_child(unit->root, "compiler"); n && LOAD_OK(m->load);
       n = xml_next(n, "compiler"))
    read_compiler(m, unit, n);
  for (const XmlNode* n = xml_child(unit->root, "option"); n && unit->is_root && LOAD_OK(m->load);
       n = xml_next(n, "option"))
    read_option(m, unit, n);
  if (LOAD_OK(m->load)) mj_read_defaults(m, unit);
  if (LOAD_OK(m->load)) warn_sections(m, unit);
  return LOAD_OK(m->load) ? unit : NULL;
}
