#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/check_words.py passes on the tree and notices each kind of forbidden word.
. tests/tools/plant.sh
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

passes "headers and programs use the words of the field" tools/check_words.py --check

# One copy with a line more for each kind of word: all of them must be refused, each with its message.
fresh_copy
: >"$work/expected"
# plant <what> <message> <file> <line>
plant() {
  printf '%s\n' "$4" >>"$tree/$3"
  printf '%s\t%s\n' "$1" "$2" >>"$work/expected"
}

plant "a type of a public header" '"mover" in HeftMover' include/heft/world.h 'typedef struct HeftMover HeftMover;'
plant "a part of a function's name" '"soup" in heft_soup_count' include/heft/model.h 'int heft_soup_count(void);'
plant "a constant" '"lanes" in HEFT_LANES_MAX' include/heft/math.h 'enum { HEFT_LANES_MAX = 8 };'
plant "a parameter" '"moment" in moment' include/heft/dynamics.h 'void heft_planted(double moment);'
plant "a comment of a public header" '"nobody" in nobody' include/heft/base.h '/// Called when nobody waits.'
plant "a paper without its key" '"paper" in paper' include/heft/base.h '/// The method of paper A.'
plant "an option in a help text" '"people" in --people' apps/heft/run.c 'static const char planted[] = "  --people N";'
plant "a name in a help text" '"work" in work_budget' apps/heft/run.c 'static const char planted[] = "  work_budget";'
plant "a word of a help text" '"flock" in flock' apps/heft/run.c 'static const char planted[] = "steps a flock of bodies";'
plant "a word of a page" '"everyone" in Everyone' docs/manual/faq.md 'Everyone sees it.'
tab=$(printf '\t')
fails "a forbidden word" "" tools/check_words.py --check "$tree"
while IFS="$tab" read -r what message; do also "$what" "$message"; done <"$work/expected"

fresh_copy
{
  echo '// A mover is what the old name was; src is listed, not refused.'
  echo 'static int mover;'
} >>"$tree/src/world/world.c"
echo 'static const char planted[] = "at most 4 of the least costly ones";' >>"$tree/apps/heft/run.c"
echo '/// at least one, at most two; HEFT_SENSOR_TOUCH reads a force' >>"$tree/include/heft/base.h"
printf '%s\n' 'The source papers have `lanes`.' '' '    heft flock' >>"$tree/docs/manual/faq.md"
passes "plain English and private code are not refused" tools/check_words.py --check "$tree"

fresh_copy
echo 'word nonsense' >>"$tree/tools/words.txt"
fails "a broken table" 'tools/words.txt' tools/check_words.py --check "$tree"

finish
