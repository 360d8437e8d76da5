// SPDX-License-Identifier: Apache-2.0
// A snapshot of a native world goes on in WebAssembly with the same bits, and back. The native side is the Python package
// in the folder HEFT_PYTHON; without it the tests are skipped.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const { init, World } = await import(pathToFileURL((process.env.HEFT_NPM ?? 'build/wasm-simd/npm') + '/heft.js'));
const heft = await init();
const skip = process.env.HEFT_PYTHON && fs.existsSync(process.env.HEFT_PYTHON + '/heft') && fs.existsSync('/usr/bin/python3') ? false : 'HEFT_PYTHON does not name the Python package';
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-snapshot-'));
process.on('exit', () => fs.rmSync(work, { recursive: true }));

// Runs a program with a world of the scene; returns what it prints.
function native(scene, program) {
  const text = `import heft\nworld = heft.World(heft.load("scenes/${scene}"))\n${program}\nprint(format(world.hash(), "x"))`;
  return execFileSync('/usr/bin/python3', ['-c', text], { env: { ...process.env, PYTHONPATH: process.env.HEFT_PYTHON }, encoding: 'utf8' }).trim();
}

for (const scene of ['humanoid_8.xml', 'quadruped.xml', 'pyramid.xml']) {
  test(`a snapshot of ${scene} moves between native and WebAssembly`, { skip }, () => {
    const file = path.join(work, scene);
    const end = native(scene, `world.step(200)\nopen("${file}", "wb").write(world.snapshot())\nworld.step(200)`);
    const world = new World(heft.load(fs.readFileSync('scenes/' + scene, 'utf8')));
    world.restore(fs.readFileSync(file));
    world.step(200);
    assert.equal(world.hash.toString(16), end);
    fs.writeFileSync(file, world.snapshot());
    world.step(100);
    assert.equal(native(scene, `world.restore(open("${file}", "rb").read())\nworld.step(100)`), world.hash.toString(16));
  });
}
