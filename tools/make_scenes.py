#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes the scenes that are too long to write by hand into the current folder: run it in scenes/.
import math
# quadruped: 18 degrees of freedom, about 30 kg; springs and dampers of the joints are its PD control
def quad(name, comment, pd, extra='', floor=True):
    s=f'''<!-- {comment} -->
<mujoco model="{name}">
  <compiler angle="radian"/>
  <option timestep="0.005" gravity="0 0 -9.81"/>
  <default>
    <geom friction="0.8" rgba="0.5 0.5 0.55 1"/>
'''
    if pd: s+='    <joint stiffness="40" damping="1"/>\n'
    s+='  </default>\n  <worldbody>\n'
    if floor: s+='    <geom name="floor" type="plane" size="50 50 1" rgba="0.8 0.8 0.8 1"/>\n'
    s+='''    <body name="trunk" pos="0 0 0.57">
      <freejoint/>
      <geom type="box" size="0.25 0.12 0.08" mass="16"/>
'''
    for n,x,y in (('lf',1,1),('rf',1,-1),('lh',-1,1),('rh',-1,-1)):
        # knees bent inwards; joint angles are zero in this pose
        a = 0.4 * x
        dx1, dz1 = -0.28 * math.sin(a), -0.28 * math.cos(a)
        dx2, dz2 = 0.30 * math.sin(a), -0.30 * math.cos(a)
        s+=f'''      <body name="{n}_hip" pos="{0.28*x:g} {0.12*y:g} 0">
        <joint name="{n}_haa" axis="1 0 0"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0 {0.06*y:g} 0" mass="1.4" contype="0" conaffinity="0"/>
        <body name="{n}_thigh" pos="0 {0.08*y:g} 0">
          <joint name="{n}_hfe" axis="0 1 0"/>
          <geom type="capsule" size="0.035" fromto="0 0 0 {dx1:.6f} 0 {dz1:.6f}" mass="1.6" contype="0" conaffinity="0"/>
          <body name="{n}_shank" pos="{dx1:.6f} 0 {dz1:.6f}">
            <joint name="{n}_kfe" axis="0 1 0"/>
            <geom type="capsule" size="0.02" fromto="0 0 0 {dx2:.6f} 0 {dz2:.6f}" mass="0.35" contype="0" conaffinity="0"/>
            <geom name="{n}_foot" type="sphere" size="0.03" pos="{dx2:.6f} 0 {dz2:.6f}" mass="0.15"/>
          </body>
        </body>
      </body>
'''
    s+='    </body>\n'+extra+'  </worldbody>\n</mujoco>\n'
    return s
open('quadruped.xml','w').write(quad('quadruped','A quadruped of 18 degrees of freedom that stands by PD control: springs of 40 N m and dampers of 1 N m s in its\n     joints. Falls by a few millimetres and comes to rest.',True))
open('quadruped_alone.xml','w').write(quad('quadruped, floating','The quadruped without floor, springs and dampers. Nothing touches.',False,floor=False).replace('timestep="0.005"','timestep="0.001"').replace('<geom friction="0.8"','<geom contype="0" conaffinity="0" friction="0.8"'))
open('quadruped_ball.xml','w').write(quad('quadruped and ball','The quadruped floats, and a ball of 10 kg comes from its side.',True,extra='''    <body name="ball" pos="0.05 -1 0.59">
      <freejoint/>
      <geom type="sphere" size="0.2" mass="10" rgba="0.8 0.4 0.2 1"/>
    </body>
''',floor=False).replace('timestep="0.005"','timestep="0.001"'))

def box(n,x,y,z,yaw,sx,sy,sz):
    return f'    <body name="{n}" pos="{x:.9f} {y:.9f} {z:.9f}" euler="0 0 {yaw:.9f}"><freejoint/><geom size="{sx} {sy} {sz}"/></body>\n'

# kapla: posts in a ring, beams from post to post, a lid on the beams
def kapla():
    s = '''<!-- A tower after SimBenchmark's kapla: 6 floors, 102 blocks of 10 kg. A floor is eight posts in a ring, eight beams that
     lie from post to post, and a lid whose corners lie on four of the beams. -->
<mujoco model="kapla">
  <compiler angle="radian"/>
  <option timestep="0.01" gravity="0 0 -9.81"/>
  <default><geom type="box" mass="10" friction="0.8" rgba="0.75 0.6 0.4 1"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" mass="0" rgba="0.8 0.8 0.8 1"/>
'''
    z, r = 0.0, 0.2
    for f in range(6):
        for i in range(8):
            a = 2 * math.pi * i / 8
            s += box(f'post{f}_{i}', r * math.cos(a), r * math.sin(a), z + 0.1, a, 0.05, 0.035, 0.1)
        z += 0.2
        for i in range(8):
            a = 2 * math.pi * (i + 0.5) / 8
            mid = r * math.cos(math.pi / 8)
            s += box(f'beam{f}_{i}', mid * math.cos(a), mid * math.sin(a), z + 0.025, a, 0.025, 0.065, 0.025)
        z += 0.05
        s += box(f'lid{f}', 0, 0, z + 0.01, math.pi / 8, 0.125, 0.125, 0.01)
    return s + '  </worldbody>\n</mujoco>\n'
