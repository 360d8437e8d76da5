// SPDX-License-Identifier: Apache-2.0
// Materials of Collada files: the diffuse colour or texture of an effect, and its opacity.
//
// A primitive names a symbol, the instance of its geometry binds the symbol to a material, the
// material has an effect, and the effect a shader with <diffuse>. They serve drawing only: what is
// missing or wrong is no mistake.
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "io/collada.h"
#include "io/mtl.h"

static const double invisible = 0.02;  // opacity [1]

// A descendant by a path of names, or NULL.
static const XmlNode* below(const XmlNode* node, const char* const* names) {
  for (; node && *names; ++names) node = xml_child(node, *names);
  return node;
}

static const XmlNode* two_below(const XmlNode* node, const char* first, const char* second) {
  return below(node, (const char* const[]){first, second, NULL});
}

// Up to `count` numbers from 0 to 1 of a text; others stay as they are.
static void read_shares(const XmlNode* node, int count, double* out) {
  const char* at = node ? node->text : "";
  for (int i = 0; i < count; ++i) {
    double x;
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') ++at;
    const char* end = heft_decimal_read(at, at + strlen(at), &x);
    if (!end || end == at || !(fabs(x) <= 1e9)) return;
    out[i] = x < 0 ? 0 : (x < 1 ? x : 1);
    at = end;
  }
}

// ---- textures

static const XmlNode* parameter(const XmlNode* profile, const char* sid) {
  for (const XmlNode* p = profile && sid ? xml_child(profile, "newparam") : NULL; p;
       p = xml_next(p, "newparam")) {
    const char* found = xml_get(p, "sid");
    if (found && strcmp(found, sid) == 0) return p;
  }
  return NULL;
}

// The text without blanks around it; "": there is none.
static const char* trimmed(Collada* c, const XmlNode* node) {
  const char* text = node ? node->text : "";
  while (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n') ++text;
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1])) --length;
  return load_text(c->load, text, length);
}

// Text that names an element without '#'.
static const XmlNode* find_id(Collada* c, const char* id, const char* name) {
  const char* url = id && id[0] ? load_format(c->load, "#%s", id) : NULL;
  return collada_find(c, url, name);
}

// texture -> sampler -> surface -> image, or, as some exporters write, texture -> image.
static const char* texture_file(Collada* c, const XmlNode* profile, const XmlNode* texture) {
  const char* name = xml_get(texture, "texture");
  const XmlNode* sampler = parameter(profile, name);
  const XmlNode* source = two_below(sampler, "sampler2D", "source");
  const XmlNode* surface = parameter(profile, source ? trimmed(c, source) : NULL);
  const XmlNode* from = two_below(surface, "surface", "init_from");
  const XmlNode* instance = two_below(sampler, "sampler2D", "instance_image");
  const XmlNode* image = instance ? collada_find(c, xml_get(instance, "url"), "image")
                         : from   ? find_id(c, trimmed(c, from), "image")
                                  : find_id(c, name, "image");
  const XmlNode* file = image ? xml_child(image, "init_from") : NULL;
  if (file && xml_child(file, "ref")) file = xml_child(file, "ref");  // Collada 1.5
  const char* path = file ? trimmed(c, file) : NULL;
  return path && path[0] ? path : NULL;
}

// ---- effects

static const XmlNode* shader_of(const XmlNode* technique) {
  static const char* const shaders[] = {"phong", "blinn", "lambert", "constant"};
  for (int i = 0; technique && i < 4; ++i) {
    const XmlNode* found = xml_child(technique, shaders[i]);
    if (found) return found;
  }
  return NULL;
}

// The opacity of A_ONE is that of the colour, of RGB_ZERO one minus its mean, each times
// <transparency>. Exporters store it the wrong way round often: what would be invisible is opaque.
static double read_opacity(const XmlNode* shader) {
  const XmlNode* transparent = xml_child(shader, "transparent");
  const char* mode = transparent ? xml_get(transparent, "opaque") : NULL;
  double color[4] = {0, 0, 0, 1}, factor = 1;
  if (transparent) read_shares(xml_child(transparent, "color"), 4, color);
  read_shares(two_below(shader, "transparency", "float"), 1, &factor);
  const double opacity = mode && strcmp(mode, "RGB_ZERO") == 0
                             ? 1 - factor * (color[0] + color[1] + color[2]) / 3
                             : factor * color[3];
  return opacity > invisible ? opacity : 1;
}

static void read_effect(Collada* c, const XmlNode* effect, MtlMaterial* out) {
  const XmlNode* profile = xml_child(effect, "profile_COMMON");
  const XmlNode* shader = shader_of(profile ? xml_child(profile, "technique") : NULL);
  const XmlNode* diffuse = shader ? xml_child(shader, "diffuse") : NULL;
  const XmlNode* texture = diffuse ? xml_child(diffuse, "texture") : NULL;
  if (diffuse) read_shares(xml_child(diffuse, "color"), 3, out->color);
  if (texture) out->texture = texture_file(c, profile, texture);
  if (shader) out->color[3] = read_opacity(shader);
}

// ---- materials

static const XmlNode* bound_material(Collada* c, const XmlNode* instance, const char* symbol) {
  const XmlNode* bindings = two_below(instance, "bind_material", "technique_common");
  const XmlNode* one = bindings ? xml_child(bindings, "instance_material") : NULL;
  for (; one; one = xml_next(one, "instance_material")) {
    const char* known = xml_get(one, "symbol");
    if (known && strcmp(known, symbol) == 0)
      return collada_find(c, xml_get(one, "target"), "material");
  }
  return find_id(c, symbol, "material");
}

const char* collada_material(Collada* c, const XmlNode* instance, const char* symbol) {
  const XmlNode* material = symbol ? bound_material(c, instance, symbol) : NULL;
  if (!material) return LOAD_OK(c->load) ? "" : NULL;
  const char* name = xml_get(material, "id");
  load_search(c->load, xml_place(material), c->materials.count);
  if (mtl_find(&c->materials, name)) return name;
  const XmlNode* use = xml_child(material, "instance_effect");
  const XmlNode* effect = use ? collada_find(c, xml_get(use, "url"), "effect") : NULL;
  MtlMaterial* made = LOAD_ADD(c->load, &c->materials, MtlMaterial);
  if (!made) return NULL;
  *made = (MtlMaterial){.name = name, .color = {0.6, 0.6, 0.6, 1}};
  if (effect) read_effect(c, effect, made);
  return LOAD_OK(c->load) ? name : NULL;
}
