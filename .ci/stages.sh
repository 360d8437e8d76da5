# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154,SC2034  # the shell that reads this file has set and uses variables
# Stages of the gate, and what counts. A stage passes if its command says so and if nothing in it was skipped. A skip is
# accepted if a line of the list `skips` fits and the command of that line succeeds, which finds that this machine cannot do it. Any
# other skip counts as failed, and so does a stage that is left out because it is late. tests/tools/test_gate.sh plants each of them.
#
# For a shell that has set `log` (a folder), `limit` (seconds) and `skips` (a file).
passed=0
failed=0
left_out=()
accepted=()
wrap=()
jobs=${jobs:-$(nproc 2>/dev/null || echo 2)}

# Sets `cpu` to the processor seconds of everything that has ended so far. The builtin counts the
# children of the shell that calls it, so that it cannot stand in $(...).
count_cpu() {
  times >"$log/times"
  cpu=$(awk 'NR == 2 { split($0, t, "[ms ]+"); print int(60 * (t[1] + t[3]) + t[2] + t[4] + 0.5) }' "$log/times")
}

# begin: a stage begins
begin() {
  count_cpu
  begin_cpu=$cpu begin_wall=$SECONDS
}

# report <name> <passed> <failed> [remark]: a stage ends
report() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  count_cpu
  printf '%-28s %4d passed %4d failed %5d s %5d s cpu  %s\n' "$1" "$2" "$3" $((SECONDS - begin_wall)) \
    $((cpu - begin_cpu)) "${4:-}"
}

# late <name>: whether it is too late for a stage to begin; then it has failed
late() {
  [ "$SECONDS" -gt "$limit" ] || return 1
  left_out+=("$1")
  failed=$((failed + 1))
  printf '%-28s FAILED: left out, %d s have passed\n' "$1" "$SECONDS"
}

# may_skip <what>: whether this machine may skip it
may_skip() {
  local line pattern condition
  while IFS= read -r line; do
    pattern=${line%% | *} condition=${line#* | }
    # shellcheck disable=SC2254  # a pattern
    case $1 in $pattern) sh -c "${condition% | *}" >/dev/null 2>&1 && return 0 ;; esac
  done < <(grep -v '^#' "$skips")
  return 1
}

# judge_skips <file>: `skipped` and `refused` are the numbers of the lines, each of them a skip, that are accepted and that are not.
# A line "test PRESET: TEST" without a reason is a whole test of a suite: `skipped_tests` in all, and `refused_tests`.
judge_skips() {
  local what whole
  skipped=0 refused=0 skipped_tests=0 refused_tests=0
  while read -r what; do
    case $what in *": "*": "*) whole=0 ;; *) whole=1 ;; esac
    skipped_tests=$((skipped_tests + whole))
    if may_skip "$what"; then
      skipped=$((skipped + 1))
      accepted+=("$what")
    else
      refused=$((refused + 1)) refused_tests=$((refused_tests + whole))
      echo "    skipped, which .ci/skips.txt does not accept here: $what" | tee -a "$log/failures"
    fi
  done <"$1"
}

# inner_skips <name> <file>: the lines of an output that name a skip: of cmocka, of pytest and of scripts
inner_skips() {
  sed -nE -e "s/^\[  SKIPPED \] ([A-Za-z0-9_]+)$/\1/p" -e 's/^SKIPPED \[[0-9]+\] (.*)$/\1/p' \
    -e 's/^(.*: )?skipped[:,] *(.*)$/\1\2/p' "$2" | sort -u | sed "s|^|$1: |"
}

# check <name> <command...>: counts as one test; its output is shown when it fails. Exit code 77: it was skipped.
check() {
  local name=$1 code=0
  shift
  late "$name" && return 1
  begin
  "$@" >"$log/out" 2>&1 || code=$?
  if [ "$code" -eq 77 ]; then
    echo "$name: $(tail -n 1 "$log/out" | grep . || echo "no reason is given")" >"$log/skips"
  else
    inner_skips "$name" "$log/out" >"$log/skips"
  fi
  judge_skips "$log/skips"
  if [ "$code" -eq 77 ] && [ "$refused" -eq 0 ]; then
    report "$name" 0 0 "$(tail -n 1 "$log/out")"
  elif [ "$code" -eq 0 ] && [ "$refused" -eq 0 ]; then
    report "$name" 1 0 "$(tail -n 1 "$log/out")"
  else
    sed 's/^/    /' "$log/out" | tail -n 200
    remember "$name" <"$log/out"
    report "$name" 0 1
    return 1
  fi
}

