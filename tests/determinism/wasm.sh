#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bits of WebAssembly, run in node, are those of native builds: golden.txt, tests/world/golden_scenes.txt and
# golden_models.txt, which the native tests compare with, too. Scenes and models from files go through expat, qhull
# and libpng. No program may hold an instruction of relaxed SIMD, which rounds as the machine likes.
#   wasm.sh           the presets wasm and wasm-simd
#   wasm.sh --short   as in CI: without SIMD, compiled with -O1 (in build/wasm-short), without the golden models
# All other tests: cmake --build --preset wasm && ctest --preset wasm. Exit code 77: a program or source is missing.
# usage: wasm.sh [--short] [root of the tree]
set -eu

presets="wasm wasm-simd" short='' programs="determinism_hashes test_world_golden test_world_model_golden"
if [ "${1:-}" = --short ]; then
  presets=wasm short=-short programs="determinism_hashes test_world_golden"
  shift
fi
cd "${1:-$(dirname "$0")/../..}"
for program in clang-16 wasm-ld-16 llvm-ar-16 dpkg-source node; do
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

tools/wasm_sources.sh build/wasm-sources || {
  echo "skipped: the sources of the libraries could not be fetched"
  exit 77
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
jobs=$(nproc 2>/dev/null || echo 2)
errors=0
for preset in $presets; do
  folder=build/$preset$short
  # shellcheck disable=SC2086
  { cmake --preset $preset -B $folder ${short:+-DCMAKE_C_FLAGS_RELEASE=-O1} &&
    cmake --build $folder -j "$jobs" --target $programs; } >"$work/build" 2>&1 || {
    tail -n 30 "$work/build"
    exit 1
  }
  for program in $programs; do
    wasm=$folder/bin/$program.wasm
    if node js/test/run.mjs "$wasm" >"$work/out" 2>&1 &&
      { [ $program != determinism_hashes ] || diff tests/determinism/golden.txt "$work/out"; }; then
      echo "same bits: $preset $program"
    else
      echo "OTHER BITS: $preset $program"
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
