#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Papers: R49.
"""Writes the humanoids of models/: bodies of primitive shapes, with the sizes and masses of the
machines of the source papers (docs/references.md), as far as those are known. All shapes and masses are
our own; the masses of each robot are scaled to its total.

    tools/make_robots.py models      writes hrp2_like, hrp2_pads, hrp2_lift, hoap_like, hoap2_like, cb_like, avatar,
                                     avatar_hands, hoap_membrane

Of each robot there are two files: NAME_robot.xml is the robot alone, for including in scenes;
NAME.xml stands it on a floor."""
import math
import re
import sys

ASSET = """  <asset>
    <texture name="floor" type="2d" builtin="checker" mark="edge" rgb1="0.62 0.65 0.68" rgb2="0.53 0.56 0.60"
             markrgb="0.75 0.77 0.8" width="256" height="256"/>
    <material name="floor" texture="floor" texrepeat="1 1" texuniform="true" reflectance="0.12"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" material="floor" friction="{friction}"/>
  </worldbody>
"""


def num(x):
    return ("%.6g" % x).replace("-0 ", "0 ") if x else "0"


def vec(v):
    return " ".join(num(x) for x in v)


def mirror(v, side):
    return (v[0], side * v[1], v[2])


class Xml:
    """Lines with indentation; masses stand as {m:...} until the total is known."""

    def __init__(self):
        self.lines, self.depth = [], 2
        self.mass = 0.0
        self.motors, self.sensors = [], []

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def body(self, name, pos):
        kind = ' childclass="robot"' if self.depth == 2 else ""
        self.put('<body name="%s"%s pos="%s">' % (name, kind, vec(pos)))
        self.depth += 1

    def end(self, count=1):
        for _ in range(count):
            self.depth -= 1
            self.put("</body>")

    def geom(self, kind, mass, paint, extra="", **at):
        self.mass += mass
        text = '<geom type="%s"' % kind
        for key, value in at.items():
            text += ' %s="%s"' % (key, vec(value) if isinstance(value, (tuple, list)) else num(value))
        self.put(text + ' mass="{m:%.9g}" material="%s"%s/>' % (mass, paint, " " + extra if extra else ""))

    def eye(self, kind, paint, **at):
        """For the eye only: no mass, no contact."""
        text = '<geom class="eye" type="%s"' % kind
        for key, value in at.items():
            text += ' %s="%s"' % (key, vec(value) if isinstance(value, (tuple, list)) else num(value))
        self.put(text + ' material="%s"/>' % paint)

    def hinge(self, name, axis, lo, hi, torque, armature, damping=0.5, friction=0.0):
        self.put('<joint name="%s" axis="%s" range="%s" armature="%s" damping="%s"%s/>' % (
            name, vec(axis), vec((math.radians(lo), math.radians(hi))), num(armature), num(damping),
            ' frictionloss="%s"' % num(friction) if friction else ""))
        self.motors.append('<motor name="%s" joint="%s" ctrlrange="%s"/>' % (name, name, vec((-torque, torque))))

    def ball(self, name, limit, torque, armature, damping):
        self.put('<joint name="%s" type="ball" range="0 %s" armature="%s" damping="%s"/>' % (
            name, num(math.radians(limit)), num(armature), num(damping)))
        for k, axis in enumerate("xyz"):
            gear = [0] * 6
            gear[k] = 1
            self.motors.append('<motor name="%s_%s" joint="%s" gear="%s" ctrlrange="%s"/>' % (
                name, axis, name, vec(gear), vec((-torque, torque))))

    def flexible(self, name, along, normal, turn):
        """A spring and a damper in each of six directions between an ankle and its sole:
        (stiffness, damping) along the sole, across it, and for turning."""
        for k, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            s = normal if k == 2 else along
            self.put('<joint name="%s_t%s" class="flex" type="slide" axis="%s" stiffness="%s" damping="%s"/>' % (
                name, "xyz"[k], vec(axis), num(s[0]), num(s[1])))
        for k, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            self.put('<joint name="%s_r%s" class="flex" axis="%s" stiffness="%s" damping="%s"/>' % (
                name, "xyz"[k], vec(axis), num(turn[0]), num(turn[1])))

    def site(self, name, pos, size=0.005):
        self.put('<site name="%s" pos="%s" size="%s" group="4"/>' % (name, vec(pos), num(size)))

    def text(self, total):
        scale = total / self.mass
        return re.sub(r"\{m:([^}]*)\}", lambda m: "%.9g" % (float(m.group(1)) * scale), "\n".join(self.lines))


