// SPDX-License-Identifier: Apache-2.0
// Inertia of a link. A moving link without mass or moments gets small ones, with a warning.
#include <math.h>

#include "io/urdf.h"

static HeftSym3 read_inertia(Urdf* u, const XmlNode* node) {
  return (HeftSym3){urdf_need_number(u, node, "ixx"),    urdf_need_number(u, node, "iyy"),
                    urdf_need_number(u, node, "izz"),    urdf_read_number(u, node, "ixy", 0),
                    urdf_read_number(u, node, "ixz", 0), urdf_read_number(u, node, "iyz", 0)};
}

static int is_zero(HeftSym3 m) {
  static const double min = 1e-18;  // [kg m²]
  return fabs(m.xx) < min && fabs(m.yy) < min && fabs(m.zz) < min && fabs(m.xy) < min &&
         fabs(m.xz) < min && fabs(m.yz) < min;
}

// Rejects wrong moments with their place in the file; the validation of the model has no place.
static void check_inertia(Urdf* u, const Link* link, const XmlNode* node, HeftSym3 inertia) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(inertia, &e, &axes);
  const double slack = 1e-6 * fabs(e.x) + 1e-18;
  if (e.z < -slack) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_place(node),
              "link '%.80s': principal moments of inertia %g, %g, %g kg m² were found, none may be "
              "negative",
              link->name, e.x, e.y, e.z);
  } else if (e.x > e.y + e.z + slack) {
    load_warn(u->load, xml_place(node), "unphysical inertia",
              "link '%.80s': principal moments of inertia %g, %g, %g kg m² were found; none may "
              "be larger than the sum of the other two, so their mean replaces all three",
              link->name, e.x, e.y, e.z);
  }
}

static HeftSym3 physical_inertia(HeftSym3 inertia) {
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen(inertia, &e, &axes);
  if (e.x <= e.y + e.z + 1e-6 * fabs(e.x) + 1e-18) return inertia;
  const double mean = (e.x + e.y + e.z) / 3;
  return (HeftSym3){mean, mean, mean, 0, 0, 0};
}

void urdf_read_inertial(Urdf* u, const Link* link, HeftBodyDef* body) {
  const XmlNode* inertial = xml_child(link->node, "inertial");
  if (!inertial) return;
  const XmlNode *mass = urdf_need_child(u, inertial, "mass"),
                *inertia = urdf_need_child(u, inertial, "inertia");
  if (!mass || !inertia) return;
  urdf_read_origin(u, inertial, &body->com, &body->inertia_quat);
  body->mass = urdf_need_number(u, mass, "value");
  body->inertia = read_inertia(u, inertia);
  if (!LOAD_OK(u->load)) return;
  if (body->mass < 0) {
    load_fail(u->load, HEFT_ERR_VALUE, xml_attribute_place(mass, "value"),
              "link '%.80s': a mass of %g kg was found, expected 0 or more", link->name,
              body->mass);
  } else if (body->mass == 0 && !is_zero(body->inertia)) {
    load_warn(u->load, xml_place(inertia), "inertia without mass",
              "link '%.80s' has moments of inertia but no mass; its moments are used as given",
              link->name);
  }
  check_inertia(u, link, inertia, body->inertia);
  body->inertia = physical_inertia(body->inertia);
}

// A joint must move inertia. Missing values are replaced, with a warning.
void urdf_fill_missing_inertia(Urdf* u, const Link* link, int moves, HeftBodyDef* body) {
  static const double mass = 1e-3, radius = 0.01;
  const int has_inertial = xml_child(link->node, "inertial") != NULL;
  const Place place = xml_place(link->node);
  if (moves && link->tree_mass <= 0) {
    load_warn(
        u->load, place, "no mass",
        "link '%.80s' moves but neither it nor any link on it has mass; it becomes a ball of %g kg "
        "and %g m radius",
        link->name, mass, radius);
    body->mass = mass;
    body->com = heft_vec3(0, 0, 0);
  } else if (!has_inertial) {
    load_warn(u->load, place, "no inertial", "link '%.80s' has no <inertial>; it has no mass",
              link->name);
    return;
  }
  if (!moves || body->mass == 0 || !is_zero(body->inertia)) return;
  if (has_inertial && link->tree_mass > 0)
    load_warn(u->load, place, "no moments",
              "link '%.80s' has mass but no moments of inertia; it gets those of a ball of %g m "
              "radius",
              link->name, radius);
  const double i = 0.4 * body->mass * radius * radius;
  body->inertia = (HeftSym3){i, i, i, 0, 0, 0};
}

void urdf_sum_tree_mass(Urdf* u) {
  for (int i = u->link_count - 1; i >= 0; --i) {
    Link* link = &u->links[u->order[i]];
    const XmlNode* inertial = xml_child(link->node, "inertial");
    const XmlNode* mass = inertial ? xml_child(inertial, "mass") : NULL;
    if (mass) link->tree_mass += fmax(0, urdf_read_number(u, mass, "value", 0));
    if (link->parent_joint >= 0)
      u->links[u->joints[link->parent_joint].parent].tree_mass += link->tree_mass;
  }
}
