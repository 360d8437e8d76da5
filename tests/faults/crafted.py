#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""More than 500 files that were made to hurt, for every reader of the command: each is refused with the message of
crafted.txt or loaded, and none takes more than 1 s of an idle core or 256 MB (docs/manual/trust.md).

    crafted.py HEFT SCENES [NAME...] [--full] [--write] [--keep FOLDER]

Short form: more than 500 of the smaller files, time bounded loosely, since other work may share the machine. --full: all
files, up to 10 MB, and a second of processor time, of the fastest of three tries. NAME: only files whose names begin so.
--write writes crafted.txt anew, to be read before it is kept. --keep leaves the files in FOLDER."""
import math
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SECONDS, LOOSE_SECONDS, BYTES, LARGEST = 1.0, 30, 256e6, 10e6
here = os.path.dirname(os.path.abspath(__file__))
files = {}  # name: File


class File:
    def __init__(self, name, content, command, long, beside):
        self.name, self.content, self.command, self.long, self.beside = name, content, command, long, beside

    def bytes(self):
        content = self.content() if callable(self.content) else self.content
        return content.encode() if isinstance(content, str) else content


def add(name, content, *command, long=False, beside=None):
    """A file, the command that reads it (FILE stands for its name), and files beside it: {name: bytes}."""
    if name in files:
        raise ValueError(name)
    command = list(command) or ['check', '--quiet', 'FILE']
    files[name] = File(name, content, [name if word == 'FILE' else word for word in command], long, beside or {})


def world(inside, before='', after=''):
    return '<mujoco>\n%s<worldbody>\n%s\n</worldbody>\n%s</mujoco>\n' % (before, inside, after)


ball = '<body name="b"><freejoint/><geom size="0.1"/></body>'


# ---- XML of both kinds

def xml():
    for kind, root in (('mjcf', 'mujoco'), ('urdf', 'robot')):
        end = '.xml' if kind == 'mjcf' else '.urdf'

        def make(name, content, **more):
            add('xml_%s_%s%s' % (kind, name, end), content, **more)
        laughs = ''.join('<!ENTITY e%d "%s">' % (i, ('&e%d;' % (i - 1)) * 10) for i in range(1, 10))
        make('laughs', '<!DOCTYPE x [<!ENTITY e0 "lol">%s]><%s>&e9;</%s>' % (laughs, root, root))
        make('quadratic', '<!DOCTYPE x [<!ENTITY a "%s">]><%s>%s</%s>' % ('a' * 50000, root, '&a;' * 50000, root))
        make('parameter_entity', '<!DOCTYPE x [<!ENTITY %% p SYSTEM "file:///etc/passwd">%%p;]><%s/>' % root)
        make('external_entity', '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><%s>&x;</%s>' % (root, root))
        make('external_type', '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><%s/>' % root)
        make('public_type', '<!DOCTYPE x PUBLIC "-//x//y" "x.dtd"><%s/>' % root)
        make('entity_in_attribute', '<%s name="&x;"/>' % root)
        make('number_too_large', '<%s name="&#x110000;"/>' % root)
        make('surrogate', '<%s name="&#xD800;"/>' % root)
        make('null_reference', '<%s name="&#0;"/>' % root)
        make('null_byte', ('<%s name="a\0b"/>' % root))
        make('overlong_utf8', b'<' + root.encode() + b' name="\xc0\xaf"/>')
        make('half_utf8', b'<' + root.encode() + b' name="\xe2\x82')
        make('utf16', ('<%s/>' % root).encode('utf-16'))
        make('utf16_as_utf8', '<?xml version="1.0" encoding="UTF-16"?><%s/>' % root)
        make('utf7', '<?xml version="1.0" encoding="UTF-7"?><%s/>' % root)
        make('version', '<?xml version="9.9"?><%s/>' % root)
        make('deep', '<%s>' % root + '<a>' * 100000)
        make('deep_closed', '<%s>' % root + '<a>' * 2000 + '</a>' * 2000 + '</%s>' % root)
        make('attributes', '<%s %s/>' % (root, ' '.join('a%d=""' % i for i in range(20000))))
        make('attribute_twice', '<%s a="1" a="2"/>' % root)
        make('long_attribute', '<%s name="%s"/>' % (root, 'x' * 900000))
        make('long_attribute_name', '<%s %s="1"/>' % (root, 'x' * 900000))
        make('long_element_name', '<%s><%s/></%s>' % (root, 'x' * 900000, root))
        make('long_comment', lambda root=root: '<%s><!--%s--></%s>' % (root, 'x' * 9000000, root), long=True)
        make('long_text', lambda root=root: '<%s>%s</%s>' % (root, 'x ' * 4500000, root), long=True)
        make('long_blanks', lambda root=root: '<%s>%s</%s>' % (root, '\n' * 9000000, root), long=True)
        make('many_comments', '<%s>%s</%s>' % (root, '<!---->' * 100000, root))
        make('many_sections', '<%s>%s</%s>' % (root, '<![CDATA[x]]>' * 60000, root))
        make('many_instructions', '<%s>%s</%s>' % (root, '<?a b?>' * 100000, root))
        make('many_elements', '<%s>%s</%s>' % (root, '<a/>' * 250000, root))
        make('many_unknown', '<%s>%s</%s>' % (root, ''.join('<a%d/>' % i for i in range(100000)), root))
        make('cut_tag', '<%s' % root)
        make('cut_text', '<%s>abc' % root)
        make('cut_comment', '<%s><!-- abc' % root)
        make('cut_section', '<%s><![CDATA[abc' % root)
        make('two_roots', '<%s/><%s/>' % (root, root))
        make('namespace', '<n:%s xmlns:n="urn:x"/>' % root)
        make('only_blanks', ' ' * 100000)
        make('byte_order_marks', b'\xef\xbb\xbf' * 3 + ('<%s/>' % root).encode())


# ---- MJCF

numbers = [
    ('option timestep', '', '<option timestep="@"/>'), ('option gravity', '', '<option gravity="0 0 @"/>'),
    ('compiler boundmass', '', '<compiler boundmass="@"/>'), ('compiler settotalmass', '', '<compiler settotalmass="@"/>'),
    ('geom size', '<geom size="@"/>', ''), ('geom pos', '<geom size="1" pos="0 0 @"/>', ''),
    ('geom quat', '<geom size="1" quat="1 0 0 @"/>', ''), ('geom euler', '<geom size="1" euler="0 0 @"/>', ''),
    ('geom fromto', '<geom type="capsule" size="1" fromto="0 0 0 0 1 @"/>', ''), ('geom mass', '<geom size="1" mass="@"/>', ''),
    ('geom density', '<geom size="1" density="@"/>', ''), ('geom friction', '<geom size="1" friction="@"/>', ''),
    ('geom margin', '<geom size="1" margin="@"/>', ''), ('geom rgba', '<geom size="1" rgba="1 1 1 @"/>', ''),
    ('body pos', '<body pos="@ 0 0"><geom size="1"/></body>', ''), ('body gravcomp', '<body gravcomp="@"><geom size="1"/></body>', ''),
    ('joint axis', '<body><joint axis="0 0 @"/><geom size="1"/></body>', ''), ('joint range', '<body><joint range="0 @"/><geom size="1"/></body>', ''),
    ('joint damping', '<body><joint damping="@"/><geom size="1"/></body>', ''),
    ('joint stiffness', '<body><joint stiffness="@"/><geom size="1"/></body>', ''),
    ('joint armature', '<body><joint armature="@"/><geom size="1"/></body>', ''),
    ('joint frictionloss', '<body><joint frictionloss="@"/><geom size="1"/></body>', ''),
    ('inertial mass', '<body><freejoint/><inertial mass="@" pos="0 0 0" diaginertia="1 1 1"/></body>', ''),
    ('inertial diaginertia', '<body><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 @"/></body>', ''),
    ('inertial fullinertia', '<body><freejoint/><inertial mass="1" pos="0 0 0" fullinertia="1 1 1 0 0 @"/></body>', ''),
    ('site pos', '<site pos="0 0 @"/>', ''), ('camera fovy', '<camera fovy="@"/>', ''), ('light cutoff', '<light cutoff="@"/>', ''),
    ('replicate offset', '<replicate count="2" offset="@ 0 0"><geom size="1"/></replicate>', ''),
]


def mjcf_numbers():
    values = (('nan', 'nan'), ('inf', '-inf'), ('large', '1e400'), ('huge', '1e308'), ('word', '0x1p3'), ('many', '1 1 1 1 1 1 1 1'),
              ('digits', '9' * 100000), ('negative', '-1e9'))
    for what, inside, before in numbers:
        for name, value in values:
            add('number_%s_%s.xml' % (what.replace(' ', '_'), name), world(inside.replace('@', value), before.replace('@', value)))


def mjcf_counts():
    """Many of one element."""
    def make(name, content, **more):
        add('count_%s.xml' % name, content, **more)
    hinge = '<body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body><body name="c"><geom name="h" size="1"/></body>'
    many = {
        'geoms': ('<geom size="1"/>', 0), 'sites': ('<site/>', 0), 'cameras': ('<camera/>', 0), 'lights': ('<light/>', 0),
        'bodies': ('<body/>', 0), 'frames': ('<frame/>', 0), 'balls': ('<body><freejoint/><geom size="1"/></body>', 0),
        'hinges': ('<body><joint/><geom size="1"/></body>', 0), 'balls_apart': ('<body pos="%d 0 0"><freejoint/><geom size=".1"/></body>', 0),
        'boxes_on_floor': ('<body pos="0 0 %d"><freejoint/><geom type="box" size="1 1 1"/></body>', 0)}
    for name, (text, _) in many.items():
        for size, long in ((100000, False), (1000000, False), (9000000, True)):
            def content(text=text, size=size):
                count = size // len(text)
                return world(''.join(text % i if '%' in text else text for i in range(count)))
            make('%s_%d' % (name, size), content, long=long or size > 200000)
    sections = {
        'sensors': ('sensor', '<jointpos joint="j"/>'), 'gyros': ('sensor', '<gyro site="s"/>'), 'touch': ('sensor', '<touch site="s"/>'),
        'motors': ('actuator', '<motor joint="j"/>'), 'tendons': ('tendon', '<fixed><joint joint="j" coef="1"/></fixed>'),
        'spatial': ('tendon', '<spatial><site site="s"/><site site="s"/></spatial>'),
        'equalities': ('equality', '<connect body1="b" body2="c" anchor="0 0 0"/>'), 'welds': ('equality', '<weld body1="b"/>'),
        'joints_equal': ('equality', '<joint joint1="j"/>'), 'pairs': ('contact', '<pair geom1="g" geom2="h"/>'),
        'excludes': ('contact', '<exclude body1="b" body2="c"/>'), 'keys': ('keyframe', '<key/>'),
        'numeric': ('custom', '<numeric name="n" data="1"/>'), 'texts': ('custom', '<text name="n" data="x"/>'),
        'materials': ('asset', '<material name="m"/>'), 'materials_named': ('asset', '<material name="m%d"/>'),
        'textures': ('asset', '<texture builtin="flat" width="8" height="8" name="t%d" type="2d"/>'),
        'large_textures': ('asset', '<texture builtin="flat" width="100000" height="100000" name="t%d" type="2d"/>'),
        'meshes': ('asset', '<mesh name="m%d" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'), 'fields': ('asset', '<hfield name="h%d" nrow="2" ncol="2" size="1 1 1 1"/>'),
        'large_fields': ('asset', '<hfield name="h%d" nrow="4000" ncol="4000" size="1 1 1 1"/>'),
        'tori': ('asset', '<mesh name="m%d"><plugin plugin="heft.torus"><config key="radius" value="1"/><config key="tube" value=".3"/></plugin></mesh>'),
        'classes': ('default', '<default class="c%d"/>')}
    for name, (section, text) in sections.items():
        for size in (100000, 1000000):
            def content(section=section, text=text, size=size):
                count = size // len(text)
                part = '<%s>%s</%s>' % (section, ''.join(text % i if '%' in text else text for i in range(count)), section)
                return world(hinge, before=part) if section in ('asset', 'default') else world(hinge, after=part)
            make('%s_%d' % (name, size), content, long=size > 200000)
    # one attribute with very many numbers
    million = '1 ' * 450000
    make('list_vertex', world('', '<asset><mesh name="m" vertex="%s"/></asset>' % million))
    make('list_face', world('', '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="%s"/></asset>' % million))
    make('list_texcoord', world('', '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="%s"/></asset>' % million))
    make('list_elevation', world('', '<asset><hfield name="m" nrow="2" ncol="2" size="1 1 1 1" elevation="%s"/></asset>' % million))
    make('list_qpos', world(ball, after='<keyframe><key qpos="%s"/></keyframe>' % million))
    make('list_numeric', world(ball, after='<custom><numeric name="n" data="%s"/></custom>' % million))
    make('list_polycoef', world(hinge, after='<equality><joint joint1="j" polycoef="%s"/></equality>' % million))
    make('numeric_size', world(ball, after='<custom><numeric name="n" size="2000000000"/></custom>'))
    make('hfield_rows', world('', '<asset><hfield name="h" nrow="2000000000" ncol="2000000000" size="1 1 1 1"/></asset>'))
    make('hfield_overflow', world('', '<asset><hfield name="h" nrow="65536" ncol="65536" size="1 1 1 1"/></asset>'))
    make('hfield_negative', world('', '<asset><hfield name="h" nrow="-1" ncol="5" size="1 1 1 1"/></asset>'))
    make('texture_size', world('', '<asset><texture name="t" builtin="flat" type="2d" width="2000000000" height="2000000000"/></asset>'))
    make('mass_entries', world('<body>' * 1000 + '<joint/><geom size="1"/>' * 0 + '</body>' * 1000))
    make('chain_1000', world(''.join('<body><joint/><geom size="1"/>' for _ in range(1000)) + '</body>' * 1000))
    make('chain_3_dofs', world(''.join('<body><joint/><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size="1"/>' for _ in range(1000)) + '</body>' * 1000))
    make('one_body_geoms', world('<body><freejoint/>%s</body>' % ('<geom size="1"/>' * 20000)))
    make('same_place', world('<body><freejoint/><geom size="1"/></body>' * 3000))
    make('same_place_boxes', world('<body><freejoint/><geom type="box" size="1 1 1"/></body>' * 1500))
    make('same_place_capsules', world('<body><freejoint/><geom type="capsule" size="1 1"/></body>' * 1500))
    make('same_place_ellipsoids', world('<body><freejoint/><geom type="ellipsoid" size="1 2 1"/></body>' * 800))
    make('same_place_cylinders', world('<body><freejoint/><geom type="cylinder" size="1 1"/></body>' * 800))
    for count in (100, 5000, 4194304, 4194305, 2**31, 2**63):
        make('replicate_%d' % count, world('<replicate count="%d" offset="1 0 0">%s</replicate>' % (count, '<geom size="1"/>')))
    for depth in (2, 3, 10, 1000):
        make('replicate_deep_%d' % depth, world('<replicate count="10">' * depth + '<geom size="1"/>' + '</replicate>' * depth))
    make('replicate_of_balls', world('<replicate count="20000" offset="3 0 0"><body><freejoint/><geom size="1"/></body></replicate>'))
    make('replicate_names', world('<replicate count="2000" sep="%s"><geom name="g" size="1"/></replicate>' % ('x' * 240)))
    make('classes_deep', world('', '<default>%s%s</default>' % (''.join('<default class="c%d"><geom size="1"/>' % i for i in range(1000)), '</default>' * 1000)))
    make('classes_used', world('<geom class="c400"/>' * 20000, '<default>%s%s</default>' % (''.join('<default class="c%d"><geom size="1"/>' % i for i in range(401)), '</default>' * 401)))
    make('keys_of_balls', world('<body><freejoint/><geom size="1"/></body>' * 1000, after='<keyframe>%s</keyframe>' % ('<key/>' * 20000)))
    make('sensors_of_names', world('<site name="%s"/>' % ('s' * 255), after='<sensor>%s</sensor>' % ('<gyro site="%s"/>' % ('s' * 255) * 3000)))
    make('colliding_names', world(''.join('<site name="%s"/>' % name for name in colliding_names(3000))))
    make('tendon_of_sites', world(hinge, after='<tendon><spatial>%s</spatial></tendon>' % ('<site site="s"/>' * 50000)))
    make('tendon_of_joints', world(hinge, after='<tendon><fixed>%s</fixed></tendon>' % ('<joint joint="j" coef="1"/>' * 30000)))


def colliding_names(count):
    """Names whose 64-bit FNV-1a hashes agree in the lowest 10 bits."""
    found, i = [], 0
    while len(found) < count // 10:
        h = 0xcbf29ce484222325
        for c in str(i).encode():
            h = (h ^ c) * 0x100000001b3 % 2**64
        if h % 1024 == 0:
            found.append(str(i))
        i += 1
    return found


def mjcf_references():
    """Cycles, escapes, files that are no files, names that do not exist."""
    def make(name, content, **more):
        add('refer_%s.xml' % name, content, **more)
    for what in ('include', 'mesh', 'hfield', 'texture', 'model'):
        element = {'include': '<include file="@"/>', 'mesh': '<asset><mesh name="m" file="@"/></asset>',
                   'hfield': '<asset><hfield name="m" file="@" size="1 1 1 1"/></asset>',
                   'texture': '<asset><texture name="m" type="2d" file="@"/><material name="q" texture="m"/></asset>',
                   'model': '<asset><model name="m" file="@"/></asset>'}[what]
        end = {'include': '.xml', 'mesh': '.stl', 'hfield': '.png', 'texture': '.png', 'model': '.xml'}[what]
        places = {'up': '../outside' + end, 'up_many': '../' * 500 + 'etc/passwd', 'absolute': '/etc/passwd', 'device': '/dev/zero',
                  'random': '/dev/urandom', 'folder': '.', 'missing': 'missing' + end, 'empty_name': '', 'proc': '/proc/self/mem',
                  'long_name': 'x' * 5000 + end, 'null_in_middle': 'a/./../../outside' + end, 'url': 'http://127.0.0.1/x' + end,
                  'link_outside': 'link_outside' + end, 'link_loop': 'link_loop' + end, 'link_zero': 'link_zero' + end, 'pipe': 'pipe' + end,
                  'backslash': '..\\outside' + end, 'tilde': '~/x' + end, 'empty_file': 'empty' + end}
        for name, place in places.items():
            make('%s_%s' % (what, name), world('', element.replace('@', place)))
    make('include_itself', world('', '<include file="refer_include_itself.xml"/>'))
    make('include_two', world('', '<include file="two_a.xml"/>'), beside={
        'two_a.xml': b'<mujocoinclude><include file="two_b.xml"/></mujocoinclude>', 'two_b.xml': b'<mujocoinclude><include file="two_a.xml"/></mujocoinclude>'})
    chain = {'chain_%d.xml' % i: b'<mujocoinclude><include file="chain_%d.xml"/></mujocoinclude>' % (i + 1) for i in range(100)}
    make('include_chain', world('', '<include file="chain_0.xml"/>'), beside=chain)
    make('include_bomb', world('', '<include file="bomb_a.xml"/>' * 300), beside={
        'bomb_a.xml': b'<mujocoinclude>' + b'<include file="bomb_b.xml"/>' * 300 + b'</mujocoinclude>',
        'bomb_b.xml': b'<mujocoinclude><!--' + b'x' * 100000 + b'--></mujocoinclude>'})
    make('include_empty_bomb', world('', '<include file="void.xml"/>' * 30000), beside={'void.xml': b'<mujocoinclude/>'})
    make('include_geoms', world('<include file="geoms.xml"/>' * 300), beside={'geoms.xml': b'<mujocoinclude>' + b'<geom size="1"/>' * 2000 + b'</mujocoinclude>'})
    make('model_itself', world('<attach model="m" prefix="p"/>', '<asset><model name="m" file="refer_model_itself.xml"/></asset>'))
    make('attach_many', world(''.join('<attach model="m" prefix="p%d"/>' % i for i in range(3000)), '<asset><model name="m" file="part.xml"/></asset>'),
         beside={'part.xml': world('<body name="b"><freejoint/><geom size="1"/></body>' + '<geom size="1"/>' * 50).encode()})
    make('attach_nested', world('<attach model="m" prefix="p"/>' * 2, '<asset><model name="m" file="nest_a.xml"/></asset>'), beside={
        'nest_a.xml': world('<attach model="m" prefix="a"/><attach model="m" prefix="c"/>', '<asset><model name="m" file="nest_b.xml"/></asset>').encode(),
        'nest_b.xml': world('<body name="b"><geom size="1"/></body>').encode()})
    for element in ('<geom class="x" size="1"/>', '<geom material="x" size="1"/>', '<geom type="mesh" mesh="x"/>', '<geom type="hfield" hfield="x"/>',
                    '<body childclass="x"/>', '<camera mode="targetbody" target="x"/>', '<attach model="x" prefix="y"/>', '<geom type="sdf" mesh="x"/>'):
        make('unknown_' + element[1:].split()[0] + '_' + element.split()[1].split('=')[0] + '_' + element.split('"')[1], world(element))
    for section, element in (('sensor', '<gyro site="x"/>'), ('actuator', '<motor joint="x"/>'), ('tendon', '<fixed name="t"><joint joint="x" coef="1"/></fixed>'),
                             ('equality', '<weld body1="x"/>'), ('contact', '<pair geom1="x" geom2="y"/>'), ('contact', '<exclude body1="x" body2="y"/>'),
                             ('equality', '<joint joint1="x"/>'), ('sensor', '<touch site="x"/>'), ('actuator', '<position tendon="x"/>'),
                             ('sensor', '<framepos objtype="body" objname="x"/>'), ('keyframe', '<key qpos="1 2 3"/>')):
        make('unknown_%s_%s' % (section, element[1:].split()[0]), world(ball, after='<%s>%s</%s>' % (section, element, section)))
    for name in ('a\nb', 'a\tb', '\x7f', '../x', 'a"b', '<b>', '%s%n', '\u202e', 'heft_nameless_1', 'world', ' ' * 20, '&', "'; rm -rf /"):
        text = name.replace('&', '&amp;').replace('"', '&quot;').replace('<', '&lt;').replace('\n', '&#10;').replace('\t', '&#9;')
        make('name_%s' % name.encode('utf-8').hex()[:16], world('<body name="%s"><geom size="1"/></body>' % text,
                                                               after='<sensor><gyro site="%s"/></sensor>' % text))


# ---- meshes, in MJCF

def stl(triangles, count=None, head=b'x'):
    data = b''.join(struct.pack('<12fH', 0, 0, 0, *(c for p in t for c in p), 0) for t in triangles)
    return head.ljust(80, b' ') + struct.pack('<I', len(triangles) if count is None else count) + data


def tetrahedron(size=1.0):
    a, b, c, d = (0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)
    return [(a, c, b), (a, b, d), (a, d, c), (b, c, d)]


def fan(points):
    return [(points[0], points[i], points[i + 1]) for i in range(1, len(points) - 1)]


def meshes():
    """Each with a shape that collides, through MJCF; the reader names the file of the mesh."""
    def make(name, data, options=(), **more):
        text = data if callable(data) else (lambda: data)
        end = name.rsplit('.', 1)[1]
        inside = '<body><freejoint/><geom type="mesh" mesh="m" mass="1"/></body>'
        scene = name.replace('.', '_') + '.xml'
        files_beside = {name: text}
        add('mesh_' + scene, world(inside, '<asset><mesh name="m" file="%s"/></asset>' % name), 'check', '--quiet', *options, 'FILE',
            beside=files_beside, **more)
        return end
    t = stl(tetrahedron())
    for cut in (0, 1, 5, 79, 80, 83, 84, 85, 100, 133, 134, 200, 283):
        make('cut_%d.stl' % cut, t[:cut])
    for count in (0, 1, 3, 5, 1000, 2**31 - 1, 2**31, 2**32 - 1):
        make('says_%d.stl' % count, stl(tetrahedron(), count))
    for name, value in (('nan', math.nan), ('inf', math.inf), ('large', 1e30), ('limit', 1e9), ('small', 1e-40), ('tiny', 1e-20), ('thin', 1e-7)):
        make('value_%s.stl' % name, stl([((0, 0, 0), (1, 0, 0), (0, value, 0))] + tetrahedron()))
        make('scaled_%s.stl' % name, stl(tetrahedron(value)))
    circle = lambda n, h=0.0: [(math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n), h) for i in range(n)]
    for n, long in ((1000, False), (9000, False), (30000, True), (60000, True)):
        make('circle_%d.stl' % n, lambda n=n: stl(fan(circle(n)) + tetrahedron(0.1)), long=long)
        make('disc_%d.stl' % n, lambda n=n: stl(fan(circle(n)) + fan(circle(n, 1e-3))), long=long)
    for n, long in ((10000, False), (190000, True)):
        def sphere(n=n):
            points = []
            for i in range(n):
                z = 1 - 2 * (i + 0.5) / n
                r, a = math.sqrt(1 - z * z), 2.399963229728653 * i
                points.append((r * math.cos(a), r * math.sin(a), z))
            return stl([tuple(points[i:i + 3]) for i in range(0, n - 2, 3)])
        make('sphere_%d.stl' % n, sphere, long=long)
    for n, long in ((20, False), (55, True)):
        make('lattice_%d.stl' % n, lambda n=n: stl([((x, y, z), (x + 1, y, z), (x, y + 1, z + 1)) for x in range(n) for y in range(n) for z in range(n)]), long=long)
    add('mesh_same_place.xml', world('<body><freejoint/><geom type="mesh" mesh="m"/></body>' * 300, '<asset><mesh name="m" file="t.stl"/></asset>'),
        beside={'t.stl': lambda: stl(torus(60, 30))})
    add('mesh_same_place_pieces.xml', world('<body><freejoint/><geom type="mesh" mesh="m"/></body>' * 300, '<asset><mesh name="m" file="t.stl"/></asset>'),
        'check', '--quiet', '--decompose', '0.05', 'FILE', beside={'t.stl': lambda: stl(torus(20, 10))})
    add('mesh_same_place_tori.xml', world('<body><freejoint/><geom type="sdf" mesh="m"/></body>' * 300, '<asset><mesh name="m">'
        '<plugin plugin="heft.torus"><config key="radius" value="1"/><config key="tube" value=".3"/></plugin></mesh></asset>'))
    make('point.stl', stl([((1, 1, 1),) * 3] * 100))
    make('points.stl', stl([((1, 1, 1),) * 3] * 20000))
    make('line.stl', stl([((0, 0, 0), (1, 1, 1), (2, 2, 2))]))
    make('plane.stl', stl([((0, 0, 0), (1, 0, 0), (0, 1, 0))]))
    make('almost_plane.stl', stl([((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 0, 1e-12), (1, 0, 0), (0, 1, 0))]))
    make('needle.stl', stl([((0, 0, 0), (1e8, 0, 0), (0, 1e-6, 0)), ((0, 0, 0), (1e8, 0, 0), (0, 0, 1e-6))]))
    make('inside_out.stl', stl([(a, c, b) for a, b, c in tetrahedron()]))
    make('open.stl', stl(tetrahedron()[:3]))
    make('same_triangles.stl', stl(tetrahedron() * 3000))
    make('moment_curve.stl', lambda: stl([tuple((t / 1000, t * t / 1e6, t**3 / 1e9) for t in (i, i + 1, i + 2)) for i in range(0, 3000, 3)]))
    source = random.Random(1)
    make('noise.stl', stl([tuple(tuple(source.uniform(-1, 1) for _ in range(3)) for _ in range(3)) for _ in range(3000)]))
    make('random_bytes.stl', bytes(source.randrange(256) for _ in range(10000)))
    make('wrong_head.stl', stl(tetrahedron(), head=b'solid but binary'))
    ascii_stl = 'solid x\n' + ''.join('facet normal 0 0 0\nouter loop\n%sendloop\nendfacet\n' % ''.join('vertex %g %g %g\n' % p for p in t)
                                      for t in tetrahedron()) + 'endsolid x\n'
    for cut in (6, 8, 20, 50, 70, 90, 110, 130, len(ascii_stl) // 2, len(ascii_stl) - 12):
        make('ascii_cut_%d.stl' % cut, ascii_stl[:cut])
    make('ascii_nan.stl', ascii_stl.replace('vertex 1', 'vertex nan', 1))
    make('ascii_hex.stl', ascii_stl.replace('vertex 1', 'vertex 0x1', 1))
    make('ascii_digits.stl', ascii_stl.replace('vertex 1', 'vertex ' + '1' * 300000, 1))
    make('ascii_four.stl', ascii_stl.replace('endloop', 'vertex 1 1 1\nendloop', 1))
    make('ascii_name.stl', 'solid ' + 'x' * 900000 + ascii_stl[7:])
    make('ascii_lines.stl', ascii_stl.replace('\n', '\n' * 20000))
    make('ascii_blanks.stl', ascii_stl.replace(' ', ' ' * 10000))
    make('ascii_solids.stl', ascii_stl * 300)
    tetra = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
    for cut in (0, 1, 3, 9, 30, 34):
        make('cut_%d.obj' % cut, tetra[:cut])
    for name, line in (('zero', 'f 0 1 2'), ('beyond', 'f 1 2 5'), ('negative', 'f -1 -2 -9'), ('overflow', 'f 1 2 99999999999999999999'),
                       ('int_min', 'f -2147483648 1 2'), ('two', 'f 1 2'), ('word', 'f a b c'), ('slashes', 'f 1//// 2//// 3////'),
                       ('normal', 'f 1//9 2//9 3//9'), ('texture', 'f 1/9 2/9 3/9'), ('nan', 'v nan 0 0'), ('inf', 'v 0 inf 0'),
                       ('large', 'v 0 1e300 0'), ('short', 'v 1 2'), ('hex', 'v 0x10 0 0'), ('continued', 'f 1 2 \\\n 3'), ('library', 'mtllib /etc/passwd'),
                       ('library_up', 'mtllib ../outside.mtl'), ('library_zero', 'mtllib /dev/zero'), ('call', 'call other.obj'), ('shell', 'csh rm -rf x'),
                       ('curve', 'curv 0 1 1 2 3'), ('control', '\x01\x02\x03'), ('null', 'v 1 2 3\0'), ('long', 'v ' + '1' * 500000 + ' 0 0')):
        make('line_%s.obj' % name, tetra + line + '\n')
    make('corners.obj', tetra + 'f ' + '1 2 3 4 ' * 100000 + '\n')
    make('vertices.obj', lambda: ''.join('v %d %d %d\n' % (i % 97, i % 89, i % 83) for i in range(60000)) + tetra)
    make('faces.obj', tetra + 'f 1 2 3\n' * 100000)
    make('faces_large.obj', lambda: tetra + 'f 1 2 3\n' * 1100000, long=True)
    make('groups.obj', ''.join('g g%d\no o%d\nusemtl m%d\n' % (i, i, i) for i in range(30000)) + tetra)
    make('comments.obj', '#' * 900000 + '\n' + tetra)
    make('carriage.obj', tetra.replace('\n', '\r'))
    make('no_faces.obj', 'v 0 0 0\n' * 1000)
    make('no_vertices.obj', 'f 1 2 3\n')
    # pieces of meshes that are not convex
    for n in (10, 40):
        def comb(n=n):
            out = []
            for i in range(n):
                out += [tuple((x + 3 * i, y, z) for x, y, z in t) for t in tetrahedron()]
            return stl(out)
        make('comb_%d.stl' % n, comb, options=('--decompose', '0.001'))
    make('pieces_noise.stl', stl([tuple(tuple(source.uniform(-1, 1) for _ in range(3)) for _ in range(3)) for _ in range(300)]), options=('--decompose', '1e-6'))
    make('pieces_small_error.stl', t, options=('--decompose', '1e-300'))
    make('pieces_torus.stl', lambda: stl(torus(60, 30)), options=('--decompose', '1e-5'), long=True)
    make('pieces_spread.stl', stl(tetrahedron(1e-6) + [tuple((x + 1e6, y, z) for x, y, z in q) for q in tetrahedron()]), options=('--decompose', '1e-4'))


def torus(n, m):
    def point(i, j):
        a, b = 2 * math.pi * i / n, 2 * math.pi * j / m
        return ((1 + 0.4 * math.cos(b)) * math.cos(a), (1 + 0.4 * math.cos(b)) * math.sin(a), 0.4 * math.sin(b))
    out = []
    for i in range(n):
        for j in range(m):
            p, q, r, s = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            out += [(p, q, r), (p, r, s)]
    return out


# ---- pictures, height fields, distance grids

def png_chunk(kind, data, crc=None):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data) if crc is None else crc)


def png(width, height, depth=8, colour=0, data=None, interlace=0, extra=b'', compression=0, filtering=0):
    head = struct.pack('>IIBBBBB', width, height, depth, colour, compression, filtering, interlace)
    rows = zlib.compress(data if data is not None else b'\0' * ((width + 1) * height), 9)
    return b'\x89PNG\r\n\x1a\n' + png_chunk(b'IHDR', head) + extra + png_chunk(b'IDAT', rows) + png_chunk(b'IEND', b'')


def pictures():
    def make(name, data, **more):
        scene = 'hfield_%s.xml' % name
        add(scene, world('<geom type="hfield" hfield="h"/>', '<asset><hfield name="h" file="%s.png" size="1 1 1 1"/></asset>' % name),
            beside={name + '.png': data if callable(data) else (lambda: data)}, **more)
    good = png(8, 8)
    make('good', good)
    for cut in (0, 1, 7, 8, 12, 20, 32, 33, 40, len(good) - 12, len(good) - 1):
        make('cut_%d' % cut, good[:cut])
    for w, h in ((0, 8), (8, 0), (1, 1), (1, 8), (2**31 - 1, 1), (1, 2**31 - 1), (2**31 - 1, 2**31 - 1), (2**32 - 1, 2**32 - 1), (65536, 65536), (30000, 30000)):
        make('size_%dx%d' % (w, h), png(w, h, data=b'\0' * 100))
    make('bomb_5000', lambda: png(5000, 5000), long=True)
    make('bomb_20000_bits', lambda: png(20000, 20000, depth=1, data=b'\0' * (2501 * 20000)), long=True)
    make('bomb_4000_deep', lambda: png(4000, 4000, depth=16, data=b'\0' * (8001 * 4000)), long=True)
    for depth, colour in ((3, 0), (0, 0), (255, 0), (8, 1), (8, 5), (8, 255), (16, 3), (1, 2), (8, 3)):
        make('kind_%d_%d' % (depth, colour), png(8, 8, depth, colour))
    for name, more in (('interlace', dict(interlace=1)), ('interlace_9', dict(interlace=9)), ('compression', dict(compression=1)), ('filter', dict(filtering=7))):
        make(name, png(8, 8, **more))
    make('row_filter', png(8, 8, data=b'\x09' * 72))
    make('few_bytes', png(8, 8, data=b'\0' * 10))
    make('many_bytes', png(8, 8, data=b'\0' * 100000))
    make('crc', good[:-20] + b'\0\0\0\0' + good[-16:])
    make('text_bomb', png(8, 8, extra=png_chunk(b'zTXt', b'x\0\0' + zlib.compress(b'a' * 50000000, 9))))
    make('profile_bomb', png(8, 8, extra=png_chunk(b'iCCP', b'x\0\0' + zlib.compress(b'a' * 50000000, 9))))
    make('many_chunks', png(8, 8, extra=png_chunk(b'tEXt', b'a\0b') * 30000))
    make('long_chunk', png(8, 8)[:33] + struct.pack('>I', 2**31) + b'IDAT')
    make('two_heads', good[:33] + good[8:])
    make('no_head', good[:8] + good[33:])
    make('jpeg', b'\xff\xd8\xff\xe0' + b'\0' * 1000)
    make('random', bytes(random.Random(2).randrange(256) for _ in range(5000)))

    def heights(name, data, **more):
        add('heights_%s.xml' % name, world('<geom type="hfield" hfield="h"/>', '<asset><hfield name="h" file="h_%s.bin" size="1 1 1 1"/></asset>' % name),
            beside={'h_%s.bin' % name: data}, **more)
    heights('empty', b'')
    for rows, columns in ((0, 0), (1, 1), (2, 2), (-1, 5), (2**31 - 1, 2**31 - 1), (65536, 65536), (3, 3)):
        heights('%d_%d' % (rows, columns), struct.pack('<ii4f', rows, columns, 0, 1, 2, 3))
    for name, value in (('nan', math.nan), ('inf', math.inf), ('large', 3e38), ('small', 1e-45)):
        heights(name, struct.pack('<ii4f', 2, 2, 0, 1, 2, value))
    for size in ('0 1 1 1', '-1 1 1 1', '1e300 1 1 1', '1 1 0 0', '1 1 1e9 1e9', '1e-30 1 1 1'):
        add('heights_size_%s.xml' % size.replace(' ', '_'), world('<geom type="hfield" hfield="h"/>',
            '<asset><hfield name="h" nrow="4" ncol="4" elevation="%s" size="%s"/></asset>' % ('1 0 ' * 8, size)))
    add('heights_many_geoms.xml', world('<geom type="hfield" hfield="h"/>' * 3000, '<asset><hfield name="h" nrow="100" ncol="100" size="1 1 1 1"/></asset>'))
    add('heights_under_boxes.xml', world('<geom type="hfield" hfield="h"/>' + '<body pos="0 0 .4"><freejoint/><geom type="box" size="1 1 .1"/></body>' * 40,
                                         '<asset><hfield name="h" nrow="300" ncol="300" size="1 1 1 1"/></asset>'))

    def grid(name, data, **more):
        add('grid_%s.xml' % name, world('<body><freejoint/><geom type="sdf" mesh="m"/></body>',
            '<asset><mesh name="m"><plugin plugin="heft.grid"><config key="file" value="g_%s.grid"/></plugin></mesh></asset>' % name),
            beside={'g_%s.grid' % name: data}, **more)

    def grid_bytes(n=(4, 4, 4), origin=(-1.5, -1.5, -1.5), step=(1, 1, 1), version=1, samples=None):
        if samples is None:
            samples = [math.dist((x, y, z), (1.5, 1.5, 1.5)) - 1 for z in range(4) for y in range(4) for x in range(4)]
        return b'HEFTGRID' + struct.pack('<4i6d', version, *n, *origin, *step) + struct.pack('<%df' % len(samples), *samples)
    good = grid_bytes()
    grid('good', good)
    for cut in (0, 7, 8, 12, 24, 71, 72, 75, len(good) - 1):
        grid('cut_%d' % cut, good[:cut])
    for n in ((0, 4, 4), (-1, 4, 4), (2**31 - 1,) * 3, (65536, 65536, 4), (1, 8, 8), (4096, 4096, 4096)):
        grid('samples_%d_%d_%d' % n, grid_bytes(n))
    for name, value in (('nan', math.nan), ('inf', math.inf), ('zero', 0), ('negative', -1), ('large', 1e300), ('small', 1e-300)):
        grid('step_' + name, grid_bytes(step=(1, value, 1)))
        if name != 'zero':
            grid('origin_' + name, grid_bytes(origin=(0, value, 0)))
        if name != 'large':
            grid('sample_' + name, grid_bytes(samples=[min(value, 3e38) if value == value else value] * 64))
    grid('version', grid_bytes(version=7))
    for value in ('1e-9', '0', '-1', 'nan', '1e-3'):
        add('torus_spacing_%s.xml' % value, world('<body><freejoint/><geom type="sdf" mesh="m"/></body>',
            '<asset><mesh name="m"><plugin plugin="heft.torus"><config key="radius" value="1"/><config key="tube" value=".3"/>'
            '<config key="spacing" value="%s"/></plugin></mesh></asset>' % value))


# ---- URDF and SRDF

def link(name, more='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'):
    return '<link name="%s">%s</link>' % (name, more)


def joint(name, parent, child, kind='continuous', more=''):
    return '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/>%s</joint>' % (name, kind, parent, child, more)


def urdf():
    def make(name, content, *options, **more):
        add('urdf_%s.urdf' % name, content if callable(content) else '<robot name="r">\n%s\n</robot>\n' % content, 'check', '--quiet', *options, 'FILE', **more)
    two = link('a') + link('b')
    for n in (300, 1001, 5000, 20000):
        make('chain_%d' % n, ''.join(link('l%d' % i) for i in range(n)) + ''.join(joint('j%d' % i, 'l%d' % i, 'l%d' % (i + 1)) for i in range(n - 1)), long=n > 5000)
    for n in (1000, 4000):
        make('star_%d' % n, link('r') + ''.join(link('l%d' % i) + joint('j%d' % i, 'r', 'l%d' % i) for i in range(n)))
    make('fixed_chain', ''.join(link('l%d' % i) for i in range(4000)) + ''.join(joint('j%d' % i, 'l%d' % i, 'l%d' % (i + 1), 'fixed') for i in range(3999)))
    make('backwards', ''.join(link('l%d' % i) for i in range(3000)) + ''.join(joint('j%d' % i, 'l%d' % (i // 2), 'l%d' % i) for i in range(2999, 0, -1)))
    make('loop', two + joint('j', 'a', 'b') + joint('k', 'b', 'a'))
    make('loop_aside', link('r') + two + joint('j', 'a', 'b') + joint('k', 'b', 'a'))
    make('own_parent', link('a') + joint('j', 'a', 'a'))
    make('two_parents', link('a') + link('b') + link('c') + joint('j', 'a', 'c') + joint('k', 'b', 'c'))
    make('two_roots', two)
    make('no_link', '')
    make('same_links', link('a') * 3000)
    make('same_joints', two + joint('j', 'a', 'b') * 3000)
    make('mimic_loop', link('a') + link('b') + link('c') + joint('j', 'a', 'b', more='<mimic joint="k"/>') + joint('k', 'b', 'c', more='<mimic joint="j"/>'))
    n = 1000
    make('mimic_chain', ''.join(link('l%d' % i) for i in range(n + 1)) + ''.join(
        joint('j%d' % i, 'l%d' % i, 'l%d' % (i + 1), more='<mimic joint="j%d"/>' % (i - 1) if i else '') for i in range(n)))
    make('mimic_itself', two + joint('j', 'a', 'b', more='<mimic joint="j"/>'))
    for value in ('nan', 'inf', '1e400', 'x', '', '1 2', '-1', '9' * 50000):
        short = value[:5] or 'none'
        make('mass_' + short, link('a', '<inertial><mass value="%s"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' % value))
        make('inertia_' + short, link('a', '<inertial><mass value="1"/><inertia ixx="%s" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' % value))
        make('radius_' + short, link('a', '<collision><geometry><sphere radius="%s"/></geometry></collision>' % value))
        make('effort_' + short, two + joint('j', 'a', 'b', 'revolute', '<limit lower="0" upper="1" effort="%s" velocity="1"/>' % value))
        make('origin_' + short, two + joint('j', 'a', 'b', more='<origin xyz="0 0 %s"/>' % value))
    for place in ('../outside.stl', '/etc/passwd', 'package://x/../../y.stl', 'package://../etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1/x.stl',
                  'model://x/y.stl', 'package://', '', 'x' * 5000, 'missing.stl', 'pipe.stl', 'link_zero.stl', 'empty.stl', 'x.dae', 'x.glb'):
        make('mesh_' + ''.join(c if c.isalnum() else '_' for c in place)[:30], link('a', '<collision><geometry><mesh filename="%s"/></geometry></collision>' % place))
    make('mesh_many', ''.join(link('l%d' % i, '<collision><geometry><mesh filename="t.stl"/></geometry></collision>') for i in range(2000)) +
         ''.join(joint('j%d' % i, 'l0', 'l%d' % i, 'fixed') for i in range(1, 2000)), beside={'t.stl': stl(tetrahedron())})
    make('mesh_scale_nan', link('a', '<collision><geometry><mesh filename="t.stl" scale="nan 1 1"/></geometry></collision>'), beside={'t.stl': stl(tetrahedron())})
    make('mesh_scale_zero', link('a', '<collision><geometry><mesh filename="t.stl" scale="0 1 1"/></geometry></collision>'), beside={'t.stl': stl(tetrahedron())})
    make('visuals', link('a', '<visual><geometry><box size="1 1 1"/></geometry></visual>' * 10000))
    make('collisions', link('a', '<collision><geometry><box size="1 1 1"/></geometry></collision>' * 10000))
    make('transmissions', two + joint('j', 'a', 'b') + '<transmission name="t"><joint name="j"/><actuator name="m"/></transmission>' * 10000)
    make('overlapping', link('r') + ''.join(link('l%d' % i, '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
         '<collision><geometry><box size="1 1 1"/></geometry></collision>') + joint('j%d' % i, 'r', 'l%d' % i) for i in range(900)))
    make('overlaps_excluded', link('r') + ''.join(link('l%d' % i, '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
         '<collision><geometry><box size="1 1 1"/></geometry></collision>') + joint('j%d' % i, 'r', 'l%d' % i) for i in range(900)), '--exclude', 'overlaps')
    make('nameless', link('heft_nameless_0') + link('heft_nameless_1') + joint('heft_nameless_2', 'heft_nameless_0', 'heft_nameless_1'))
    robot = ('<robot name="r">' + ''.join(link('l%d' % i) for i in range(300)) + ''.join(joint('j%d' % i, 'l0', 'l%d' % i) for i in range(1, 300)) + '</robot>').encode()

    def srdf(name, content, **more):
        add('srdf_%s.srdf' % name, content, 'check', '--quiet', '--srdf', 'FILE', 'srdf_robot_%s.urdf' % name, beside={'srdf_robot_%s.urdf' % name: robot}, **more)
    srdf('empty', '')
    srdf('not_srdf', '<mujoco/>')
    srdf('pairs', '<robot name="r">%s</robot>' % ('<disable_collisions link1="l1" link2="l2" reason="x"/>' * 15000))
    srdf('all_pairs', lambda: '<robot name="r">%s</robot>' % ''.join('<disable_collisions link1="l%d" link2="l%d"/>' % (i, k) for i in range(300) for k in range(i)), long=True)
    srdf('unknown_link', '<robot name="r"><disable_collisions link1="x" link2="l2"/></robot>')
    srdf('states', '<robot name="r"><group name="g"><joint name="j1"/></group>%s</robot>' %
         ''.join('<group_state name="s%d" group="g"><joint name="j1" value="1"/></group_state>' % i for i in range(8000)))
    srdf('state_nan', '<robot name="r"><group name="g"><joint name="j1"/></group><group_state name="s" group="g"><joint name="j1" value="nan"/></group_state></robot>')
    srdf('state_unknown', '<robot name="r"><group_state name="s" group="g"><joint name="nothing" value="1"/></group_state></robot>')
    srdf('groups_in_groups', '<robot name="r"><group name="a"><group name="b"/></group><group name="b"><group name="a"/></group></robot>')
    srdf('deep', '<robot>' + '<group>' * 5000)


# ---- compiled models

def checksum(data, seed):
    """heft_hash() of src/base/hash.h."""
    mask, a, b = 2**64 - 1, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

    def finish(x):
        x = (x ^ x >> 30) * a & mask
        x = (x ^ x >> 27) * b & mask
        return x ^ x >> 31
    state = finish(seed ^ 0x9E3779B97F4A7C15 * (len(data) + 1) & mask)
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at:at + 8], 'little')
        state = (state ^ word) * (a if at + 8 <= len(data) else b) & mask
        state ^= state >> 32
    return finish(state)


def compiled(model):
    source = random.Random(3)

    def make(name, data):
        add('compiled_%s.heft' % name, data)
    make('whole', model)
    for i, cut in enumerate((0, 1, 4, 8, 12, 16, 24, 32, 64, 100, 128, 200, 500, 1000, len(model) // 2, len(model) - 8, len(model) - 1)):
        make('cut_%02d' % i, model[:cut])
    make('longer', model + b'\0' * 64)
    for i in range(24):
        at = source.randrange(len(model))
        make('flip_%02d' % i, model[:at] + bytes([model[at] ^ 1 << source.randrange(8)]) + model[at + 1:])
    for i in range(12):
        at = 8 + 4 * i
        make('count_%02d' % i, model[:at] + b'\xff\xff\xff\x7f' + model[at + 4:])
    for i in range(40):
        at = source.randrange(32, len(model))
        body = model[32:at] + bytes([model[at] ^ 1 << source.randrange(8)]) + model[at + 1:]
        make('repaired_%02d' % i, model[:24] + struct.pack('<Q', checksum(body, struct.unpack_from('<I', model, 8)[0])) + body)
    make('zeros', b'\0' * 100000)
    make('head_only', model[:64] + b'\xff' * 100000)


# ---- MCAP: recordings and logs

def record(op, data, length=None):
    return bytes([op]) + struct.pack('<Q', len(data) if length is None else length) + data


def mcaps(recording, log):
    source = random.Random(4)
    magic = b'\x89MCAP0\r\n'
    kinds = (('session', recording, ['replay', 'FILE']), ('log', log, ['identify', '--fit', 'friction', 'FILE']))
    for kind, whole, command in kinds:
        def make(name, data, **more):
            add('%s_%s.mcap' % (kind, name), data, *command, **more)
        for i, cut in enumerate((0, 1, 7, 8, 9, 17, 30, 60, 100, 300, 1000, len(whole) // 4, len(whole) // 2, len(whole) - 300, len(whole) - 30, len(whole) - 8, len(whole) - 1)):
            make('cut_%02d' % i, whole[:max(cut, 0)])
        for i in range(16):
            at = source.randrange(8, len(whole))
            make('flip_%02d' % i, whole[:at] + bytes([whole[at] ^ 1 << source.randrange(8)]) + whole[at + 1:])
        head = record(1, struct.pack('<I', 0) + struct.pack('<I', 0))
        for i, length in enumerate((2**63, 2**64 - 1, 2**64 - 8, 2**32, 2**31 - 1, 10**6)):
            make('length_%d' % i, magic + head + record(6, b'\0' * 40, length))
            make('attachment_%d' % i, magic + head + record(9, b'\0' * 40, length))
        make('records', magic + head + record(12, b'\0' * 8) * 50000)
        make('unknown_records', magic + head + record(0x80, b'') * 100000)
        make('zero_records', magic + b'\0' * 900000)
        make('channels', magic + head + b''.join(record(4, struct.pack('<HHI', i % 65536, 0, 6) + b'/topic' + struct.pack('<II', 4, 0) + b'json' * 0) for i in range(30000)))
        for size in (10**6, 2**28, 2**31, 2**40, 2**63):
            chunk = struct.pack('<QQQII', 0, 0, size, 0, 4) + b'zstd' + struct.pack('<Q', 8) + b'\x28\xb5\x2f\xfd\0\0\0\0'
            make('chunk_says_%d' % size, magic + head + record(6, chunk))
            chunk = struct.pack('<QQQII', 0, 0, size, 0, 0) + struct.pack('<Q', 8) + b'\0' * 8
            make('plain_chunk_says_%d' % size, magic + head + record(6, chunk))
        for size, long in ((10**7, False), (3 * 10**7, True), (2 * 10**8, True)):
            make('zstd_bomb_%d' % size, lambda size=size: magic + head + record(6, struct.pack('<QQQII', 0, 0, size, 0, 4) + b'zstd' +
                 (lambda z: struct.pack('<Q', len(z)) + z)(zstd_zeros(size))), long=long)
        make('many_bombs', lambda: magic + head + record(6, struct.pack('<QQQII', 0, 0, 10**7, 0, 4) + b'zstd' +
             (lambda z: struct.pack('<Q', len(z)) + z)(zstd_zeros(10**7))) * 300, long=True)
        chunk = struct.pack('<QQQII', 0, 0, 100, 0, 3) + b'lz4' + struct.pack('<Q', 8) + b'\0' * 8
        make('lz4', magic + head + record(6, chunk))
        make('gzip', b'\x1f\x8b' + b'\0' * 100)
        make('random', magic + bytes(source.randrange(256) for _ in range(20000)))
        make('long_topic', magic + head + record(4, struct.pack('<HHI', 1, 0, 2**31)))
        make('text_attachment', magic + head + record(9, struct.pack('<QQI', 0, 0, 5) + b'model' + struct.pack('<I', 0) + struct.pack('<Q', 2**62)))


def zstd_zeros(size):
    """A Zstandard frame of zeros: blocks of one repeated byte, 128 KiB each."""
    out = b'\x28\xb5\x2f\xfd' + bytes([0xA0 | 0]) + struct.pack('<I', size if size < 2**32 else 0)
    while size > 0:
        part = min(size, 128 * 1024)
        size -= part
        out += struct.pack('<I', (part << 3) | (1 << 1) | (size == 0))[:3] + b'\0'
    return out


# ---- contact problems

def problems():
    def make(name, content, **more):
        add('problem_%s.dat' % name, content, 'solve', '--effort', '1', 'FILE', **more)

    def local(n=1, w=None, q=None, mu=None, storage='0', dimension=3):
        rows = dimension * n
        w = w or '\n'.join(' '.join('1' if i == k else '0' for i in range(rows)) for k in range(rows))
        return '%d\n%d\n%s\n%d\n%d\n%d %d\n%s\n%s\n%s\n' % (dimension, n, storage, rows, rows, rows, rows, w,
                                                         q or ' '.join(['-1', '0', '0'][:dimension] * n), mu or ' '.join(['0.5'] * n))
    good = local(2)
    make('good', good)
    for cut in range(0, len(good), max(1, len(good) // 12)):
        make('cut_%d' % cut, good[:cut])
    for value in ('nan', 'inf', '-inf', '1e400', '1e308', 'x', '0x10', '1e', '--1', '9' * 100000, '-'):
        make('w_%s' % value[:6], good.replace('1 0 0', value + ' 0 0', 1))
        make('q_%s' % value[:6], local(1, q=value + ' 0 0'))
        make('mu_%s' % value[:6], local(1, mu=value))
    for n in (-1, 0, 10**6, 10**6 + 1, 2**31 - 1, 2**31, 10**18, 10**30):
        make('contacts_%d' % n, '3\n%d\n0\n%d %d\n%d %d\n1 2 3\n' % (n, 3 * n, 3 * n, 3 * n, 3 * n))
    for d in (-3, 0, 1, 4, 6, 2**31):
        make('dimension_%d' % d, good.replace('3\n', '%d\n' % d, 1))
    for s in (-1, 3, 9, 2**31):
        make('storage_%d' % s, local(1, storage=str(s)))
    make('rows_differ', good.replace('6 6', '7 6', 1))
    make('asymmetric', local(1, w='1 5 0\n0 1 0\n0 0 1'))
    make('negative_w', local(1, w='-1 0 0\n0 -1 0\n0 0 -1'))
    make('zero_w', local(1, w='0 0 0\n0 0 0\n0 0 0'))
    make('huge_scale', local(1, w='1e300 0 0\n0 1e-300 0\n0 0 1'))
    make('infinite_friction', local(1, mu='1e300'))
    make('negative_friction', local(1, mu='-1'))
    make('sparse_indices', '3\n1\n2\n3\n3\n0\ntriplet:\n0 0 : 1\n5 5 : 1\n-1 0 : 1\n')
    make('sparse_many', lambda: '3\n300\n2\n900\n900\n0\ntriplet:\n' + '0 0 : 1\n' * 100000 + '-1 0 0 ' * 300 + '0.5 ' * 300)
    make('blocks_overflow', '3\n1\n1\n3\n3\n2147483647\n1\n1\n3\n3\n2147483647 2147483647\n')
    make('long_line', ' ' * 900000 + good)
    make('comment', '# ' + 'x' * 900000 + '\n' + good)
    make('dense_large', lambda: local(700, w='1 ' * 2100**2), long=True)
    make('sparse_large', lambda: '3\n100000\n2\n300000\n300000\n0\ntriplet:\n' + ''.join('%d %d : 1\n' % (i, i) for i in range(300000)) +
         '-1 0 0 ' * 100000 + '\n' + '1 ' * 100000, long=True)
    for n, long in ((100, False), (500, False), (1333, True)):
        def dense_global(n=n):
            """M v = H r + f, M of 3n rows that all depend on each other: a matrix that is cheap to write and dear to factor."""
            rows = 3 * n
            m = ['%d %d : 4' % (i, i) for i in range(rows)] + ['%d %d : 1' % (i, i + 1) for i in range(rows - 1)] + ['%d %d : 1' % (i + 1, i) for i in range(rows - 1)]
            h = ['%d %d : 1' % (i, i) for i in range(rows)]
            text = '3\n%d\n2\n%d\n%d\n0\ntriplet:\n%s\n' % (n, rows, rows, '\n'.join(m))
            text += '2\n%d\n%d\n0\ntriplet:\n%s\n' % (rows, rows, '\n'.join(h))
            return text + '0 ' * rows + '\n' + '-1 0 0 ' * n + '\n' + '0.5 ' * n + '\n'
        make('global_%d' % n, dense_global, long=long)
    add('problem_hdf5_random.hdf5', b'\x89HDF\r\n\x1a\n' + bytes(random.Random(5).randrange(256) for _ in range(5000)), 'solve', '--effort', '1', 'FILE')
    add('problem_hdf5_empty.hdf5', b'', 'solve', '--effort', '1', 'FILE')
    add('problem_hdf5_head.hdf5', b'\x89HDF\r\n\x1a\n' + b'\0' * 100000, 'solve', '--effort', '1', 'FILE')


# ---- plans of sweeps, tables

def plans():
    start = 'model = "m.xml"\nduration = 0.1\nruns = 10\n'
    vary = '[[vary]]\nname = "f"\nwhat = "friction"\nof = "g"\nmin = 0.1\nmax = 1\n'
    measure = '[[measure]]\nname = "z"\nwhat = "body_z"\nof = "b"\n'
    model = world('<body name="b"><freejoint/><geom name="g" size="0.1"/></body>').encode()

    def make(name, content, **more):
        add('plan_%s.toml' % name, content, 'sweep', 'check', 'FILE', beside=dict({'m.xml': model}, **more.pop('beside', {})), **more)
    make('good', start + vary + measure)
    good = start + vary + measure
    for cut in (0, 3, 9, 20, 40, 60, 80, 100, 130):
        make('cut_%d' % cut, good[:cut])
    for value in ('0', '-1', '9223372036854775807', '9223372036854775808', '1e18', 'nan', 'inf', '"10"', '[10]', '1_', '0x', 'true', '1979-01-01', ''):
        make('runs_%s' % (value.replace('"', 'q') or 'none'), good.replace('runs = 10', 'runs = ' + value))
        make('duration_%s' % (value.replace('"', 'q') or 'none'), good.replace('duration = 0.1', 'duration = ' + value))
        make('min_%s' % (value.replace('"', 'q') or 'none'), good.replace('min = 0.1', 'min = ' + value))
    make('chunk_huge', 'chunk = 9000000000\n' + good)
    make('step_tiny', 'time_step = 1e-300\n' + good)
    make('deep_list', 'list = ' + '[' * 100000)
    make('deep_table', 'a = ' + '{a=' * 100000)
    make('deep_key', '.'.join('a' * 50000) + ' = 1\n')
    make('long_list', start + vary.replace('min = 0.1\nmax = 1', 'values = [%s]' % ('1,' * 300000)))
    make('long_string', 'model = "%s"\n' % ('x' * 900000))
    make('long_key', 'x' * 900000 + ' = 1\n')
    make('many_keys', ''.join('k%d = 1\n' % i for i in range(60000)))
    make('many_tables', start + vary * 10000)
    make('many_measures', start + vary + ''.join(measure.replace('"z"', '"z%d"' % i) for i in range(10000)))
    make('twice', 'model = "m.xml"\n' * 2)
    make('unknown_key', 'modell = "m.xml"\n' + good)
    make('unknown_quantity', good.replace('"friction"', '"frikction"'))
    make('unknown_body', good.replace('of = "b"', 'of = "nobody"'))
    make('open_string', 'model = "m.xml\n')
    make('open_block', 'model = """m.xml\n' + 'x\n' * 100000)
    make('escape', 'model = "\\q"\n')
    make('surrogate', 'model = "\\ud800"\n')
    make('null', 'model = "a\0b"\n')
    make('bad_utf8', b'model = "\xff\xfe"\n')
    make('carriage', 'model = "m.xml"\r# x\r')
    make('model_up', good.replace('m.xml', '../outside.xml'))
    make('model_device', good.replace('m.xml', '/dev/zero'))
    make('model_itself', good.replace('m.xml', 'plan_model_itself.toml'))
    make('model_missing', good.replace('m.xml', 'missing.xml'))
    make('model_pipe', good.replace('m.xml', 'pipe.xml'))
    make('list_missing', 'list = "missing.csv"\n' + good)
    make('list_device', 'list = "/dev/zero"\n' + good)
    make('plugin', good + '[control]\nplugin = "/etc/passwd"\n')
    make('python', good + '[control]\npython = "/etc/passwd"\n')
    table = start.replace('runs = 10\n', '') + 'list = "l.csv"\n' + '[[vary]]\nname = "f"\nwhat = "friction"\nof = "g"\ncolumn = "f"\n' + measure

    def make_list(name, content):
        make('list_' + name, table, beside={'l.csv': content})
    make_list('good', b'f\n1\n0.5\n')
    for name, content in (('empty', b''), ('no_rows', b'f\n'), ('ragged', b'f,g\n1\n'), ('nan', b'f\nnan\n'), ('inf', b'f\ninf\n'), ('word', b'f\nx\n'), ('no_column', b'g\n1\n'),
                          ('columns', b','.join(b'c%d' % i for i in range(50000)) + b'\n'), ('quotes', b'"f\n1\n'), ('null', b'f\n1\0\n'), ('long', b'f\n' + b'1' * 500000 + b'\n'),
                          ('rows', b'f\n' + b'1\n' * 400000), ('commas', b'f\n' + b',' * 500000 + b'\n')):
        make_list(name, content)


