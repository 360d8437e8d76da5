#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The formatter keeps tables and formulas in comments, and the check finds code and comments that are
# out of form.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
command -v clang-format >/dev/null || { echo "skipped: clang-format is not installed"; exit 77; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT INT TERM
mkdir "$tree/src"
cp "$root/.clang-format" "$tree"

fail() {
  echo "test_format: $*" >&2
  exit 1
}

cat >"$tree/src/table.c" <<'C'
// Joints:
// | type   | q                                   | v
// | hinge  | angle about axis                    | its rate
// | free   | position, unit quaternion in world  | velocity of the body's origin in world
// | planar | shifts along axis, axis2, angle     | their rates
//     l = Σ |p_{k+1} - p_k| / divisor + Σ arc / divisor,
//     ∂l/∂q = Σ uᵀ (J_{k+1}(p_{k+1}) - J_k(p_k)) / divisor,   τ = S · f,   f_p += f
static const int joints = 3;
C
cp "$tree/src/table.c" "$tree/before"
sh "$root/tools/check_format.sh" "$tree" >/dev/null || fail "a table in a comment is refused"
sh "$root/tools/check_format.sh" --fix "$tree" >/dev/null
cmp "$tree/before" "$tree/src/table.c" || fail "--fix has changed a table in a comment"

# A row that has grown too long is left as it is, and told: a formatter that fills lines would run the
# rows after it together.
sed 's/origin in world/&, ω in the frame of the body/' "$tree/before" >"$tree/src/table.c"
cp "$tree/src/table.c" "$tree/longer"
sh "$root/tools/check_format.sh" --fix "$tree" >"$tree/told" && fail "a row of 105 columns passes"
grep -q 'table.c:4: comment of' "$tree/told" || fail "the long row is not told"
cmp "$tree/longer" "$tree/src/table.c" || fail "--fix has changed a long row of a table"

# 100 columns with three combining accents pass, 101 do not.
cp "$tree/before" "$tree/src/table.c"
line=$(printf '// %097d' 0)
printf '%s\n' "$line" | sed 's/000$/a\xcc\x87b\xcc\x87c\xcc\x87/' >>"$tree/src/table.c"
sh "$root/tools/check_format.sh" "$tree" >/dev/null || fail "a comment of 100 columns is refused"
printf '%s0\n' "$line" >>"$tree/src/table.c"
sh "$root/tools/check_format.sh" "$tree" >/dev/null && fail "a comment of 101 columns passes"

cp "$tree/before" "$tree/src/table.c"
echo 'static  int  loose;' >>"$tree/src/table.c"
sh "$root/tools/check_format.sh" "$tree" >/dev/null 2>&1 && fail "loose code passes"
echo "format: tables are kept, long comments and loose code are found"
