// SPDX-License-Identifier: Apache-2.0
// A world in a Worker: the same bits as here, pictures while it plays, mistakes as exceptions.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.HEFT_NPM ?? 'build/wasm-simd/npm';
const { init, World, HeftError } = await import(pathToFileURL(folder + '/heft.js'));
const { RemoteWorld } = await import(pathToFileURL(folder + '/remote.js'));
const scene = fs.readFileSync('scenes/humanoid_8.xml', 'utf8');

test('a world in a Worker', async (context) => {
  const remote = await RemoteWorld.start();
  context.after(() => remote.close()); // a mistake ends the test, not the Worker
  await assert.rejects(remote.step(), /load\(\) comes first/);
  await assert.rejects(remote.load('<mujoco>\n<worldbody>', { main: 'a.xml' }), (error) => error instanceof HeftError && error.file === 'a.xml' && error.line === 2);
  const { sizes, frame, names } = await remote.load(scene);
  assert.equal(frame.bodyPoses.length, 12 * sizes.nbody);

  const heft = await init();
  const world = new World(heft.load(scene));
  world.step(30);
  const after = await remote.step(30);
  assert.equal(await remote.hash(), world.hash);
  assert.deepEqual(Array.from(after.q), Array.from(world.q));
  assert.equal(after.report.status, 'solved');

  const bytes = await remote.snapshot();
  await remote.step(10);
  await remote.restore(bytes);
  assert.equal(await remote.hash(), world.hash, 'the snapshot');

  // Pictures come while it plays; then it stands still.
  const frames = [];
  const enough = new Promise((resolve) => { remote.onframe = (f) => frames.push(f) >= 3 && resolve(); });
  await remote.play({ speed: 1, rate: 100 });
  await enough;
  const stopped = await remote.pause();
  assert.ok(frames[2].time > frames[0].time);
  assert.equal((await remote.frame()).time, stopped.time);

  // Back in time.
  await remote.reset();
  await remote.step(100);
  const back = await remote.rewind(0.05);
  assert.ok(back.time <= 0.05 + 1e-9 && back.time > 0);
  await assert.rejects(remote.rewind(-1), /not in the history/);

  // The past holds what the user did: every step comes again with the same bits, until the user acts otherwise.
  await remote.reset();
  await remote.step(40);
  await remote.pull(names.body[1], [0, 0, 0], [0.5, 0, 1], { stiffness: 2000, damping: 100 });
  await remote.step(25);
  await remote.push(names.body[1], [0, 0, 1], [5, 0, 0]);
  await remote.letGo();
  const middle = await remote.step(10);
  const middleHash = await remote.hash();
  await remote.step(70);
  const endHash = await remote.hash();
  assert.ok(Math.abs((await remote.rewind(0.02)).historyEnd - 0.145) < 1e-9);
  assert.equal((await remote.rewind(middle.time)).step, 75);
  assert.equal(await remote.hash(), middleHash, 'a step between snapshots');
  const again = await remote.step(70);
  assert.equal(await remote.hash(), endHash, 'the end of the past');
  assert.ok(again.same > 0);
  await remote.rewind(0.05);
  await remote.setJoints(7, [0.2]);
  const branched = await remote.step(95);
  assert.notEqual(await remote.hash(), endHash);
  assert.equal(branched.historyEnd, branched.time);

  // Other settings go on from the same state; a ghost keeps the former ones.
  await remote.reset();
  await remote.step(50);
  const kept = await remote.frame();
  await remote.ghost(true);
  const other = await remote.configure({ timeStep: 0.002, contactModel: 'lcp' }, [{ kind: 'gravity', value: 0.1 }]);
  assert.equal(other.timeStep, 0.002);
  assert.deepEqual(Array.from(other.frame.q), Array.from(kept.q));
  const both = await remote.step(100);
  assert.notDeepEqual(Array.from(both.ghostPoses), Array.from(both.shapePoses));
  await assert.rejects(remote.configure({ timeStep: -1 }), HeftError);
  assert.equal((await remote.ghost(false)).ghostPoses, null);
  await remote.configure({}, [{ kind: 'gravity', value: 1 }]);

  // A pull changes the motion.
  await remote.reset();
  const body = names.body[1];
  await remote.pull(body, [0, 0, 0], [1, 0, 3], { stiffness: 5000, damping: 100 });
  const pulled = await remote.step(100);
  await remote.letGo();
  await remote.reset();
  const free = await remote.step(100);
  assert.notDeepEqual(Array.from(pulled.q), Array.from(free.q));
  await assert.rejects(remote.pull('nobody', [0, 0, 0], [0, 0, 0]), HeftError);
  await assert.rejects(remote.setControls([1]), /controls, expected/);
  await assert.rejects(remote.ask('nonsense'), /no message of the type/);
  remote.close();
  await assert.rejects(remote.step(), /closed/);
});