def document(name, comment, xml, total, paints, friction, eye=""):
    out = ['<!-- %s -->' % comment, '<mujoco model="%s">' % name, '  <compiler angle="radian"/>',
           '  <option timestep="0.001"/>', '  <default>', '    <default class="robot">',
           '      <geom contype="1" conaffinity="2" friction="%s"/>' % num(friction),
           '      <default class="eye"><geom contype="0" conaffinity="0" mass="0" group="1"/></default>',
           '      <default class="flex"><joint armature="0.0001"/></default>', '    </default>', '  </default>', '  <asset>']
    for key, (rgb, spec, shine) in paints.items():
        out.append('    <material name="%s" rgba="%s 1" specular="%s" shininess="%s"/>' % (key, rgb, num(spec), num(shine)))
    out += ['  </asset>', '  <worldbody>', xml.text(total), '  </worldbody>', '  <actuator>']
    out += ["    " + m for m in xml.motors]
    out += ['  </actuator>']
    if xml.sensors:
        out += ['  <sensor>'] + ["    " + s for s in xml.sensors] + ['  </sensor>']
    return "\n".join(out + ['</mujoco>', ''])


def stage(name, comment, robot, friction):
    return ('<!-- %s -->\n<mujoco model="%s">\n  <include file="%s"/>\n' % (comment, name, robot) +
            '  <option timestep="0.001"/>\n' + ASSET.format(friction=num(friction)) + '</mujoco>\n')


def imu(x, site):
    x.sensors += ['<accelerometer name="%s_acc" site="%s"/>' % (site, site), '<gyro name="%s_gyro" site="%s"/>' % (site, site)]


def force_sensor(x, name, site):
    x.sensors += ['<force name="%s_force" site="%s"/>' % (name, site), '<torque name="%s_torque" site="%s"/>' % (name, site)]


# ---- soles

def tread(x, name, mass, pos, half, count, gap):
    """A sole of count[0] x count[1] pads; each stands on its own corners. The box NAME_sole around all of them is for
    controllers: it neither touches nor weighs anything."""
    size = [(half[k] - gap * (count[k] - 1)) / count[k] for k in range(2)] + [half[2]]
    for i in range(count[0]):
        for k in range(count[1]):
            at = (pos[0] - half[0] + size[0] + 2 * i * (size[0] + gap), pos[1] - half[1] + size[1] + 2 * k * (size[1] + gap), pos[2])
            x.geom("box", mass / (count[0] * count[1]), "sole", size=tuple(size), pos=at)
    x.put('<geom class="eye" type="box" size="%s" pos="%s" group="4" name="%s_sole"/>' % (vec(half), vec(pos), name))


# ---- a leg of six hinges, used by all

def leg(x, side, d):
    """d: a dictionary of lengths [m], masses [kg], torques; see the robots."""
    s, n = (1, "left") if side > 0 else (-1, "right")
    r = d["r"]
    x.body(n + "_thigh", (d.get("hip_x", 0), s * d["hip"], -d["hip_z"]))
    x.hinge(n + "_hip_yaw", (0, 0, 1), -45, 45, d["torque"][0], d["arm"][0], d["damp"])
    x.hinge(n + "_hip_roll", (1, 0, 0), -35 if s < 0 else -20, 20 if s < 0 else 35, d["torque"][1], d["arm"][1], d["damp"])
    x.hinge(n + "_hip_pitch", (0, 1, 0), -125, 42, d["torque"][2], d["arm"][2], d["damp"])
    x.geom("sphere", d["m_hip"], "joint", size=1.05 * r[0])
    x.geom("capsule", d["m_thigh"], "shell", size=r[0], fromto=(0, 0, -0.1 * d["thigh"], 0, 0, -0.82 * d["thigh"]))
    x.eye("box", "trim", size=(0.25 * r[0], 0.75 * r[0], 0.22 * d["thigh"]), pos=(0.85 * r[0], 0, -0.45 * d["thigh"]))
    x.body(n + "_shin", (0, 0, -d["thigh"]))
    x.hinge(n + "_knee", (0, 1, 0), -2, 150, d["torque"][3], d["arm"][3], d["damp"])
    x.geom("cylinder", d["m_knee"], "joint", size=(0.95 * r[1], 0.95 * r[1]), extra='euler="1.5707963 0 0"')
    x.geom("capsule", d["m_shin"], "shell", size=0.85 * r[1], fromto=(0.1 * r[1], 0, -0.15 * d["shin"], 0, 0, -0.85 * d["shin"]))
    x.eye("ellipsoid", "trim", size=(0.5 * r[1], 0.6 * r[1], 0.32 * d["shin"]), pos=(0.55 * r[1], 0, -0.48 * d["shin"]))
    x.body(n + "_ankle", (0, 0, -d["shin"]))
    x.hinge(n + "_ankle_pitch", (0, 1, 0), -75, 42, d["torque"][4], d["arm"][4], d["damp"])
    x.hinge(n + "_ankle_roll", (1, 0, 0), -35, 35, d["torque"][5], d["arm"][5], d["damp"])
    x.geom("sphere", d["m_ankle"], "joint", size=0.62 * r[1])
    fx, fy, fz = d["foot"]
    x.body(n + "_foot", (0, 0, -d["ankle"] + 2 * fz))
    if "flex" in d:
        x.flexible(n + "_flex", *d["flex"])
    if d.get("toe"):
        x.put("<!-- the sole ends where the toes begin -->")
    fore = d["foot_fore"]
    if "pads" in d:
        tread(x, n, d["m_foot"], (fore, 0, -fz), (fx, fy, fz), d["pads"], 0.012)
    else:
        x.geom("box", d["m_foot"], "sole", size=(fx, fy, fz), pos=(fore, 0, -fz), extra='name="%s_sole"' % n)
    x.eye("box", "shell", size=(0.72 * fx, 0.75 * fy, 0.30 * (d["ankle"] - 2 * fz)), pos=(fore - 0.08 * fx, 0, 0.30 * (d["ankle"] - 2 * fz)))
    x.site(n + "_sole_center", (fore, 0, -2 * fz))
    x.site(n + "_foot_sensor", (0, 0, d["ankle"] - 2 * fz))
    force_sensor(x, n + "_foot", n + "_foot_sensor")
    x.end(4)


