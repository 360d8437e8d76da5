// SPDX-License-Identifier: Apache-2.0
// A soak: many steps, after which the memory of the module and of node must not have grown.
//   node js/test/soak.mjs NPM_FOLDER               as in CI: 10^6 steps of a pendulum, 10^5 of a humanoid
//   node js/test/soak.mjs NPM_FOLDER --full        10^8 and 10^7: more than a day of simulated time
// A quarter of the steps warms up; then the memory of the module may not grow at all, and the heap of node by 8 MB at most.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

const [npm, form] = process.argv.slice(2);
const { init, World } = await import(pathToFileURL(path.resolve(npm, 'heft.js')));
v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
const pendulum = `<mujoco><option timestep="0.001"/><worldbody><body pos="0 0 1"><joint axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 0.3 0 -0.4" size="0.02"/></body></worldbody></mujoco>`;
const scale = form === '--full' ? 100 : 1;
const cases = [['pendulum', pendulum, 1e6 * scale], ['humanoid_8', fs.readFileSync('scenes/humanoid_8.xml', 'utf8'), 1e5 * scale]];

for (const [name, xml, count] of cases) {
  const heft = await init();
  const model = heft.load(xml);
  const world = new World(model);
  const begin = process.cpuUsage().user;
  const memory = () => (gc(), { module: heft.memory.buffer.byteLength, heap: process.memoryUsage().heapUsed });
  let before = null, time = 0;
  const PART = 1000;
  for (let done = 0; done < count; done += PART) {
    if (done >= count / 4) before ??= memory();
    const report = world.step(PART); // and what a page asks for
    assert.ok(world.contacts.length <= 64 && world.bodyPoses.length > 0);
    if (done % (100 * PART) === 0) world.restore(world.snapshot());
    assert.equal(report.status, 'solved');
    time += PART * world.timeStep;
  }
  const after = memory();
  assert.equal(after.module, before.module, `${name}: the memory of the module grew`);
  assert.ok(after.heap - before.heap < 8e6, `${name}: the heap grew by ${after.heap - before.heap} bytes`);
  const cpu = (process.cpuUsage().user - begin) * 1e-6;
  console.log(`${name}: ${count} steps, ${(time / 3600).toFixed(2)} h simulated in ${cpu.toFixed(0)} s of the processor; module ${(after.module / 2 ** 20).toFixed(1)} MB, heap ${
    ((after.heap - before.heap) / 1000).toFixed(0)} kB more; hash ${world.hash.toString(16).padStart(16, '0')}`);
}
