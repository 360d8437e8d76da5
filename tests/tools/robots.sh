#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A URDF as it comes: on a floor, held by servos, with its overlaps named; meshes that are missing or of another format.
# usage: robots.sh <heft> <folder of scenes>
set -u
heft=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export XDG_CACHE_HOME="$work/cache"
bad=0
complain() { echo "NOT ok: $*"; bad=1; }
# says <part of its output> <arguments>: ends well, and says so.
says() {
  text=$1
  shift
  "$heft" "$@" >"$work/out" 2>&1 || { complain "heft $* fails"; cat "$work/out"; }
  grep -qF -- "$text" "$work/out" || { complain "heft $* does not say '$text'"; cat "$work/out"; }
}
# refused <part of the message> <arguments>
refused() {
  text=$1
  shift
  if "$heft" "$@" >"$work/out" 2>&1; then complain "heft $*: taken"; fi
  grep -qF -- "$text" "$work/out" || { complain "heft $* does not say '$text'"; cat "$work/out"; }
}
# stays <column of the log, from 1> <value> <tolerance>: in all rows of the log
stays() {
  awk -F, -v c="$1" -v x="$2" -v t="$3" 'NR > 1 && ($c - x > t || x - $c > t) { print "row " NR ": " $c; bad = 1 } END { exit bad || NR < 3 }' \
    "$work/log.csv" || complain "column $1 leaves $2"
}

cd "$work" || exit 1
# An arm that is fixed to the world: its base reaches 0.5 m below its origin, and the forearm lies in the upper arm.
cat >arm.urdf <<'XML'
<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="gone.stl"/></geometry></visual>
    <collision><origin xyz="0 0 -0.25"/><geometry><box size="0.4 0.4 0.5"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0.4 0 0"/><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.4 0 0"/><geometry><box size="0.6 0.1 0.1"/></geometry></collision></link>
  <link name="elbow"><inertial><mass value="0.1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="fore"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.15 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.3"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="100" velocity="1"/></joint>
  <joint name="twist" type="revolute"><origin xyz="0.7 0 0"/><parent link="upper"/><child link="elbow"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="1"/></joint>
  <joint name="bend" type="revolute"><parent link="elbow"/><child link="fore"/><axis xyz="0 1 0"/>
    <limit lower="0.2" upper="2" effort="20" velocity="1"/></joint>
</robot>
XML
cat >arm.srdf <<'XML'
<robot name="arm">
  <group_state name="up" group="arm"><joint name="shoulder" value="-0.9"/></group_state>
  <disable_collisions link1="upper" link2="fore" reason="Default"/>
</robot>
XML

# ---- floor, height, servos
says "is drawn by its collision shapes" run arm.urdf --floor --servo --exclude overlaps --time 1 --log log.csv
says "'upper' and 'fore' overlap at the start and do not collide" check arm.urdf --servo --exclude overlaps
[ "$(head -n 1 log.csv | cut -d, -f2-4)" = q0,q1,q2 ] || complain "other columns in the log"
stays 2 0 0.01
stays 4 0.2 0.01
says "keyframes           2" info arm.urdf --floor --servo --srdf arm.srdf
says "actuators           3" info arm.urdf --servo 100,5
says "all 10 steps solved" run arm.urdf --servo=100,5 --height=0.5 --srdf arm.srdf --key up --time 0.01

sed 's/"upper"/"thigh"/g; s/"fore"/"shin"/g' arm.urdf >leg.urdf  # pairs of one file do not count for the next
says "2 of 2 files ok" check --exclude overlaps arm.urdf leg.urdf
refused "expected KP,KD" run arm.urdf --servo 100,x
refused "expected a height" run arm.urdf --height high
refused "no link named 'fro'; did you mean 'fore'?" run arm.urdf --exclude upper,fro
refused "no keyframe named 'pu'" run arm.urdf --servo --srdf arm.srdf --key pu

# ---- overlaps
says "'upper' and 'fore' by" run arm.urdf --time 0.01
says '<disable_collisions link1="upper" link2="fore" reason="Default"/>' run arm.urdf --time 0.01
"$heft" run arm.urdf --time 0.01 --srdf arm.srdf 2>&1 | grep -q overlap && complain "the pair of the SRDF is reported"
cat >two.xml <<'XML'
<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>
XML
says '<exclude body1="a" body2="b"/>' check two.xml
cat >pile.xml <<'XML'
<mujoco><worldbody><replicate count="100"><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>
XML
says '4000 pairs of bodies overlap at the start' check pile.xml
says '950 more pairs of shapes lie close together at the start and were not compared' check pile.xml

# ---- Collada, which the library reads
cat >leg.dae <<'XML'
<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
  <library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="m" name="orange"><instance_effect url="#e"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