# remember <name>: the last lines of what failed, which the end of the gate shows again: whoever sees its last lines sees why
remember() {
  { echo "failed: $1"; tail -n 40 | sed 's/^/    /'; } >>"$log/failures"
}

# failures_of <preset>: names and last lines of the tests that failed
failures_of() {
  awk '/^[0-9]+\/[0-9]+ Test: / { name = $3; count = 0 }
    { line[count++ % 12] = $0 }
    /^Test (Failed|timeout)/ { print name; for (i = count < 12 ? 0 : count - 12; i < count; ++i) print "  " line[i % 12] }' \
    "build/$1/Testing/Temporary/LastTest.log" 2>/dev/null
}

# suite <preset> [ctest argument...]: runs the tests of a preset, each counted. A skip that is not accepted counts as failed, also one
# inside a test.
suite() {
  local preset=$1 total=0 bad=0 code=0 good
  shift
  late "test $preset" && return
  begin
  "${wrap[@]}" ctest --preset "$preset" -j "$jobs" --no-tests=error "$@" >"$log/out" 2>&1 || code=$?
  read -r bad total < <(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$log/out")
  bad=${bad:-0} total=${total:-0}
  # A crash of ctest itself, or no test at all, is a failure too.
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1 total=$((total + 1)); fi
  suite_skips "$preset" >"$log/skips"
  judge_skips "$log/skips" >"$log/refused"
  # A test with refused skips inside has not passed; several in one test leave fewer that passed than there are, never more.
  good=$((total - bad - skipped_tests - refused + refused_tests))
  [ "$good" -ge 0 ] || good=0
  bad=$((bad + refused))
  if [ "$bad" -ne 0 ]; then
    sed 's/^/    /' "$log/out" | tail -n 200
    failures_of "$preset" | remember "test $preset"
  fi
  cat "$log/refused"  # beside the numbers, where a reader of the last lines sees them
  report "test $preset" "$good" "$bad" "$([ "$skipped" -gt 0 ] && echo "$skipped skips accepted")"
}

# The skips of a suite: of whole tests, and inside of tests that passed; `test PRESET: TEST: WHAT`. The log of ctest has the lines
# of all tests.
suite_skips() {
  local test inner at="build/$1/Testing/Temporary/LastTest.log"
  sed -nE 's/^.*Test +#[0-9]+: ([^ ]+) .*\*\*\*Skipped.*$/\1/p' "$log/out" >"$log/whole"
  sed "s|^|test $1: |" "$log/whole"
  awk -v folder="$log" '/^[0-9]+\/[0-9]+ Test: / { name = $3; gsub("/", "%", name); next }
    name && /SKIPPED|skipped/ { print >(folder "/of." name) }' "$at"
  for test in "$log"/of.*; do
    [ -e "$test" ] || continue
    inner=${test##*/of.}
    inner=${inner//%//}
    grep -qxF "$inner" "$log/whole" || inner_skips "test $1: $inner" "$test"
    rm "$test"
  done
}

# aside <name> <command...>: runs a stage beside others, in a shell of its own, unless it is late
aside() {
  local name=$1 code=0 began=$SECONDS
  shift
  [ "$SECONDS" -le "$limit" ] || return 0
  "$@" >"$log/aside $name" 2>&1 || code=$?
  echo "$code $((SECONDS - began))" >"$log/aside $name.end"
}

# gathered <name>: what a stage beside others said, and how it ended. One that did not end has failed.
gathered() {
  local code seconds
  if ! read -r code seconds 2>/dev/null <"$log/aside $1.end"; then
    cat "$log/aside $1" 2>/dev/null
    echo "did not run to its end"
    return 1
  fi
  sed "\$s/\$/ ($seconds s beside other stages)/" "$log/aside $1"
  return "$code"
}

# The last lines of the gate, and its exit code.
conclude() {
  count_cpu
  echo "total ${SECONDS} s, $cpu s cpu"
  [ ! -s "$log/failures" ] || cat "$log/failures"
  [ ${#accepted[@]} -eq 0 ] || printf 'skipped, as .ci/skips.txt accepts here: %s\n' "${accepted[@]}"
  [ ${#left_out[@]} -eq 0 ] || echo "left out after $limit s: $(printf '%s, ' "${left_out[@]}" | sed 's/, $//')"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