open('kapla.xml', 'w').write(kapla())

# a pyramid of boxes: rows of n, n - 1, ..., 1, each box on two
def pyramid(rows):
    s = f'''<!-- A pyramid of boxes, {rows} rows: each box rests on two. -->
<mujoco model="pyramid">
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <default><geom type="box" size="0.1 0.1 0.1" mass="1" friction="0.5" rgba="0.3 0.5 0.8 1"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" mass="0" rgba="0.8 0.8 0.8 1"/>
'''
    for row in range(rows):
        for i in range(rows - row):
            s += f'    <body pos="{0.21*(i+0.5*row):.4f} 0 {0.1+0.2*row:.1f}"><freejoint/><geom/></body>\n'
    return s + '  </worldbody>\n</mujoco>\n'
open('pyramid.xml', 'w').write(pyramid(15))

# a humanoid of 36 degrees of freedom that stands by springs and dampers in its joints
def humanoid(name, comment, feet, pd):
    s = f'''<!-- {comment} -->
<mujoco model="{name}">
  <compiler angle="radian"/>
  <option timestep="0.001" gravity="0 0 -9.81"/>
  <default>
    <geom type="capsule" friction="0.8" rgba="0.6 0.6 0.65 1"/>
    <joint {pd}/>
    <default class="sole"><geom type="sphere" size="0.01" mass="0.0001"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" rgba="0.8 0.8 0.8 1"/>
    <body name="pelvis" pos="0 0 0.98">
      <freejoint/>
      <geom size="0.09" fromto="0 -0.08 0 0 0.08 0" mass="9"/>
'''
    for side, y in (('left', 1), ('right', -1)):
        s += f'''      <body name="{side}_hip" pos="0 {0.1*y:g} -0.05">
        <joint name="{side}_hip_yaw" axis="0 0 1"/>
        <joint name="{side}_hip_roll" axis="1 0 0"/>
        <joint name="{side}_hip_pitch" axis="0 1 0"/>
        <geom size="0.06" fromto="0 0 -0.06 0 0 -0.36" mass="7"/>
        <body name="{side}_shank" pos="0 0 -0.42">
          <joint name="{side}_knee" axis="0 1 0"/>
          <geom size="0.045" fromto="0 0 -0.02 0 0 -0.36" mass="3.5"/>
          <body name="{side}_foot" pos="0 0 -0.42">
            <joint name="{side}_ankle_pitch" axis="0 1 0"/>
            <joint name="{side}_ankle_roll" axis="1 0 0"/>
'''
        if feet is None:
            s += '            <geom type="box" size="0.12 0.05 0.03" pos="0.04 0 -0.055" mass="1"/>\n'
        else:
            s += '            <geom type="box" size="0.12 0.05 0.02" pos="0.04 0 -0.045" mass="1" contype="0" conaffinity="0"/>\n'
            nx, ny = feet
            for i in range(nx):
                for j in range(ny):
                    s += f'            <geom class="sole" pos="{-0.08+0.24*i/(nx-1):.6f} {-0.05+0.1*j/(ny-1):.6f} -0.075"/>\n'
        s += '          </body>\n        </body>\n      </body>\n'
    s += '''      <body name="waist" pos="0 0 0.12">
        <joint name="waist_yaw" axis="0 0 1"/>
        <joint name="waist_roll" axis="1 0 0"/>
        <joint name="waist_pitch" axis="0 1 0"/>
        <geom size="0.11" fromto="0 -0.05 0.15 0 0.05 0.15" mass="16"/>
        <geom size="0.09" fromto="0 -0.06 0.32 0 0.06 0.32" mass="10"/>
        <body name="head" pos="0 0 0.45">
          <joint name="neck" axis="0 0 1"/>
          <geom type="sphere" size="0.1" pos="0 0 0.12" mass="4.5"/>
        </body>
'''
    for side, y in (('left', 1), ('right', -1)):
        s += f'''        <body name="{side}_arm" pos="0 {0.2*y:g} 0.36">
          <joint name="{side}_shoulder_pitch" axis="0 1 0"/>
          <joint name="{side}_shoulder_roll" axis="1 0 0"/>
          <joint name="{side}_shoulder_yaw" axis="0 0 1"/>
          <geom size="0.04" fromto="0 {0.02*y:g} -0.05 0 {0.02*y:g} -0.26" mass="2"/>
          <body name="{side}_forearm" pos="0 {0.02*y:g} -0.3">
            <joint name="{side}_elbow" axis="0 1 0"/>
            <geom size="0.035" fromto="0 0 -0.02 0 0 -0.22" mass="1.2"/>
            <body name="{side}_hand" pos="0 0 -0.26">
              <joint name="{side}_wrist_yaw" axis="0 0 1"/>
              <joint name="{side}_wrist_pitch" axis="0 1 0"/>
              <joint name="{side}_wrist_roll" axis="1 0 0"/>
              <geom type="sphere" size="0.045" pos="0 0 -0.05" mass="0.5"/>
            </body>
          </body>
        </body>
'''
    return s + '      </body>\n    </body>\n  </worldbody>\n</mujoco>\n'