XML
sed 's/gone.stl/leg.dae/' arm.urdf >seen.urdf
says "meshes              1" info --short seen.urdf
"$heft" convert --quiet seen.urdf seen.xml && grep -q 'rgba="1 0.5 0 1"' seen.xml || complain "the colour of the mesh is lost"
[ ! -e cache/heft/meshes ] || complain "a Collada file was converted"
printf '<COLLADA>' >leg.dae
says "the visual shape is left out" info --short seen.urdf
says "'base' is drawn by its collision shapes" info --short seen.urdf

# ---- packages that lie where they usually do
mkdir -p ws/arm_description/urdf ws/arm_description/meshes ws/gripper/meshes ws/secret
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >ws/arm_description/meshes/t.obj
cp ws/arm_description/meshes/t.obj ws/gripper/meshes && cp ws/arm_description/meshes/t.obj ws/secret
touch ws/gripper/package.xml
for address in arm_description/meshes/t.obj all_robots/robots/arm_description/meshes/t.obj gripper/meshes/t.obj; do
  sed "s#gone.stl#package://$address#" arm.urdf >ws/arm_description/urdf/arm.urdf
  says "meshes              1" info --short --quiet ws/arm_description/urdf/arm.urdf
done
for address in secret/t.obj arm_description/../secret/t.obj; do
  sed "s#gone.stl#package://$address#" arm.urdf >ws/arm_description/urdf/arm.urdf
  says "the visual shape is left out" info --short ws/arm_description/urdf/arm.urdf
done

# ---- meshes of other formats
if [ -x "$(dirname "$heft")/heft-mesh-convert" ]; then
  cat >leg.gltf <<'JSON'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
 "materials": [{"name": "blue", "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
               {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
 "buffers": [{"byteLength": 72, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA"}]}
JSON
  sed 's/gone.stl/leg.gltf/' arm.urdf >gltf.urdf
  says "meshes              1" info --short gltf.urdf
  count=$(find cache -name '*.obj' | wc -l)
  [ "$count" = 1 ] || complain "$count meshes are in the cache"
  # the name in the cache is the SHA-256 of what was converted
  size=$(wc -c <leg.gltf)
  byte() { printf "\\$(printf %o "$1")"; }
  name=$({ printf 'heft mesh 2 .gltf'; byte $((size % 256)); byte $((size / 256)); printf '\0\0\0\0\0\0'; cat leg.gltf; } |
    sha256sum | cut -d' ' -f1)
  [ -f "cache/heft/meshes/$name.obj" ] || complain "the cache does not hold $name.obj"
  says "meshes              1" info --short gltf.urdf
  "$heft" convert --quiet gltf.urdf gltf.xml && grep -q 'rgba="0 0 1 1"' gltf.xml || complain "glTF is not converted"
  # the cache is what is read: a changed file there is seen, and a changed mesh is converted anew
  chmod -R a-w cache 2>/dev/null
  touch -d '2001-01-01' "$(find cache -name '*.obj')" && says "meshes              1" info --short gltf.urdf
  chmod -R u+w cache
  sed -i 's/\[0, 0, 1, 1\]/[0, 1, 0, 1]/' leg.gltf
  says "meshes              1" info --short gltf.urdf
  [ "$(find cache -name '*.obj' | wc -l)" = 2 ] || complain "a changed mesh is not converted anew"
  printf '{' >leg.gltf
  says "it cannot be converted" info --short gltf.urdf
  [ "$(find cache -name '.work*' | wc -l)" = 0 ] || complain "folders of work stay behind"
fi

# ---- a sheet
if "$heft" render --help | grep -q -- --sheet && "$heft" render arm.urdf --quiet --fast --size 64x48 -o one.png 2>/dev/null; then
  mkdir -p models/deep && cp arm.urdf two.xml models && printf '<mujoco><worldbody><body/></mujoco>' >models/deep/broken.xml
  printf '<package/>' >models/package.xml
  if "$heft" render --sheet sheet.png --quiet --fast --size 64x48 models >out 2>&1; then complain "a broken model counts as drawn"; fi
  grep -q "sheet.png: 3 models, 1 of them not drawn" out || { complain "sheet"; cat out; }
  says "sheet.png: 2 models, 0 of them not drawn" render --sheet sheet.png --quiet --fast --size 64x48 arm.urdf two.xml
  refused "expected a sheet ending in .png" render --sheet x.gif arm.urdf
  refused "several files need --sheet" render arm.urdf two.xml -o x.png
  refused ".png, .mp4, .webm or .mkv" render arm.urdf -o x.gif
fi
[ "$bad" = 0 ] && echo "robots: ok"
exit "$bad"
