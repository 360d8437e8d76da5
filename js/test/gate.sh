#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What .ci/run checks of WebAssembly, the npm package and the page of the viewer, in parts that follow each other:
#   build     the preset wasm-simd: the package, and tests of bits, contact and readers
#   bits      golden hashes, scenes and models, contact tests and readers in node
#   package   the package in an empty project, its tests in node, sessions between node and the native command, hostile messages,
#             the soak in short, the install lines of the landing page and the first program
#   chromium  all golden scenes on a page and in a Worker of Debian's Chromium; the page of the viewer is built
#   page      the page of the viewer is used in Chromium: pulls, rewinds, files, a world served by an installed command, an emulated headset; a
#             session is shared between two browsers and the native command
#   site      the site is built from the documents and the headers, and looked at in Chromium (site/check.mjs); Heft and
#             MuJoCo side by side (web/test/compare.mjs); the element <heft-scene> and two live cases of the gallery (web/test/gallery.mjs
#             --short)
# Exit code 77: something that this part needs is missing; the last line says what.
# usage: gate.sh PART     in the root of the tree, after build/ci
set -eu

skip() {
  echo "skipped: $1"
  exit 77
}
need() {
  for program in "$@"; do command -v "$program" >/dev/null || skip "$program was not found"; done
}
# quietly <command...>: shows the output if it fails, and what was skipped in it
quietly() {
  "$@" >"$out" 2>&1 || {
    cat "$out"
    exit 1
  }
  grep '^skipped:' "$out" || true
}
root=$PWD
out=$PWD/build/gate-${1:-}.out
mkdir -p build
jobs=$(nproc 2>/dev/null || echo 2)
npm=build/wasm-simd/npm
programs="determinism_hashes test_world_golden test_world_model_golden test_contact_solver test_contact_certificate \
  test_io_mjcf test_io_urdf test_io_obj test_io_stl test_session_log_session_log"
modules() {
  [ -d web/node_modules/@mujoco/mujoco ] || (cd web && timeout 900 npm ci --silent --no-audit --no-fund) >/dev/null 2>&1 ||
    skip "npm could not fetch the libraries of the page"
}

case ${1:-} in
  build)
    need clang-16 wasm-ld-16 llvm-ar-16 dpkg-source node npm
    js/wasm_sources.sh build/wasm-sources || skip "the sources of the libraries could not be fetched"
    cmake --preset wasm-simd -DHEFT_BUILD_TESTS=ON >/dev/null
    # shellcheck disable=SC2046,SC2086  # a list of targets: those of these programs that there are
    cmake --build --preset wasm-simd -j "$jobs" --target npm $(cmake --build --preset wasm-simd --target help |
      sed -nE 's/^([a-z_0-9]+): phony$/\1/p' | grep -xF "$(printf '%s\n' $programs)") | tail -n 3
    ;;
  bits)
    [ -e build/wasm-simd/bin/determinism_hashes.wasm ] || skip "WebAssembly was not built"
    node js/test/run.mjs build/wasm-simd/bin/determinism_hashes.wasm | diff tests/determinism/golden.txt -
    count=0
    for program in $programs; do
      if [ "$program" = determinism_hashes ] || [ ! -e "build/wasm-simd/bin/$program.wasm" ]; then continue; fi
      quietly node js/test/run.mjs "build/wasm-simd/bin/$program.wasm"
      count=$((count + 1))
    done
    echo "same bits with SIMD in node; $count other test programs pass"
    ;;
  package)
    [ -e $npm/heft.wasm ] || skip "the package was not built"
    for script in js/test/*.test.mjs; do
      quietly env HEFT_NPM=$npm HEFT_COMMAND=build/ci/bin/heft HEFT_PYTHON=build/ci/python timeout 900 node --test "$script"
    done
    node js/test/messages.mjs $npm 20000
    node js/test/soak.mjs $npm
    packaging/check_install_lines.py --here build/ci $npm browser
    HEFT_TYPESCRIPT=$PWD/build/wasm-simd/typescript sh js/test/package.sh $npm build/wasm-simd/npm-test
    ;;
  chromium)
    [ -e $npm/heft.wasm ] || skip "the package was not built"
    need chromium node npm
    modules
    # before the parts page and site, which may run beside each other: the site contains the page
    cd web
    if [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]; then quietly npm run build; else node tools/engine.mjs; fi
    cd ..
    timeout 900 node js/test/browser.mjs $npm web/node_modules
    ;;
  page)
    [ -e $npm/heft.wasm ] || skip "the package was not built"
    need chromium node npm
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "node 20 or later is needed to build the page; $(node --version) was found"
    modules
    # an installed command finds its page, without a network
    rm -rf build/page-install
    cmake --install build/ci --prefix build/page-install >"$out"
    cd web
    quietly node --test test/files-unit.mjs
    for script in viewer files xr; do quietly env HEFT="$root/build/ci/bin/heft" timeout 900 node test/$script.mjs; done
    quietly env HEFT_PYTHON="$root/build/ci/python" timeout 900 node test/serve.mjs "$root/build/page-install/bin/heft" installed
    cd ..
    quietly npm run --silent size --prefix web
    tail -n 1 "$out"
    (cd web && HEFT=$PWD/../build/ci/bin/heft timeout 900 node test/share.mjs)
    ;;
  site)
    need python3 chromium node npm
    # Not npm ci: it asks for binaries of rollup for systems that a registry need not have.
    [ -d site/node_modules/vitepress ] || (cd site && timeout 900 npm install --no-save --silent --no-audit --no-fund) >/dev/null 2>&1 ||
      skip "npm could not fetch the libraries of the site"
    mkdir -p build
    if [ -d web/node_modules/three ] && [ -e $npm/heft.wasm ]; then
      cd web
      quietly npm run gallery
      cd ..
    fi
    cd site
    quietly npm run build
    cd ..
    (cd site && timeout 900 node check.mjs)
    if [ -e build/element/heft-compare.js ]; then (cd web && quietly env timeout 900 node test/compare.mjs); fi
    if [ -e build/element/gallery/cases/cases.json ] && [ -x build/ci/bin/heft ]; then
      (cd web && HEFT=$PWD/../build/ci/bin/heft timeout 900 node test/gallery.mjs --short ../build/web-pictures)
    fi
    ;;
  *)
    echo "usage: gate.sh build|bits|package|chromium|page|site" >&2
    exit 2
    ;;
esac
