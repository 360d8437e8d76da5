#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/call_knots.py passes on the tree, and notices knots, functions that take the whole world
# without a reason, too many of them, writes through const structs of stages, and a long step.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
. tests/tools/plant.sh

passes "the tree keeps the limits" tools/call_knots.py --check

# Three files of world that call each other in a circle.
fresh_copy
for i in 1 2 3; do
  next=$((i % 3 + 1))
  printf 'void planted_%s(void);\nvoid planted_%s(void) { planted_%s(); }\n' "$next" "$i" "$next" \
    >"$tree/src/world/planted_$i.c"
done
fails "a circle of calls" "world has 3 files in call knots, at most 0" \
  tools/call_knots.py --check "$tree"

# Calls in comments and strings, and of static functions of the same name, are no calls.
fresh_copy
cat >"$tree/src/world/planted_1.c" <<'C'
static int helper(int x) { return x; }
int planted_1(void) { return helper(1); }
C
cat >"$tree/src/world/planted_2.c" <<'C'
// planted_1() is not called here
const char* planted_2(void) { return "planted_1()"; }
int helper(int x) { return planted_1() + x; }
C
passes "no circle where there is none" tools/call_knots.py --check "$tree"

fresh_copy
printf 'static int planted(const HeftWorld* w, int i) { return i; }\n' >"$tree/src/world/planted.c"
fails "the whole world without a reason" "world/planted.c takes the whole world" \
  tools/call_knots.py --check "$tree"

fresh_copy
echo "world/gone.c: no reason" >>"$tree/tools/world_functions.txt"
fails "a reason without a function" "names world/gone.c" tools/call_knots.py --check "$tree"

fresh_copy
awk 'BEGIN { for (i = 0; i < 90; ++i) print "static void planted_" i "(HeftWorld* w) {}" }' \
  >>"$tree/src/world/step.c"
fails "too many functions" "functions of src/world take the whole world, at most" \
  tools/call_knots.py --check "$tree"

# A stage that is const elsewhere is written, directly, by a local pointer, and by memset.
for body in 'set->bias[k->row] = 1;' 'double* x = set->warm; x[0] = 1;' 'memset(set->axis, 0, 8);'; do
  fresh_copy
  echo "static void planted(const ConstraintSet* set, const Constraint* k) { $body }" >"$tree/src/world/planted.c"
  fails "a write through const" "planted() writes set->" tools/call_knots.py --check "$tree"
done

fresh_copy
sed -i 's|^  heft_passage_schedule(c, in, dynamics);|&\n\n\n\n|' "$tree/src/world/moreau.c"
fails "a long step" "heft_step_moreau has 4" tools/call_knots.py --check "$tree"

finish