def arm(x, s, n, d):
    """Upper arm and forearm of a full-sized robot; the hand comes next. d: places and sizes [m], masses [kg], and
    (torque, armature) of shoulder, twist of the shoulder, elbow, and of the wrist's twist if the forearm holds it."""
    shoulder, twist, elbow = d["shoulder"], d["twist"], d["elbow"]
    x.body(n + "_upper_arm", (0, s * d["y"], d["z"]))
    x.hinge(n + "_shoulder_pitch", (0, 1, 0), -180, 60, *shoulder)
    x.hinge(n + "_shoulder_roll", (1, 0, 0), -10 if s > 0 else -95, 95 if s > 0 else 10, *shoulder)
    x.hinge(n + "_shoulder_yaw", (0, 0, 1), -d["turn"], d["turn"], *twist)
    x.geom("sphere", d["m"][0], "joint", size=d["r"][0])
    x.geom("capsule", d["m"][1], "shell", size=d["r"][1], fromto=(0, 0, -0.05, 0, 0, d["end"]))
    x.body(n + "_forearm", (0, 0, -d["upper"]))
    x.hinge(n + "_elbow", (0, 1, 0), -137, 2, *elbow)
    if "wrist" in d:
        x.hinge(n + "_wrist_yaw", (0, 0, 1), -d["turn"], d["turn"], *d["wrist"])
    x.geom("cylinder", d["m"][2], "joint", size=(d["r"][2], d["r"][2]), extra='euler="1.5707963 0 0"')
    x.geom("capsule", d["m"][3], "shell", size=d["r"][3], fromto=(0, 0, d["fore"][0], 0, 0, d["fore"][1]))


def head(x, z, r, mass, torque, arm, third=False, eyes=False):
    x.body("head", (0, 0, z))
    x.hinge("neck_yaw", (0, 0, 1), -45, 45, torque, arm, 0.2)
    x.hinge("neck_pitch", (0, 1, 0), -40, 45, torque, arm, 0.2)
    if third:
        x.hinge("neck_roll", (1, 0, 0), -30, 30, torque, arm, 0.2)
    x.geom("cylinder", 0.2 * mass, "joint", size=(0.45 * r, 0.35 * r), pos=(0, 0, 0.25 * r))
    x.geom("ellipsoid", 0.8 * mass, "shell", size=(1.02 * r, 0.86 * r, 1.08 * r), pos=(0.1 * r, 0, 1.35 * r))
    if eyes:
        x.eye("ellipsoid", "visor", size=(0.5 * r, 0.72 * r, 0.34 * r), pos=(0.72 * r, 0, 1.45 * r))
    else:  # a face of dark glass from the forehead to the chin, hardly before the shell, and ears: no bill from any side
        x.eye("ellipsoid", "visor", size=(0.74 * r, 0.74 * r, 0.78 * r), pos=(0.46 * r, 0, 1.38 * r))
        for s in (1, -1):
            x.eye("cylinder", "trim", size=(0.3 * r, 0.06 * r), pos=(0.1 * r, s * 0.84 * r, 1.38 * r), euler=(1.5707963, 0, 0))
    x.site("gaze", (0.1 * r, 0, 1.45 * r))
    if eyes:
        for s, n in ((1, "left"), (-1, "right")):
            x.body(n + "_eye", (0.85 * r, s * 0.36 * r, 1.45 * r))
            x.hinge(n + "_eye_yaw", (0, 0, 1), -40, 40, 0.2, 1e-4, 0.002)
            x.hinge(n + "_eye_pitch", (0, 1, 0), -30, 30, 0.2, 1e-4, 0.002)
            x.geom("sphere", 0.01 * mass, "white", size=0.24 * r)
            x.eye("sphere", "visor", size=0.12 * r, pos=(0.15 * r, 0, 0))
            x.end()
    x.end()


# ---- HRP-2 like

