// SPDX-License-Identifier: Apache-2.0
// Values of URDF elements. A required element or attribute that is missing is a mistake with its
// place.
#include "io/urdf.h"

#include <string.h>

const XmlNode* urdf_need_child(Urdf* u, const XmlNode* node, const char* name) {
  const XmlNode* child = xml_child(node, name);
  if (!child)
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(node), "<%.40s> needs a <%s> inside", node->name,
              name);
  return child;
}

const char* urdf_need(Urdf* u, const XmlNode* node, const char* attribute) {
  const char* value = xml_get(node, attribute);
  if (!value)
    load_fail(u->load, HEFT_ERR_SYNTAX, xml_place(node), "<%.40s> needs the attribute '%s'",
              node->name, attribute);
  return value;
}

int urdf_read_numbers(Urdf* u, const XmlNode* node, const char* attribute, int count, double* out) {
  const char* text = node ? xml_get(node, attribute) : NULL;
  return text ? xml_numbers(u->load, node, attribute, text, count, count, out) : 0;
}

double urdf_read_number(Urdf* u, const XmlNode* node, const char* attribute, double fallback) {
  double x = fallback;
  urdf_read_numbers(u, node, attribute, 1, &x);
  return x;
}

double urdf_need_number(Urdf* u, const XmlNode* node, const char* attribute) {
  double x = 0;
  if (urdf_need(u, node, attribute)) urdf_read_numbers(u, node, attribute, 1, &x);
  return x;
}

static HeftQuat from_rpy(const double rpy[3]) {
  const HeftQuat r = heft_quat_from_axis_angle(heft_vec3(1, 0, 0), rpy[0]),
                 p = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), rpy[1]),
                 y = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), rpy[2]);
  return heft_quat_mul(y, heft_quat_mul(p, r));
}

// <origin xyz rpy> of a node; both are zero where they are missing.
void urdf_read_origin(Urdf* u, const XmlNode* node, HeftVec3* pos, HeftQuat* quat) {
  double xyz[3] = {0}, rpy[3] = {0};
  const XmlNode* origin = xml_child(node, "origin");
  urdf_read_numbers(u, origin, "xyz", 3, xyz);
  urdf_read_numbers(u, origin, "rpy", 3, rpy);
  *pos = heft_vec3_from(xyz);
  *quat = from_rpy(rpy);
}

int urdf_needs_limit(const Joint* joint) {
  return joint->type == HEFT_JOINT_SLIDE ||
         (joint->type == HEFT_JOINT_HINGE &&
          strcmp(xml_get(joint->node, "type"), "continuous") != 0);
}

int urdf_limits(Urdf* u, const Joint* joint, double range[2]) {
  const XmlNode* limit = xml_child(joint->node, "limit");
  range[0] = urdf_read_number(u, limit, "lower", 0);
  range[1] = urdf_read_number(u, limit, "upper", 0);
  return limit && urdf_needs_limit(joint) &&
         (range[0] > -urdf_no_limit || range[1] < urdf_no_limit);
}

void urdf_effort(Urdf* u, const Joint* joint, HeftJointDef* def) {
  const double effort = urdf_read_number(u, xml_child(joint->node, "limit"), "effort", 0);
  if (!(effort > 0 && effort < urdf_no_limit)) return;
  def->force_limited = 1;
  def->force_range[0] = -effort;
  def->force_range[1] = effort;
}