stiff = 'stiffness="600" damping="30"'
open('humanoid.xml', 'w').write(humanoid('humanoid', 'A humanoid of 36 degrees of freedom with weak joints: it falls.', None, 'damping="1"'))
open('humanoid_8.xml', 'w').write(humanoid('humanoid, standing', 'A humanoid of 36 degrees of freedom stands on eight contacts.', None, stiff))
open('humanoid_40.xml', 'w').write(humanoid('humanoid, 40 contacts', 'A humanoid of 36 degrees of freedom stands on forty contacts.', (5, 4), stiff))
open('humanoid_120.xml', 'w').write(humanoid('humanoid, 120 contacts', 'A humanoid of 36 degrees of freedom stands on 120 contacts.', (10, 6), stiff))

# a heap of boxes, balls, capsules and cylinders
def heap(count):
    import random
    r = random.Random(7)
    s = '''<!-- Boxes, balls, capsules and cylinders, turned at random, fall into a tray. -->
<mujoco model="heap">
  <option timestep="0.001" gravity="0 0 -9.81"/>
  <default><geom friction="0.5" density="800"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" rgba="0.8 0.8 0.8 1"/>
'''
    shapes = ['type="box" size="0.08 0.06 0.05" rgba="0.3 0.5 0.8 1"', 'type="sphere" size="0.07" rgba="0.8 0.4 0.2 1"',
              'type="capsule" size="0.05 0.06" rgba="0.4 0.7 0.4 1"', 'type="cylinder" size="0.06 0.05" rgba="0.7 0.7 0.75 1"']
    for i in range(count):
        x, y, z = 0.22 * (i % 2) - 0.11, 0.22 * (i // 2 % 2) - 0.11, 0.15 + 0.25 * (i // 4)
        quat = [r.gauss(0, 1) for _ in range(4)]
        norm = math.sqrt(sum(q * q for q in quat))
        text = ' '.join(f'{q/norm:.6f}' for q in quat)
        s += f'    <body pos="{x:.2f} {y:.2f} {z:.2f}" quat="{text}"><freejoint/><geom {shapes[i % 4]}/></body>\n'
    return s + '  </worldbody>\n</mujoco>\n'
open('heap.xml', 'w').write(heap(16))

# tiles_mesh: an irregular triangulation of the plane z = 0
def mesh_floor(columns, rows, pitch):
    bits = 12345
    def unit():
        nonlocal bits
        bits = (1103515245 * bits + 12345) % 2 ** 31
        return bits / 2 ** 31
    points = [(-0.8 + pitch * (i + 0.6 * (unit() - 0.5)), -1.2 + pitch * (j + 0.6 * (unit() - 0.5))) for i in range(columns) for j in range(rows)]
    faces = []
    for i in range(columns - 1):
        for j in range(rows - 1):
            a, b = i * rows + j, (i + 1) * rows + j
            faces += [(a, b, b + 1), (a, b + 1, a + 1)] if unit() < 0.5 else [(a, b, a + 1), (b, b + 1, a + 1)]
    s = '''<!-- A 0.1 m cube on a floor of irregular triangles. They are the surface only if meshes collide as triangles, without hulls. -->
<mujoco model="tiles, mesh">
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <asset>
    <mesh name="floor" vertex="
'''
    for p in range(0, len(points), 6): s += '      ' + '  '.join(f'{x:.4f} {y:.4f} 0' for x, y in points[p:p + 6]) + '\n'
    s += '      " face="\n'
    for p in range(0, len(faces), 8): s += '      ' + '  '.join('%d %d %d' % f for f in faces[p:p + 8]) + '\n'
    s += '''      "/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="floor" friction="0.3" rgba="0.8 0.8 0.8 1"/>
    <body name="cube" pos="0 0 0.05">
      <freejoint/>
      <geom type="box" size="0.05 0.05 0.05" mass="1" friction="0.3" rgba="0.3 0.5 0.8 1"/>
    </body>
  </worldbody>
</mujoco>
'''
    return s
open('tiles_mesh.xml', 'w').write(mesh_floor(16, 11, 0.24))
