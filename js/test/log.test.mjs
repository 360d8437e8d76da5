// SPDX-License-Identifier: Apache-2.0
// What leaves a world: logs of a run, a moment as a model; and packages of a URDF on the way in.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.HEFT_NPM ?? 'build/wasm-simd/npm';
const { init, World, HeftError } = await import(pathToFileURL(folder + '/heft.js'));
const { RemoteWorld } = await import(pathToFileURL(folder + '/remote.js'));
const heft = await init();
const scene = fs.readFileSync('scenes/humanoid_8.xml', 'utf8');
const text = (bytes) => new TextDecoder().decode(bytes);

test('a moment is a keyframe of a model', () => {
  const world = new World(heft.load(scene));
  world.step(100);
  const model = world.keyModel('now');
  const again = new World(heft.load(model.write('now.xml')));
  again.reset('now');
  assert.deepEqual(Array.from(again.q), Array.from(world.q));
  assert.deepEqual(Array.from(again.v), Array.from(world.v));
  assert.equal(again.time, world.time);
  const other = new World(model);
  assert.throws(() => other.keyModel('now'), (error) => error instanceof HeftError && /keyframe 'now' already/.test(error.message));
});

test('a run is logged while a world plays in a Worker', async () => {
  const remote = await RemoteWorld.start();
  await assert.rejects(remote.recorded(), /record\(\) comes first/);
  await remote.load(scene);
  await assert.rejects(remote.record({ formats: ['xls'] }), /'xls' is not a format/);
  await remote.record({ every: 5 });
  await assert.rejects(remote.record(), /recorded already/);
  const frame = await remote.step(50);
  assert.equal(frame.recorded.rows, 11);
  const { rows, csv, mcap, full, to } = await remote.recorded();
  assert.equal(rows, 11);
  assert.equal(full, false);
  assert.equal(to, frame.time);
  const lines = text(csv).trim().split('\n').map((line) => line.split(','));
  assert.equal(lines.length, 12);
  assert.ok(lines.every((line) => line.length === lines[0].length));
  const last = Object.fromEntries(lines[0].map((name, i) => [name, Number(lines.at(-1)[i])]));
  assert.deepEqual([last.q0, last.q2, last.v3], [frame.q[0], frame.q[2], frame.v[3]], 'all digits');
  assert.equal(last.contacts, frame.report.contactCount);
  const up = Object.entries(last).filter(([name]) => /^force .* z$/.test(name)).reduce((sum, [, force]) => sum + force, 0);
  const sum = frame.contacts.reduce((all, { bodyA, bodyB, force }) => all + (bodyB > 0 ? force[2] : 0) - (bodyA > 0 ? force[2] : 0), 0);
  assert.ok(Math.abs(up - sum) < 1e-9 && up > 0);
  assert.deepEqual(Array.from(mcap.slice(0, 5)), [0x89, 0x4d, 0x43, 0x41, 0x50]);
  assert.deepEqual(Array.from(mcap.slice(-8, -3)), [0x89, 0x4d, 0x43, 0x41, 0x50], 'the end');
  assert.ok(text(mcap).includes('foxglove.SceneUpdate'));

  // The limit ends a log; another model ends it, too.
  await remote.record({ formats: ['csv'], limit: 5000 });
  assert.equal((await remote.step(100)).recorded.full, true);
  assert.ok((await remote.recorded()).csv.length < 20000);
  await remote.record();
  await remote.load(scene);
  assert.equal((await remote.step(1)).recorded, null);

  const files = await remote.write('robot.xml', 'now');
  assert.match(text(files['robot.xml']), /<key name="now"/);
  remote.close();
});

test('packages of a URDF are folders by name', () => {
  const urdf = '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://arms/left/hand.obj"/></geometry></collision></link></robot>';
  const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n';
  const files = { 'urdf/r.urdf': urdf, 'here/hand.obj': obj };
  assert.equal(heft.load(files, { main: 'urdf/r.urdf', packages: { 'arms/left': 'here' } }).sizes.nmesh, 1);
  assert.throws(() => heft.load(files, { main: 'urdf/r.urdf' }), /the folder of package 'arms' is not known/);
});
