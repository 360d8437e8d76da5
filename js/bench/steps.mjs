// SPDX-License-Identifier: Apache-2.0
// Time of a step of a model file in node: Heft (the npm folders that are given, by turns with the others, so that a busy
// machine is busy for all), the native command, and MuJoCo's own WebAssembly if a folder with npm's @mujoco/mujoco is given.
// Processor time of the process, the best of nine rounds.
// usage: node steps.mjs MODEL.xml [steps] [--npm FOLDER]... [--native PROGRAM] [--mujoco FOLDER]
// PROGRAM prints the microseconds of a step: PROGRAM MODEL.xml STEPS (js/bench/native.c).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const words = process.argv.slice(2);
const options = { npm: [], native: [], mujoco: [] };
const rest = [];
while (words.length) {
  const word = words.shift();
  if (word.startsWith('--')) options[word.slice(2)].push(words.shift());
  else rest.push(word);
}
const [file, steps = '2000'] = rest;
const count = Number(steps);
const xml = fs.readFileSync(file, 'utf8');
const runs = [];

for (const folder of options.npm) {
  const { init, World } = await import(pathToFileURL(path.resolve(folder, 'heft.js')));
  const heft = await init();
  const model = heft.load(xml);
  runs.push([`heft ${folder}`, () => {
    const world = new World(model);
    const { c } = heft;
    const at = world.pointer, report = world.report;
    const begin = process.cpuUsage().user;
    for (let i = 0; i < count; ++i) c.heft_world_step(report, at);
    const time = process.cpuUsage().user - begin;
    const hash = world.hash.toString(16);
    world.close();
    return [time / count, hash];
  }]);
}
for (const program of options.native) {
  runs.push([`native ${program}`, () => {
    const [time, hash] = execFileSync(program, [file, steps], { encoding: 'utf8' }).trim().split(' ');
    return [Number(time), hash];
  }]);
}
for (const folder of options.mujoco) {
  const require = createRequire(path.resolve(folder, 'x.js'));
  const load = (await import(pathToFileURL(require.resolve('@mujoco/mujoco')))).default;
  const mujoco = await load();
  mujoco.FS.writeFile('/model.xml', xml);
  const model = mujoco.MjModel.from_xml_path?.('/model.xml') ?? mujoco.MjModel.loadFromXML('/model.xml');
  runs.push(['mujoco ' + (mujoco.mj_versionString?.() ?? ''), () => {
    const data = new mujoco.MjData(model);
    const begin = process.cpuUsage().user;
    for (let i = 0; i < count; ++i) mujoco.mj_step(model, data);
    const time = process.cpuUsage().user - begin;
    data.delete();
    return [time / count, ''];
  }]);
}

const best = runs.map(() => Infinity), hashes = [];
for (let round = 0; round < 9; ++round) {
  runs.forEach(([, run], i) => {
    const [time, hash] = run();
    best[i] = Math.min(best[i], time);
    hashes[i] = hash;
  });
}
runs.forEach(([name], i) => console.log(`${name.padEnd(40)} ${best[i].toFixed(1).padStart(8)} us per step  ${hashes[i]}`));
