#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heft convert MODEL unit.fmu: a zip file that Python opens, a description whose variables the module has, steps by an importer.
# With FMI_STANDARD, a folder with the standard's schema/, xmllint compares the description with it.
# usage: fmu.sh HEFT IMPORTER SCENES
set -eu
heft=$1 importer=$2 scenes=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
fail() { echo "fmu: $1"; exit 1; }
for scene in quadruped humanoid slide; do
  "$heft" convert --quiet "$scenes/$scene.xml" "$work/$scene.fmu" || fail "$scene was not converted"
  token=$(python3 - "$work/$scene.fmu" "$work/$scene" <<'EOF'
import sys, xml.etree.ElementTree, zipfile
archive, folder = sys.argv[1:]
with zipfile.ZipFile(archive) as z:
    assert z.testzip() is None
    z.extractall(folder)
root = xml.etree.ElementTree.parse(folder + '/modelDescription.xml').getroot()
unit = root.find('CoSimulation').attrib
assert root.attrib['fmiVersion'] == '3.0' and unit['canSerializeFMUState'] == 'true'
references = {v.attrib['valueReference'] for v in root.find('ModelVariables')}
assert {e.attrib['valueReference'] for e in root.find('ModelStructure')} <= references
for v in root.find('ModelVariables'):
    size = v.find('Dimension')
    if 'start' in v.attrib:
        assert len(v.attrib['start'].split()) == int(size.attrib['start'])
print(root.attrib['instantiationToken'])
EOF
  ) || fail "the FMU of $scene cannot be opened"
  if [ -n "${FMI_STANDARD:-}" ]; then
    xmllint --noout --schema "$FMI_STANDARD/schema/fmi3ModelDescription.xsd" "$work/$scene/modelDescription.xml" ||
      fail "$scene: not what the standard describes"
  fi
  "$importer" "$(ls "$work/$scene"/binaries/*/$scene.so)" "$work/$scene/resources/" "$token" || fail "the importer failed"
done
if "$heft" convert --quiet "$scenes/slide.xml" /dev/full/x.fmu 2>"$work/err"; then fail "a file that cannot be written"; fi
grep -q "cannot be written" "$work/err" || fail "no message"
