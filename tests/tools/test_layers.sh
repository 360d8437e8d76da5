#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_layers.sh passes on the tree and notices each kind of forbidden include.
. tests/tools/plant.sh

passes "the tree keeps its layers" tools/check_layers.sh

# plant <what> <message> <file> <include line>: a copy with one more file must be refused there.
plant() {
  fresh_copy
  mkdir -p "$tree/$(dirname "$3")"
  printf '%s\n' "$4" >"$tree/$3"
  fails "$1" "$3:1: $2" tools/check_layers.sh "$tree"
}

plant "a low room may not look up" 'room "base" may not use room "world"' \
  src/base/planted.c '#include <heft/world.h>'
plant "nor into private headers" 'room "contact" may not use room "model"' \
  src/contact/planted.c '#include "model/tree.h"'
plant "spaces do not hide an include" 'room "math" may not use room "model"' \
  src/math/planted.h '  #  include "model/tree.h"'
plant "public headers belong to their room" 'room "contact" may not use room "world"' \
  include/heft/contact.h '#include <heft/world.h>'
plant "public headers hold nothing private" 'a public header may not include' \
  include/heft/world.h '#include "world/island.h"'
plant "heft.h is for users" '<heft/heft.h> is for users' \
  src/world/planted.c '#include <heft/heft.h>'
plant "private headers are written with their room" 'write "room/file.h"' \
  src/world/planted.c '#include "island.h"'
plant "also in the folders of a room" 'write "room/file.h"' \
  src/world/models/planted.c '#include "foot.h"'
plant "a folder belongs to its room" 'room "world" may not use room "control"' \
  src/world/models/planted.c '#include "control/chain.h"'
plant "rooms are two floors high at most" 'write "room/file.h"' \
  src/world/models/planted.c '#include "world/models/feet/foot.h"'
plant "inner rooms keep to their line" 'inner room "contact/sweep" may not use "contact/newton/newton.h"' \
  src/contact/sweep/planted.c '#include "contact/newton/newton.h"'
plant "and do not use the files beside them" 'inner room "contact/core" may not use "contact/run.h"' \
  src/contact/core/planted.c '#include "contact/run.h"'
plant "the certificate shares nothing" 'inner room "contact/certificate" may not use "contact/core/cone.h"' \
  src/contact/certificate/planted.c '#include "contact/core/cone.h"'
plant "the viewer is a room" 'room "view" may not use room "contact"' \
  apps/view/planted.c '#include "contact/run.h"'
plant "unknown rooms are refused" 'there is no room "attic"' \
  src/attic/planted.c '// an empty file'
plant "the core uses no library" 'room "model" may not include <expat.h>' \
  src/model/planted.c '#include <expat.h>'
plant "applications see public headers only" 'outside src/ only <heft/...>' \
  apps/heft/planted.c '#include "world/island.h"'

fresh_copy
printf '#include <expat.h>\n#include <heft/model.h>\n#include <math.h>\n' >"$work/good.c"
mkdir -p "$tree/src/io" "$tree/src/control" "$tree/apps/heft" "$tree/tests/world"
cp "$work/good.c" "$tree/src/io/planted.c"
printf '#include <heft/heft.h>\n#include "verb.h"\n#include "scenes/list.h"\n' >"$tree/apps/heft/planted.c"
printf '// empty\n' >"$tree/apps/heft/verb.h"
printf '#include "world/island.h"\n' >"$tree/tests/world/test_planted.c"
printf '#include <heft/world.h>\n#include "dynamics/aba.h"\n' >"$tree/src/control/planted.c"
passes "what is allowed is allowed" tools/check_layers.sh "$tree"

fresh_copy
printf 'cellar: attic\n' >>"$tree/tools/layers.txt"
fails "the table has no cycles" 'does not stand above it' tools/check_layers.sh "$tree"

fresh_copy
sed -i 's/^| contact | base math |/| contact | base math model |/' "$tree/ARCHITECTURE.md"
fails "the table of ARCHITECTURE.md is the same" 'the table of rooms differs' tools/check_layers.sh "$tree"

finish