def hrp2(pads=None, shoulder=120, elbow=90):
    """pads: the sole stands on so many pads along and across. shoulder, elbow: max torques [N m]."""
    x = Xml()
    x.put("<!-- 30 driven joints: 6 a leg, 6 an arm, waist 2, neck 2, grippers 2; six springs in each ankle -->")
    x.body("pelvis", (0, 0, 0.75))
    x.put("<freejoint/>")
    x.geom("box", 4.5, "shell", size=(0.085, 0.11, 0.05), pos=(-0.01, 0, 0.01))
    x.geom("capsule", 3.0, "joint", size=0.055, fromto=(0, -0.07, -0.035, 0, 0.07, -0.035))
    x.eye("box", "trim", size=(0.02, 0.085, 0.03), pos=(0.075, 0, 0.015))
    x.site("imu", (0, 0, 0))
    imu(x, "imu")
    d = dict(hip=0.075, hip_z=0.045, thigh=0.30, shin=0.30, ankle=0.105, foot=(0.12, 0.0675, 0.0125), foot_fore=0.025,
             r=(0.062, 0.055), m_hip=2.2, m_thigh=3.9, m_knee=0.8, m_shin=1.8, m_ankle=0.7, m_foot=1.2, damp=1.0,
             torque=(110, 180, 260, 260, 180, 120), arm=(0.1, 0.15, 0.2, 0.2, 0.15, 0.1),
             flex=((4e5, 900), (4e5, 900), (3000, 12)))
    if pads:
        d["pads"] = pads
    leg(x, 1, d)
    leg(x, -1, d)
    x.body("chest", (0, 0, 0.12))
    x.hinge("waist_yaw", (0, 0, 1), -45, 45, 150, 0.2, 1)
    x.hinge("waist_pitch", (0, 1, 0), -10, 60, 200, 0.2, 1)
    x.geom("cylinder", 1.5, "joint", size=(0.07, 0.05), pos=(0, 0, 0.02))
    x.geom("box", 8.0, "shell", size=(0.085, 0.135, 0.11), pos=(0.015, 0, 0.2))
    x.geom("box", 4.0, "trim", size=(0.055, 0.11, 0.14), pos=(-0.11, 0, 0.24))
    x.geom("capsule", 2.0, "joint", size=0.05, fromto=(0, -0.17, 0.275, 0, 0.17, 0.275))
    x.eye("box", "trim", size=(0.02, 0.09, 0.05), pos=(0.09, 0, 0.21))
    x.eye("box", "visor", size=(0.012, 0.04, 0.012), pos=(0.105, 0, 0.27))
    x.geom("cylinder", 0.3, "joint", size=(0.045, 0.05), pos=(0, 0, 0.36))
    head(x, 0.414, 0.105, 2.0, 20, 0.02)
    for s, n in ((1, "left"), (-1, "right")):
        arm(x, s, n, dict(y=0.25, z=0.275, turn=92, upper=0.25, end=-0.2, fore=(-0.06, -0.19), m=(1.1, 2.0, 0.5, 1.0),
                          r=(0.062, 0.045, 0.045, 0.038), shoulder=(shoulder, 0.1), twist=(70, 0.06), elbow=(elbow, 0.06)))
        x.body(n + "_hand", (0, 0, -0.25))
        x.hinge(n + "_wrist_yaw", (0, 0, 1), -92, 92, 40, 0.02)
        x.hinge(n + "_wrist_pitch", (0, 1, 0), -92, 92, 40, 0.02)
        x.geom("sphere", 0.2, "joint", size=0.033)
        x.geom("box", 0.45, "sole", size=(0.026, 0.04, 0.03), pos=(0, 0, -0.055), extra='name="%s_palm"' % n)
        x.geom("box", 0.1, "sole", size=(0.011, 0.038, 0.032), pos=(-0.033, 0, -0.092), extra='name="%s_plate"' % n)
        x.site(n + "_grip", (0, 0, -0.105))
        x.site(n + "_wrist_sensor", (0, 0, 0))
        x.body(n + "_thumb", (0.033, 0, -0.06))
        x.hinge(n + "_gripper", (0, 1, 0), -60, 40, 15, 0.005, 0.1)
        x.geom("box", 0.1, "sole", size=(0.011, 0.038, 0.032), pos=(0, 0, -0.032), extra='name="%s_finger"' % n)
        x.end(4)
        force_sensor(x, n + "_wrist", n + "_wrist_sensor")
    x.end(2)
    paints = {"shell": ("0.80 0.82 0.85", 0.5, 0.6), "joint": ("0.27 0.29 0.33", 0.3, 0.4), "trim": ("0.16 0.34 0.62", 0.5, 0.6),
              "sole": ("0.22 0.23 0.25", 0.2, 0.2), "visor": ("0.06 0.12 0.20", 0.8, 0.9)}
    return x, paints, 58.0


# ---- HOAP like

