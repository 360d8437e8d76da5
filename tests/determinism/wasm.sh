#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bits of WebAssembly, run in node, are those of native builds: golden.txt, tests/world/golden_scenes.txt and
# golden_models.txt, which the native tests compare with, too. Scenes and models from files go through expat, qhull
# and libpng. No program may hold an instruction of relaxed SIMD, which rounds as the machine likes.
#   wasm.sh           the preset wasm-simd, and the same without SIMD in build/wasm
#   wasm.sh --short   as in CI: golden.txt alone, by the rooms that a step needs, compiled with -O1 and without SIMD
#   wasm.sh --second FOLDER   the same by a second compiler, clang 22: npm's @yowasp/clang in FOLDER/node_modules (npm install
#                     @yowasp/clang; some minutes of one core), with and without SIMD
# All other tests: cmake --build --preset wasm-simd && ctest --preset wasm-simd. Exit code 77: a program or source is missing.
# usage: wasm.sh [--short | --second FOLDER] [root of the tree]
set -eu

programs="determinism_hashes test_world_golden test_world_model_golden"
needed="clang-16 wasm-ld-16 llvm-ar-16 dpkg-source node" short=
if [ "${1:-}" = --short ]; then
  needed="clang-16 wasm-ld-16 node" short=1
  shift
fi
second=
if [ "${1:-}" = --second ]; then
  [ -d "${2:-}/node_modules/@yowasp/clang" ] || {
    echo "skipped: '${2:-}/node_modules' has no @yowasp/clang; run npm install @yowasp/clang there"
    exit 77
  }
  needed=node second=$(cd "$2" && pwd)
  shift 2
fi
cd "${1:-$(dirname "$0")/../..}"
for program in $needed; do
  command -v $program >/dev/null || {
    echo "skipped: $program was not found; apt-get install clang-16 lld-16 llvm-16 wasi-libc" \
      "libclang-rt-16-dev-wasm32 dpkg-dev nodejs"
    exit 77
  }
done
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || {
  echo "skipped: node $(node --version) is older than 18"
  exit 77
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
jobs=$(nproc 2>/dev/null || echo 2)

if [ -n "$short" ]; then
  . tests/determinism/sources.sh
  target="--target=wasm32-wasi --sysroot=/usr"
  flags="$flags -O1 -mno-simd128 -mno-relaxed-simd"  # as cmake/HeftWasm.cmake
  sources=$(step_sources "$PWD" && echo tests/determinism/hashes.c)
  # shellcheck disable=SC2016,SC2086  # the inner shell fills these in
  echo "$sources" | xargs -P "$jobs" -I FILE sh -c \
    'clang-16 '"$target $flags"' -isystem js/port/include -Iinclude -Isrc -I. -c "$1" -o "$2/$(echo "$1" | tr / _).o"' \
    one FILE "$work" &&
    clang-16 $target -O0 "$work"/*.o -lm -Wl,--stack-first -Wl,-z,stack-size=8388608 -o "$work/hashes.wasm" || {
    echo "does not build"
    exit 1
  }
  node js/test/run.mjs "$work/hashes.wasm" >"$work/out" && diff tests/determinism/golden.txt "$work/out" && {
    echo "same bits: WebAssembly in node $(node --version)"
    exit 0
  }
  echo "OTHER BITS: WebAssembly"
  exit 1
fi

if [ -n "$second" ]; then
  . tests/determinism/sources.sh
  for simd in -mno-simd128 -msimd128; do
    # shellcheck disable=SC2086  # a list of flags
    { step_sources "$PWD" && echo tests/determinism/hashes.c; } | node tests/determinism/second_compiler.mjs \
      "$second/node_modules" "$work/hashes.wasm" $flags -O1 $simd -mno-relaxed-simd || {
      echo "does not build"
      exit 1
    }
    node js/test/run.mjs "$work/hashes.wasm" >"$work/out" && diff tests/determinism/golden.txt "$work/out" || {
      echo "OTHER BITS: WebAssembly by @yowasp/clang $simd"
      exit 1
    }
    echo "same bits: WebAssembly by @yowasp/clang $simd"
  done
  exit 0
fi

js/wasm_sources.sh build/wasm-sources || {
  echo "skipped: the sources of the libraries could not be fetched"
  exit 77
}

errors=0
for build in wasm wasm-simd; do
  folder=build/$build simd=ON
  [ $build = wasm-simd ] || simd=OFF
  # shellcheck disable=SC2086
  { cmake --preset wasm-simd -B $folder -DHEFT_WASM_SIMD=$simd && cmake --build $folder -j "$jobs" --target $programs; } >"$work/build" 2>&1 || {
    tail -n 30 "$work/build"
    exit 1
  }
  for program in $programs; do
    wasm=$folder/bin/$program.wasm
    if node js/test/run.mjs "$wasm" >"$work/out" 2>&1 &&
      { [ $program != determinism_hashes ] || diff tests/determinism/golden.txt "$work/out"; }; then
      echo "same bits: $build $program"
    else
      echo "OTHER BITS: $build $program"
      sed 's/^/    /' "$work/out" | tail -n 20
      errors=$((errors + 1))
    fi
    llvm-objdump-16 -d --no-show-raw-insn "$wasm" >"$work/code"
    if grep -qE '\brelaxed_' "$work/code"; then
      echo "relaxed SIMD: $wasm"
      errors=$((errors + 1))
    fi
  done
done
[ "$errors" -eq 0 ]