def tables():
    model = world('<body name="b"><joint name="j"/><geom name="g" size="0.1"/></body>').encode()
    for kind, command, head, row in (('motion', ['judge', 'm.xml', 'FILE'], 'time,j', '%g,0'), ('pulls', ['identify', '--pulls', 'a,b', 'FILE'], 'a,b', '%g,1')):
        def make(name, content, **more):
            add('%s_%s.csv' % (kind, name), content, *command, beside={'m.xml': model}, **more)
        rows = '\n'.join(row % (1 + i / 100) for i in range(20)) + '\n'
        make('good', head + '\n' + rows)
        make('empty', '')
        make('head', head)
        make('no_rows', head + '\n')
        make('one_row', head + '\n' + row % 0 + '\n')
        for value in ('nan', 'inf', '1e400', '1e300', 'x', '', '1 2', '0x1', '9' * 100000):
            make('value_%s' % (value[:5] or 'none'), head + '\n' + rows + '%s,1\n' % value)
        make('ragged', head + '\n' + rows + '1\n')
        make('wide', head + '\n' + rows + '1,' * 100000 + '\n')
        make('columns', ','.join('c%d' % i for i in range(50000)) + '\n')
        make('same_columns', head + ',' + head + '\n' + '1,1,1,1\n')
        make('long_name', 'x' * 500000 + '\n1\n')
        make('other_names', 'p,q\n1,2\n')
        make('backwards', head + '\n' + '\n'.join(row % -i for i in range(20)) + '\n')
        make('same_times', head + '\n' + (row % 1 + '\n') * 100)
        make('rows', head + '\n' + '\n'.join(row % (1 + i / 1000) for i in range(60000)) + '\n')
        make('rows_large', lambda head=head, row=row: head + '\n' + '\n'.join(row % (1 + i / 1000) for i in range(900000)) + '\n', long=True)
        make('null', head + '\n\0\0\0,\0\n')
        make('binary', bytes(random.Random(6).randrange(256) for _ in range(5000)))
        make('blank_lines', head + '\n' * 500000)
        make('utf16', (head + '\n' + rows).encode('utf-16'))