def hoap(second=False):
    """HOAP-1, or HOAP-2: that has a waist, a neck and hands, too."""
    x = Xml()
    x.put("<!-- 25 joints: 6 a leg, 4 an arm, a hand each, waist, neck 2; 500 mm, 7 kg -->" if second else
          "<!-- 20 joints: 6 a leg, 4 an arm; 480 mm, 5 kg -->")
    x.body("pelvis", (0, 0, 0.255))
    x.put("<freejoint/>")
    x.geom("box", 0.35, "shell", size=(0.03, 0.045, 0.02))
    x.site("imu", (0, 0, 0))
    imu(x, "imu")
    d = dict(hip=0.039, hip_z=0.015, thigh=0.1, shin=0.1, ankle=0.04, foot=(0.049, 0.0315, 0.006), foot_fore=0.012,
             r=(0.022, 0.02), m_hip=0.2, m_thigh=0.33, m_knee=0.06, m_shin=0.22, m_ankle=0.1, m_foot=0.15, damp=0.02,
             torque=(6, 8, 10, 10, 8, 6), arm=(0.002,) * 6)
    leg(x, 1, d)
    leg(x, -1, d)
    if second:
        x.body("chest", (0, 0, 0.01))
        x.hinge("waist_yaw", (0, 0, 1), -45, 45, 6, 0.002, 0.02)
    x.geom("box", 1.1, "shell", size=(0.035, 0.05, 0.05), pos=(0, 0, 0.075))
    x.geom("box", 0.5, "trim", size=(0.02, 0.045, 0.055), pos=(-0.05, 0, 0.08))
    x.eye("box", "trim", size=(0.006, 0.03, 0.02), pos=(0.034, 0, 0.085))
    if second:
        head(x, 0.135, 0.04, 0.35, 1, 0.0005)
    else:
        x.geom("cylinder", 0.05, "joint", size=(0.016, 0.02), pos=(0, 0, 0.14))
        x.geom("ellipsoid", 0.3, "shell", size=(0.042, 0.038, 0.042), pos=(0.004, 0, 0.183))
        x.eye("ellipsoid", "visor", size=(0.03, 0.031, 0.031), pos=(0.0185, 0, 0.184))
        x.site("gaze", (0.01, 0, 0.19))
    for s, n in ((1, "left"), (-1, "right")):
        x.body(n + "_upper_arm", (0, s * 0.075, 0.11))
        x.hinge(n + "_shoulder_pitch", (0, 1, 0), -150, 90, 4, 0.001, 0.02)
        x.hinge(n + "_shoulder_roll", (1, 0, 0), -5 if s > 0 else -95, 95 if s > 0 else 5, 4, 0.001, 0.02)
        x.hinge(n + "_shoulder_yaw", (0, 0, 1), -90, 90, 4, 0.001, 0.02)
        x.geom("sphere", 0.1, "joint", size=0.021)
        x.geom("capsule", 0.16, "shell", size=0.016, fromto=(0, 0, -0.02, 0, 0, -0.075))
        x.body(n + "_forearm", (0, 0, -0.095))
        x.hinge(n + "_elbow", (0, 1, 0), -115, 2, 4, 0.001, 0.02)
        x.geom("capsule", 0.13, "shell", size=0.014, fromto=(0, 0, -0.01, 0, 0, -0.07))
        x.geom("sphere", 0.06, "sole", size=0.019, pos=(0, 0, -0.095), extra='name="%s_palm"' % n)
        x.site(n + "_grip", (0, 0, -0.095))
        if second:
            x.body(n + "_hand", (0.01, 0, -0.105))
            x.hinge(n + "_grasp", (0, 1, 0), -5, 60, 0.5, 0.0002, 0.005)
            x.geom("capsule", 0.02, "sole", size=0.006, fromto=(0, 0, -0.005, 0, 0, -0.025))
            x.end()
        x.end(2)
    x.end(2 if second else 1)
    paints = {"shell": ("0.86 0.87 0.88", 0.5, 0.6), "joint": ("0.25 0.26 0.3", 0.3, 0.4), "trim": ("0.75 0.25 0.18", 0.5, 0.6),
              "sole": ("0.22 0.23 0.25", 0.2, 0.2), "visor": ("0.15 0.17 0.22", 0.8, 0.9)}
    return x, paints, 7.0 if second else 5.0


def hoap2():
    return hoap(second=True)


# ---- CB like

