#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The gate sees what is planted: a failure and a skip in each kind of stage, and stages that are late. Needs bash and cmake.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"

mkdir log planted
cat >planted/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(planted NONE)
enable_testing()
add_test(NAME room/passes COMMAND sh -c "echo fine")
add_test(NAME room/fails COMMAND sh -c "echo bad; exit 1")
add_test(NAME room/skips COMMAND sh -c "echo 'skipped: no screen'; exit 77")
add_test(NAME room/inside COMMAND sh -c "echo '[  SKIPPED ] one_case'")
add_test(NAME room/python COMMAND sh -c "echo 'SKIPPED [1] test_x.py:3: no module'")
set_tests_properties(room/skips PROPERTIES SKIP_RETURN_CODE 77)
END
cat >planted/CMakePresets.json <<'END'
{"version": 3,
 "configurePresets": [{"name": "p", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build/p"}],
 "testPresets": [{"name": "p", "configurePreset": "p"}]}
END
(cd planted && cmake --preset p >"$work/configured" 2>&1) || { cat configured; exit 1; }

cat >gate.sh <<'END'
# gate.sh SKIPS LIMIT COMMAND...: one gate; its last line is what is compared
log=$PWD/log skips=$PWD/$1 limit=$2
rm -f "$log"/aside* "$log"/failures
. "$ROOT/.ci/stages.sh"
shift 2
cd planted || exit 1
eval "$*"
conclude
END
errors=0
# expect <last line> <exit code> <skips> <limit> <commands>
expect() {
  code=0
  ROOT=$root bash gate.sh "$3" "$4" "$5" >out 2>&1 </dev/null || code=$?
  if [ "$(tail -n 1 out)" != "$1" ] || [ "$code" -ne "$2" ]; then
    echo "$5 with $3: expected '$1' and code $2, got code $code and:"
    cat out
    errors=$((errors + 1))
  fi
}

echo '# nothing is accepted' >none
echo 'stage*: * | true | always' >all
echo 'test p: * | true | always' >>all
echo 'stage*: * | false | another machine' >elsewhere
echo 'stage*: * | false || true | one of two reasons' >either
echo 'test p: room/skips* | true | no screen here' >whole
aside='aside "stage" sh -c "exit 77" & wait; check "stage" gathered "stage"'

expect "1 passed, 0 failed" 0 none 100 'check "stage" true'
expect "0 passed, 1 failed" 1 none 100 'check "stage" false'
expect "0 passed, 1 failed" 1 none 100 'check "stage" sh -c "exit 77"'
expect "0 passed, 1 failed" 1 elsewhere 100 'check "stage" sh -c "exit 77"'
expect "1 passed, 0 failed" 0 all 100 'check "other" true; check "stage" sh -c "exit 77"'
expect "0 passed, 0 failed" 1 all 100 'check "stage" sh -c "exit 77"'  # nothing has run
expect "0 passed, 1 failed" 1 none 100 'check "stage" echo "spelling: skipped, there is no dictionary"'
expect "1 passed, 0 failed" 0 all 100 'check "stage" echo "spelling: skipped, there is no dictionary"'
expect "1 passed, 0 failed" 0 either 100 'check "stage" echo "spelling: skipped, there is no dictionary"'
expect "1 passed, 1 failed" 1 none 100 'check "stage" true; limit=-1; check "late" true'
expect "1 passed, 1 failed" 1 none 100 'check "stage" true; limit=-1; suite p'
expect "1 passed, 0 failed" 0 none 100 'aside "stage" true & wait; check "stage" gathered "stage"'
expect "0 passed, 1 failed" 1 none 100 'aside "stage" false & wait; check "stage" gathered "stage"'
expect "0 passed, 1 failed" 1 none 100 "$aside"
expect "0 passed, 0 failed" 1 all 100 "$aside"
expect "0 passed, 1 failed" 1 none 100 '(aside "stage" kill -9 "$BASHPID") & wait; check "stage" gathered "stage"'
expect "0 passed, 1 failed" 1 none 100 'limit=-1; aside "stage" true & wait; limit=100; check "stage" gathered "stage"'
expect "0 passed, 1 failed" 1 none 100 'check "stage" gathered "stage"'
expect "1 passed, 0 failed" 0 none 100 'suite p -R room/passes'
expect "0 passed, 1 failed" 1 none 100 'suite p -R room/fails'
expect "0 passed, 1 failed" 1 none 100 'suite p -R room/skips'
expect "0 passed, 1 failed" 1 none 100 'suite p -R room/inside'
expect "0 passed, 1 failed" 1 none 100 'suite p -R room/python'
expect "0 passed, 1 failed" 1 none 100 'suite p -R room/nothing'
expect "1 passed, 0 failed" 0 whole 100 'suite p -R "room/(passes|skips)"'
expect "3 passed, 1 failed" 1 all 100 'suite p'
expect "3 passed, 0 failed" 0 all 100 'suite p -E room/fails'
expect "1 passed, 4 failed" 1 none 100 'suite p'
# The end of the gate has the names and last lines of what failed.
expect "1 passed, 2 failed" 1 none 100 'suite p -R "room/(passes|fails)"; check "stage" sh -c "echo worse; exit 1"'
for line in 'failed: test p' 'room/fails' 'bad' 'failed: stage' 'worse'; do
  if ! sed -n '/^total /,$p' out | grep -q "^ *$line\$"; then
    echo "the end of the gate lacks '$line'"
    errors=$((errors + 1))
  fi
done
# A part that does not exist is not a gate that passes.
code=0
"$root/.ci/run" nothing >out 2>&1 || code=$?
if [ "$code" -ne 2 ] || ! grep -q '^usage: ' out; then
  echo "an unknown part: expected a line of usage and code 2, got code $code"
  errors=$((errors + 1))
fi
[ "$errors" -eq 0 ] || exit 1
echo "gate: 29 planted cases are seen"
