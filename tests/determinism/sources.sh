# SPDX-License-Identifier: Apache-2.0
# What compare.sh, wasm.sh and processors.sh build: the rooms that a step needs, the files that cut meshes into
# convex pieces, and the flags of cmake/HeftFlags.cmake, less the warnings. Of the Delassus methods a step uses one.
# usage: . sources.sh

# shellcheck disable=SC2034  # for the script that reads this one
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fno-math-errno -w"

# step_sources <root of the tree>: one path a line
step_sources() {
  {
    for room in base math model dynamics world collision contact; do
      find "$1/src/$room" -name '*.c' ! -path '*/world/access/*' ! -path '*/world/batch/*' ! -name draw.c \( ! -name 'delassus*' -o -name delassus_effectors.c \)
    done
    find "$1/scenes" -name '*.c'
    for file in lattice_hull mesh_order piece_cut piece_excess pieces region solid; do
      echo "$1/src/io/$file.c"
    done
    echo "$1/tests/determinism/cuts.c"
  } | LC_ALL=C sort
}