def cb(shoes=False):
    x = Xml()
    x.put("<!-- 48 joints: 6 a leg, 7 an arm, 6 a hand, torso 3, neck 3, eyes 4; rigid rectangular shoes hold the toes -->" if shoes
          else "<!-- 50 joints: 7 a leg (a toe each), 7 an arm, 6 a hand, torso 3, neck 3, eyes 4 -->")
    x.body("pelvis", (0, 0, 0.86))
    x.put("<freejoint/>")
    x.geom("box", 8, "shell", size=(0.09, 0.12, 0.06))
    x.geom("capsule", 4, "joint", size=0.06, fromto=(0, -0.09, -0.05, 0, 0.09, -0.05))
    x.site("imu", (0, 0, 0))
    imu(x, "imu")
    d = dict(hip=0.09, hip_z=0.06, thigh=0.36, shin=0.34, ankle=0.1, foot=(0.095, 0.06, 0.0125), foot_fore=0.0,
             r=(0.07, 0.06), m_hip=3.5, m_thigh=6.5, m_knee=1.2, m_shin=3.5, m_ankle=1.0, m_foot=1.4, damp=1.5,
             torque=(150, 260, 360, 360, 260, 160), arm=(0.15, 0.2, 0.25, 0.25, 0.2, 0.15), toe=not shoes)
    if shoes:
        d.update(foot=(0.1255, 0.06, 0.0125), foot_fore=0.0305, m_foot=1.8)
    for s, n in ((1, "left"), (-1, "right")):
        leg(x, s, d)
        if shoes:
            continue
        # The toe hangs on the foot: put it inside of the foot's body, before its end.
        at = max(i for i, line in enumerate(x.lines) if '%s_foot_sensor" pos' % n in line) + 1
        tail, x.lines = x.lines[at:], x.lines[:at]
        x.depth += 4
        x.body(n + "_toe", (0.095, 0, -0.0125))
        x.hinge(n + "_toe_pitch", (0, 1, 0), -60, 20, 60, 0.02, 0.5)
        x.geom("box", 0.4, "sole", size=(0.03, 0.06, 0.0125), pos=(0.031, 0, 0), extra='name="%s_toe_sole"' % n)
        x.end()
        x.depth -= 4
        x.lines += tail
    x.body("chest", (0, 0, 0.1))
    x.hinge("waist_yaw", (0, 0, 1), -45, 45, 200, 0.3, 1.5)
    x.hinge("waist_roll", (1, 0, 0), -30, 30, 250, 0.3, 1.5)
    x.hinge("waist_pitch", (0, 1, 0), -20, 60, 250, 0.3, 1.5)
    x.geom("cylinder", 2.5, "joint", size=(0.075, 0.05), pos=(0, 0, 0.03))
    x.geom("box", 17, "shell", size=(0.1, 0.15, 0.14), pos=(0, 0, 0.24))
    x.geom("capsule", 3, "joint", size=0.055, fromto=(0, -0.18, 0.33, 0, 0.18, 0.33))
    x.eye("box", "trim", size=(0.012, 0.1, 0.05), pos=(0.1, 0, 0.26))
    x.geom("cylinder", 0.5, "joint", size=(0.043, 0.05), pos=(0, 0, 0.41))
    head(x, 0.44, 0.095, 3.5, 25, 0.03, third=True, eyes=True)
    for s, n in ((1, "left"), (-1, "right")):
        arm(x, s, n, dict(y=0.26, z=0.33, turn=90, upper=0.28, end=-0.22, fore=(-0.05, -0.2), m=(1.4, 2.4, 0.5, 1.6),
                          r=(0.066, 0.048, 0.047, 0.04), shoulder=(120, 0.12), twist=(80, 0.08), elbow=(100, 0.08),
                          wrist=(40, 0.03)))
        x.body(n + "_hand", (0, 0, -0.25))
        x.hinge(n + "_wrist_roll", (1, 0, 0), -45, 45, 40, 0.03)
        x.hinge(n + "_wrist_pitch", (0, 1, 0), -70, 70, 40, 0.03)
        x.geom("box", 0.5, "joint", size=(0.018, 0.042, 0.045), pos=(0, 0, -0.05), extra='name="%s_palm"' % n)
        x.site(n + "_grip", (0.02, 0, -0.08))
        for k, (name, y) in enumerate((("index", 0.03), ("ring", -0.03))):
            x.body("%s_%s" % (n, name), (0, s * y, -0.095))
            x.hinge("%s_%s_base" % (n, name), (0, 1, 0), -90, 5, 5, 0.002, 0.05)
            x.geom("capsule", 0.05, "joint", size=0.011, fromto=(0, 0, -0.008, 0, 0, -0.035))
            x.body("%s_%s_tip" % (n, name), (0, 0, -0.044))
            x.hinge("%s_%s_tip" % (n, name), (0, 1, 0), -90, 5, 5, 0.002, 0.05)
            x.geom("capsule", 0.04, "joint", size=0.0105, fromto=(0, 0, -0.006, 0, 0, -0.028))
            x.end(2)
        x.body(n + "_thumb", (0.012, s * 0.035, -0.035))
        x.hinge(n + "_thumb_base", (0, 0, 1), -60, 60, 5, 0.002, 0.05)
        x.hinge(n + "_thumb_tip", (0, 1, 0), -60, 30, 5, 0.002, 0.05)
        x.geom("capsule", 0.05, "joint", size=0.011, fromto=(0.008, 0, 0, 0.04, 0, -0.012))
        x.end(4)
    x.end(2)
    paints = {"shell": ("0.32 0.35 0.40", 0.4, 0.5), "joint": ("0.68 0.70 0.73", 0.5, 0.5), "trim": ("0.12 0.50 0.52", 0.5, 0.6),
              "sole": ("0.15 0.15 0.17", 0.2, 0.2), "visor": ("0.10 0.12 0.16", 0.8, 0.9), "white": ("0.95 0.95 0.95", 0.8, 0.9)}
    return x, paints, 92.0


def cb_shoes():
    return cb(shoes=True)


