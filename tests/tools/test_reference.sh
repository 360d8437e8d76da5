#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The checks of the reference pass on the tree and notice gaps: of C (tools/c_reference.py), of Python (python/python_reference.py), of
# URDF (tools/urdf_page.py).
. tests/tools/plant.sh
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

passes "the reference of C" tools/c_reference.py --check
passes "the reference of Python" python/python_reference.py --check
passes "the page of URDF" tools/urdf_page.py --check

# before <file> <pattern> <text>: plants lines before the first line that matches
before() {
  awk -v pattern="$2" -v text="$3" '!done && $0 ~ pattern { print text; done = 1 } { print }' "$tree/$1" >"$work/planted"
  cp "$work/planted" "$tree/$1"
}

fresh_copy
before include/heft/batch.h '^#endif' '
HEFT_API int heft_planted_call(int number);

typedef struct HeftPlanted HeftPlanted;

#define HEFT_PLANTED_MAX 3

/// A choice.
typedef enum HeftPlantedChoice {
  HEFT_PLANTED_ONE,
} HeftPlantedChoice;
'
before include/heft/batch.h '^} HeftRollout;' '  int planted_field;
  double planted_length;  ///< length of a step
  double planted_time;    ///< length of a step [s]'
before include/heft/batch.h '^#endif' '/// Reads numbers.
HEFT_API void heft_planted_read(const double* numbers);'
fails "an array without a length" 'heft_planted_read: pointer numbers has no stated direction' tools/api.py --check "$tree/include/heft"
before include/heft/batch.h '^#endif' '/// Writes numbers.
/// [out] numbers[planted]
HEFT_API void heft_planted_write(double* numbers);'
fails "a length that nothing has" 'numbers has the length planted, which is no size' tools/api.py --check "$tree/include/heft"
fails "a function without a text" 'function heft_planted_call has no text' tools/c_reference.py --check "$tree"
also "a type without a text" 'handle HeftPlanted has no text'
also "a constant without a text" 'macro HEFT_PLANTED_MAX has no text'
also "a member without a text" 'HeftPlantedChoice.HEFT_PLANTED_ONE has no text'
also "a field without a text" 'HeftRollout.planted_field has no text'
also "a field without a unit" 'HeftRollout.planted_length has no unit'
also "nothing else" ' 6 without a text or a unit'

fresh_copy
seq 60 | sed 's@.*@/// Planted.\nHEFT_API int heft_planted_&(void);@' >"$tree/planted"
sed -i "/^HEFT_API HeftStatus heft_batch_create/{
r $tree/planted
N
}" "$tree/include/heft/batch.h"
fails "a header of too many names" 'names, at most 60' tools/c_reference.py --check "$tree"

fresh_copy
echo 'void planted(HeftWorld* w) { heft_world_memory(w); }' >>"$tree/examples/rain.c"
fails "an example with a name that is not among the first" 'examples/rain.c: heft_world_memory is not' \
  tools/c_reference.py --check "$tree"
fresh_copy
sed -i 's/^| `heft_world_hash`.*//' "$tree/docs/manual/fifty-names.md"
fails "a program with a name that the table lacks" 'heft_world_hash is in no row' tools/c_reference.py --check "$tree"

fresh_copy
printf 'def planted():\n    return 1\n' >>"$tree/python/heft/models.py"
before python/src/core/core.pyi.in '^    def step_until' '    def planted(self) -> int: ...'
printf 'from ._planted import forgotten as forgotten\n' >>"$tree/python/heft/__init__.py"
fails "a function of Python without a text" 'heft.models.planted has no text' python/python_reference.py --check "$tree"
also "a method of Python without a text" 'World.planted has no text'
also "a name of Python on no page" 'heft.forgotten is on no page'
also "nothing else" ' 3 mistakes'

fresh_copy
# shellcheck disable=SC2016  # C code
before src/io/urdf_inertia.c '^  body->mass = ' '  body->planted = urdf_read_number(u, mass, "planted", 0);'
fails "an attribute without a row" 'reads the attribute "planted", which has no row' tools/urdf_page.py --check "$tree"
fresh_copy
before src/io/urdf_table.h '^  E."inertia"' '  A("planted", "number", "0", "a number") \'
fails "a row that the reader does not read" 'does not read the attribute "planted"' tools/urdf_page.py --check "$tree"
fails "a page that is out of date" 'urdf-attributes.md is out of date' tools/urdf_page.py --check "$tree"

finish