# ---- other files of the command

def others():
    for name, content in (('text', 'hello'), ('empty', ''), ('elf_head', b'\x7fELF' + b'\0' * 1000), ('elf_cut', b'\x7fELF\x02\x01\x01'), ('script', '#!/bin/sh\ntouch owned\n')):
        add('plugin_%s.so' % name, content, 'run', 'm.xml', '--time', '0.01', '--plugin', './plugin_%s.so' % name, beside={'m.xml': world(ball).encode()})
    for name, content in (('empty', ''), ('short', 'ab'), ('long', '0' * 100000), ('letters', 'g' * 64), ('two_lines', '0' * 32 + '\n' + '0' * 32), ('binary', bytes(range(256)))):
        add('key_%s.key' % name, content, 'feel', 'm.xml', '--time', '0.01', '--device', 'udp:127.0.0.1:0,key-file=key_%s.key' % name, beside={'m.xml': world(ball).encode()})
    for name, content in (('empty', ''), ('short', 'abc'), ('long', 'a' * 100000), ('blank', 'aaaaaaaaaaaa aaaaaaaa'), ('null', 'aaaaaaaaaaaaaaaaaaa\0aaaaa'), ('control', 'aaaaaaaaaaaaaaaaaaaa\x01')):
        add('token_%s.txt' % name, content, 'serve', 'm.xml', '--listen', '127.0.0.1:0', '--seconds', '0.01', '--token-file', 'FILE', beside={'m.xml': world(ball).encode()})
    for name, content in (('empty', ''), ('text', 'x'), ('keys', 'a = 1\n' * 100), ('chunks', 'chunks = 1000000000\n'), ('long', 'x = "' + 'y' * 100000 + '"\n')):
        add('results_%s.txt' % name, content, 'sweep', 'hash', 'results_%s' % name, beside={'results_%s/manifest.toml' % name: content})
    for name, content in (('cut', '{"asset":'), ('deep', '[' * 100000), ('gltf_counts', '{"asset":{"version":"2.0"},"accessors":[{"count":4000000000,"componentType":5126,"type":"VEC3"}]}')):
        add('convert_%s.gltf' % name, content, 'convert', 'FILE', 'convert_%s.stl' % name)
    add('convert_laughs.dae', '<!DOCTYPE x [<!ENTITY a "%s">]><COLLADA>%s</COLLADA>' % ('a' * 1000, '&a;' * 1000), 'convert', 'FILE', 'convert_laughs.stl')
    add('convert_cut.glb', b'glTF' + struct.pack('<III', 2, 2**31, 2**31), 'convert', 'FILE', 'convert_cut.stl')
    add('convert_deep.dae', '<COLLADA>' + '<a>' * 100000, 'convert', 'FILE', 'convert_deep.stl')