# ---- a person

def hand(x, s, n):
    """A hand that can hold: a flat palm, four fingers on one hinge, and a thumb along the edge of the palm."""
    x.geom("box", 0.3, "skin", size=(0.012, 0.042, 0.045), pos=(0, 0, -0.05), extra='name="%s_palm"' % n)
    x.geom("capsule", 0.05, "skin", size=0.011, fromto=(0.001, s * 0.055, -0.03, 0.001, s * 0.072, -0.075))
    x.site(n + "_grip", (0.012, 0, -0.08))
    x.site(n + "_wrist_sensor", (0, 0, 0))
    x.body(n + "_fingers", (0.003, 0, -0.1))
    x.hinge(n + "_knuckles", (0, 1, 0), -90, 10, 8, 0.002, 0.05)
    for k in range(4):
        y = 0.0315 - 0.021 * k
        x.geom("capsule", 0.0375, "skin", size=0.009, fromto=(0, y, -0.006, 0, y, -0.07 + 0.008 * abs(k - 1.5)))
    x.end()


def avatar(hands=False):
    """hands: with fingers, and with shoes of twelve lugs each."""
    x = Xml()
    x.put("<!-- a person of 1.75 m and 70 kg, with balls for hips, ankles, spine, neck, shoulders and wrists -->")
    x.body("pelvis", (0, 0, 0.95))
    x.put("<freejoint/>")
    x.geom("capsule", 9, "cloth", size=0.1, fromto=(0, -0.06, 0, 0, 0.06, 0))
    x.site("imu", (0, 0, 0))
    for s, n in ((1, "left"), (-1, "right")):
        x.body(n + "_thigh", (0, s * 0.09, -0.04))
        x.ball(n + "_hip", 120, 250, 0.05, 3)
        x.geom("capsule", 8.5, "cloth", size=0.072, fromto=(0, 0, -0.03, 0, 0, -0.36))
        x.body(n + "_shin", (0, 0, -0.42))
        x.hinge(n + "_knee", (0, 1, 0), -2, 145, 250, 0.05, 2)
        x.geom("capsule", 3.4, "cloth", size=0.05, fromto=(0, 0, -0.03, 0, 0, -0.34))
        x.body(n + "_foot", (0, 0, -0.41))
        x.ball(n + "_ankle", 60, 180, 0.03, 2)
        if hands:
            tread(x, n, 0.4, (0.055, 0, -0.07), (0.125, 0.045, 0.01), (6, 2), 0.004)
            x.geom("box", 0.6, "cloth", size=(0.12, 0.042, 0.02), pos=(0.055, 0, -0.04))
        else:
            x.geom("box", 1.0, "sole", size=(0.125, 0.045, 0.03), pos=(0.055, 0, -0.05), extra='name="%s_sole"' % n)
        x.site(n + "_sole_center", (0.055, 0, -0.08))
        x.end(3)
    x.body("belly", (0, 0, 0.12))
    x.ball("spine", 60, 250, 0.1, 5)
    x.geom("capsule", 10, "shirt", size=0.1, fromto=(0, -0.04, 0.03, 0, 0.04, 0.03))
    x.body("chest", (0, 0, 0.14))
    x.ball("thorax", 40, 250, 0.1, 5)
    x.geom("capsule", 12, "shirt", size=0.115, fromto=(0, -0.07, 0.08, 0, 0.07, 0.08))
    x.geom("capsule", 4, "shirt", size=0.06, fromto=(0, -0.14, 0.19, 0, 0.14, 0.19))
    x.body("head", (0, 0, 0.27))
    x.ball("neck", 60, 40, 0.02, 1)
    x.geom("capsule", 0.8, "skin", size=0.048, fromto=(0, 0, 0, 0, 0, 0.04))
    x.geom("ellipsoid", 4.2, "skin", size=(0.095, 0.078, 0.115), pos=(0.015, 0, 0.145))
    x.eye("ellipsoid", "hair", size=(0.095, 0.083, 0.095), pos=(-0.008, 0, 0.175))
    for s in (1, -1):
        x.eye("sphere", "white", size=0.014, pos=(0.098, s * 0.03, 0.15))
        x.eye("sphere", "hair", size=0.008, pos=(0.107, s * 0.03, 0.15))
    x.site("gaze", (0.05, 0, 0.15))
    x.end()
    for s, n in ((1, "left"), (-1, "right")):
        x.body(n + "_upper_arm", (0, s * 0.2, 0.19))
        x.ball(n + "_shoulder", 150, 120, 0.03, 2)
        x.geom("capsule", 2.1, "shirt", size=0.046, fromto=(0, 0, 0, 0, 0, -0.25))
        x.body(n + "_forearm", (0, 0, -0.3))
        x.ball(n + "_elbow", 140, 90, 0.03, 1)
        x.geom("capsule", 1.3, "skin", size=0.03 if hands else 0.037, fromto=(0, 0, -0.01, 0, 0, -0.2 if hands else -0.22))
        x.body(n + "_hand", (0, 0, -0.26))
        x.ball(n + "_wrist", 70, 25, 0.01, 0.3)
        if hands:
            hand(x, s, n)
            x.end(3)
            continue
        x.geom("ellipsoid", 0.45, "skin", size=(0.02, 0.042, 0.085), pos=(0, 0, -0.075), extra='name="%s_palm"' % n)
        x.geom("capsule", 0.05, "skin", size=0.011, fromto=(0.015, 0, -0.05, 0.045, 0, -0.09))
        x.site(n + "_grip", (0.02, 0, -0.08))
        x.end(3)
    x.end(3)
    paints = {"cloth": ("0.22 0.27 0.38", 0.1, 0.1), "shirt": ("0.62 0.72 0.66", 0.1, 0.1), "skin": ("0.86 0.68 0.56", 0.2, 0.3),
              "sole": ("0.25 0.2 0.18", 0.2, 0.2), "hair": ("0.2 0.14 0.1", 0.3, 0.3), "white": ("0.95 0.95 0.95", 0.8, 0.9)}
    return x, paints, 70.0


def hrp2_pads():
    return hrp2((2, 2))


def hrp2_lift():
    """With arms that hold 8.4 kg in two hands while the forearms are level, and cannot hold 23.4 kg
    (experiments/lift.c). The source does not state the torques of HRP-2: these are ours."""
    return hrp2(shoulder=55, elbow=25)


def avatar_hands():
    return avatar(True)


def second(text):
    """The robot of a file once more, to stand opposite to the first: all names begin with second_, and it collides with the
    first and with the scene, but not with itself."""
    text = re.sub(r'\b(name|joint|site|material|class|childclass)="', r'\1="second_', text)
    text = text.replace('<body name="second_pelvis" childclass="second_robot" pos="0 0 0.95">',
                        '<body name="second_pelvis" childclass="second_robot" pos="0.84 0 0.95" quat="0 0 0 1">')
    return text.replace('contype="1" conaffinity="2"', 'contype="2" conaffinity="1"')


ROBOTS = (
    ("hrp2_like", hrp2, 0.983, "A humanoid like HRP-2: 30 driven joints, 1.54 m, 58 kg, flexible ankles, grippers"),
    ("hrp2_pads", hrp2_pads, 0.983, "The humanoid like HRP-2 with four pads under each foot"),
    ("hrp2_lift", hrp2_lift, 0.983, "The humanoid like HRP-2 with shoulders of 55 N m and elbows of 25 N m"),
    ("hoap_like", hoap, 0.4, "A small humanoid like HOAP-1: 20 joints, 480 mm, 5 kg"),
    ("hoap2_like", hoap2, 0.13, "A small humanoid like HOAP-2: 25 joints, 500 mm, 7 kg, plastic feet"),
    ("cb_like", cb, 0.45, "A humanoid like CB: 50 joints, toes, hands and eyes, 92 kg"),
    ("cb_shoes", cb_shoes, 0.45, "The humanoid like CB in rigid rectangular shoes: 48 joints, hands and eyes, 92 kg"),
    ("avatar", avatar, 0.8, "A person: spherical joints at hips, ankles, spine, neck, shoulders, elbows and wrists"),
    ("avatar_hands", avatar_hands, 0.8, "A person with fingers, and with shoes of twelve lugs each"),
)


MEMBRANE = """  <custom>
    <text name="heft_contact_model" data="micro_macro"/>
    <!-- static and kinetic friction, torsion, rolling, restitution; stiffness, damping and thickness of the membrane -->
    <numeric name="heft_material_membrane" data="1 0.4 0.005 0.0001 0 5512 158 0.0005"/>
    <tuple name="heft_material_membrane"><element objtype="geom" objname="floor"/></tuple>
  </custom>
"""


def membrane():
    """The ground of [Sugihara 2006], section IV-C."""
    text = stage("hoap_membrane", "The HOAP-1-like robot on a rigid floor under an elastic membrane; made by "
                 "tools/make_robots.py", "hoap_like_robot.xml", 1)
    return text.replace("  <asset>\n", MEMBRANE + "  <asset>\n", 1)


def main():
    folder = sys.argv[1]
    with open("%s/hoap_membrane.xml" % folder, "w") as f:
        f.write(membrane())
    for name, make, friction, comment in ROBOTS:
        x, paints, total = make()
        with open("%s/%s_robot.xml" % (folder, name), "w") as f:
            f.write(document(name, comment + "; made by tools/make_robots.py", x, total, paints, friction))
        if name == "avatar_hands":
            with open("%s/%s_second.xml" % (folder, name), "w") as f:
                f.write(second(document(name, comment + ", the second of two; made by tools/make_robots.py", x, total, paints, friction)))
            continue  # in scenes alone
        if name == "hrp2_pads":
            continue
        with open("%s/%s.xml" % (folder, name), "w") as f:
            f.write(stage(name, comment + ", on a floor; made by tools/make_robots.py", name + "_robot.xml", friction))


if __name__ == "__main__":
    main()