# ---- running them

def lay_traps(folder):
    """What stands beside the files: links that lead out of the folder, to themselves and to endless files, and pipes."""
    for end in ('.xml', '.stl', '.png'):
        os.symlink('../outside' + end, os.path.join(folder, 'link_outside' + end))
        os.symlink('link_loop' + end, os.path.join(folder, 'link_loop' + end))
        os.symlink('/dev/zero', os.path.join(folder, 'link_zero' + end))
        os.mkfifo(os.path.join(folder, 'pipe' + end))
        for place in (os.path.join(folder, '..', 'outside' + end), os.path.join(folder, 'empty' + end)):
            with open(place, 'w', encoding='ascii'):
                pass


def write(folder, name, content):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    content = content() if callable(content) else content
    with open(path, 'wb') as file:
        file.write(content.encode() if isinstance(content, str) else content)
    os.chmod(path, 0o600)  # of keys
    return len(content)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def run(heft, folder, words):
    """Code, output, processor seconds, bytes of the largest resident set."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([heft, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limits,
                                   env=dict(os.environ, HOME=folder, LC_ALL='C', XDG_CACHE_HOME=os.path.join(folder, 'cache')))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read(200000).decode('utf-8', 'replace')
    return process.returncode, text, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def message(text, words):
    """The first line with an error, or the status of a contact problem that was read."""
    lines = [line for line in text.split('\n') if 'error: ' in line]
    if not lines and words[0] == 'solve' and words[-1] in text:
        lines = [words[-1] + ': ' + ' '.join(text.split(words[-1])[1].split()[1:3])]
    return lines[0][:300] if lines else ''


# Files that are pieces of a compiled model or of a recording: which message they get depends on the format's version.
any_message = ('compiled_repaired_', 'compiled_flip_', 'compiled_cut_', 'session_flip_', 'session_cut_', 'log_flip_', 'log_cut_')


def expectation(name, code, said):
    """What crafted.txt has: without the figures of the budget and the place where it ended, and without sizes of formats, which
    differ from version to version."""
    if name.startswith(any_message):
        return '*'
    said = re.sub(r'(:\d+:\d+)?: error: the model (takes|needs) more than .*', ': error: the model takes or needs more than', said)
    if name.startswith('compiled_'):
        said = re.sub(r'\d+', 'N', said)
    return '%d\t%s' % (code, said)


def make_samples(heft, scenes, folder):
    """A compiled model, a recording and a log, to be damaged."""
    scene = os.path.join(scenes, 'slide.xml')
    for words in (['convert', scene, 'sample.heft'], ['run', scene, '--time', '0.05', '--quiet', '--record', 'sample.mcap', '--log', 'log.mcap']):
        subprocess.run([heft, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [open(os.path.join(folder, name), 'rb').read() for name in ('sample.heft', 'sample.mcap', 'log.mcap')]


def collect(samples):
    xml()
    mjcf_numbers()
    mjcf_counts()
    mjcf_references()
    meshes()
    pictures()
    urdf()
    compiled(samples[0])
    mcaps(samples[1], samples[2])
    problems()
    plans()
    tables()
    others()


def main():
    arguments = sys.argv[1:]
    full, rewrite = '--full' in arguments, '--write' in arguments
    keep = arguments[arguments.index('--keep') + 1] if '--keep' in arguments else None
    words = [a for a in arguments if not a.startswith('--') and a != keep]
    heft, scenes, names = os.path.abspath(words[0]), os.path.abspath(words[1]), words[2:]
    place = keep or tempfile.mkdtemp()
    folder = os.path.join(place, 'files')
    os.makedirs(folder)
    expected = {}
    if os.path.exists(os.path.join(here, 'crafted.txt')):
        with open(os.path.join(here, 'crafted.txt'), encoding='utf-8') as file:
            expected = dict(line.rstrip('\n').split('\t', 1) for line in file if not line.startswith('#'))
    bad, refused, found, slowest, largest = 0, 0, {}, (0, ''), (0, '')
    try:
        collect(make_samples(heft, scenes, folder))
        lay_traps(folder)
        programs = [p for p in ('heft-mesh-convert', 'heft-fclib-convert') if not os.path.exists(os.path.join(os.path.dirname(heft), p))]
        for program in programs:
            print('skipped: files for %s, which was not built' % program)
        absent = tuple({'heft-mesh-convert': 'convert_', 'heft-fclib-convert': 'problem_hdf5_'}[p] for p in programs)
        chosen = [f for f in files.values() if (full or rewrite or names or not f.long and zlib.crc32(f.name.encode()) % 20 < 9) and
                  (not names or f.name.startswith(tuple(names))) and not (absent and f.name.startswith(absent))]
        if not names and len(chosen) < 500:
            bad += 1
            print('FAILED: only %d files were chosen' % len(chosen))
        begin = time.monotonic()
        for file in chosen:
            sizes = [write(folder, file.name, file.content)] + [write(folder, name, content) for name, content in file.beside.items()]
            code, text, seconds, size = run(heft, folder, file.command)
            for _ in range(2 if full else 0):
                if seconds > SECONDS:
                    seconds = min(seconds, run(heft, folder, file.command)[2])
            said = message(text, file.command).replace(folder, '.')
            found[file.name] = expectation(file.name, code, said)
            refused += code != 0
            slowest, largest = max(slowest, (seconds, file.name)), max(largest, (size, file.name))
            wrong = []
            if sum(sizes) > LARGEST:
                wrong.append('the file has %d bytes' % sum(sizes))
            if seconds > (SECONDS if full else LOOSE_SECONDS):
                wrong.append('it takes %.2f s' % seconds)
            if size > BYTES:
                wrong.append('it takes %.0f MB' % (size / 1e6))
            if code not in (0, 1, 2):
                wrong.append('the program ends with %d: %s' % (code, text[-300:]))
            if code != 0 and not said:
                wrong.append('there is no message: ' + text[-300:])
            if not rewrite and expected.get(file.name) != found[file.name]:
                wrong.append('it says\n    %s\n  expected\n    %s' % (found[file.name], expected.get(file.name)))
            if not said.isprintable():
                wrong.append('the message has characters that are not shown: %r' % said)
            if code == 1 and not re.search(r'[\w.\]-]\.(xml|urdf|srdf|heft|mcap|dat|hdf5|toml|csv|so|key|txt|stl|obj|png|gltf|glb|dae)\b|/', said):
                wrong.append('the message does not name the file: ' + said)
            if wrong:
                bad += 1
                print('FAILED: %s: %s' % (file.name, '; '.join(wrong)))
            if not keep:
                for name in [file.name, *file.beside]:
                    if os.path.lexists(os.path.join(folder, name)):
                        os.remove(os.path.join(folder, name))
        print('%d of %d files in %.0f s: %d refused, %d loaded; at most %.2f s of a processor (%s) and %.0f MB (%s)' %
              (len(found), len(files), time.monotonic() - begin, refused, len(found) - refused, slowest[0], slowest[1], largest[0] / 1e6, largest[1]))
        if rewrite:
            expected.update(found)
            with open(os.path.join(here, 'crafted.txt'), 'w', encoding='utf-8') as file:
                file.write('# Written by crafted.py --write: a file of crafted.py, the code of the command, its message.\n')
                file.writelines('%s\t%s\n' % (name, expected[name]) for name in sorted(files) if name in expected)
    finally:
        if not keep:
            shutil.rmtree(place)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
