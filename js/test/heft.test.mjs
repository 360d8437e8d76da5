// SPDX-License-Identifier: Apache-2.0
// The package: the folder npm of a build, in HEFT_NPM.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.HEFT_NPM ?? 'build/wasm-simd/npm';
const { init, World, Batch, HeftError } = await import(pathToFileURL(folder + '/heft.js'));
const heft = await init();
const read = (name) => fs.readFileSync(name, 'utf8');
const BALL = `<mujoco><worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <body name="ball" pos="0 0 1"><freejoint name="free"/><geom type="sphere" size="0.1" mass="1"/></body>
</worldbody>
<keyframe><key name="high" qpos="0 0 5 1 0 0 0"/></keyframe></mujoco>`;

// As tests/world/test_golden.c computes it.
function golden(world, steps) {
  let hash = 0n;
  const bytes = new Uint8Array(8), view = new DataView(bytes.buffer);
  for (let i = 0; i < steps; ++i) {
    const report = world.step();
    view.setBigUint64(0, world.hash, true);
    hash = heft.hash(bytes, hash);
    view.setFloat64(0, report.relative, true);
    hash = heft.hash(bytes, hash);
  }
  return hash.toString(16).padStart(16, '0');
}

test('golden scenes have the bits of native builds', () => {
  const lines = read('tests/world/golden_scenes.txt').trim().split('\n').map((line) => line.split(/\s+/));
  for (const name of ['slope', 'cradle', 'humanoid_8', 'quadruped']) {
    const model = heft.load(read(`scenes/${name}.xml`));
    const world = new World(model);
    assert.equal(golden(world, 200), lines.find(([scene]) => scene === name)[1], name);
    world.close();
    model.close();
  }
});

test('a ball falls, lands and rests', () => {
  const model = heft.load(BALL);
  const world = new World(model, { timeStep: 1e-3 });
  assert.equal(world.timeStep, 1e-3);
  const report = world.step(2000);
  assert.equal(report.status, 'solved');
  assert.ok(Math.abs(world.time - 2) < 1e-9);
  assert.ok(Math.abs(world.bodyPose('ball').pos[2] - 0.1) < 1e-6);
  const [contact] = world.contacts;
  assert.equal(contact.state, 'sticking');
  assert.ok(Math.abs(Math.abs(contact.force[2]) - 9.81) < 0.01);
  assert.deepEqual(Array.from(world.bodyPoses.subarray(12, 15)), world.bodyPose(1).pos);
  assert.equal(world.shapePoses.length, 12 * model.sizes.nshape);
  world.reset('high');
  assert.equal(world.q[2], 5);
  world.reset();
  assert.equal(world.q[2], 1);
  world.applyForce('ball', [100, 0, 0]);
  world.step();
  assert.ok(world.v[0] > 0.05);
  world.couple({ body: 'ball', target: { rot: [1, 0, 0, 0, 1, 0, 0, 0, 1], pos: [0, 0, 3] }, stiffness: 1000, damping: 10 });
  world.step();
  assert.ok(world.v[2] > 0);
});

test('snapshots, and views after memory has grown', () => {
  const model = heft.load(BALL);
  const world = new World(model);
  world.step(100);
  const bytes = world.snapshot(), hash = world.hash;
  world.step(50);
  const later = world.hash;
  world.restore(bytes);
  assert.equal(world.hash, hash);
  world.step(50);
  assert.equal(world.hash, later);
  assert.throws(() => world.restore(bytes.slice(1)), HeftError);
  const q = world.q;
  const others = [];
  while (q.length > 0) others.push(new Batch(model, 3000)); // until memory grows
  assert.equal(world.q.length, model.sizes.nq);
  assert.equal(world.hash, later);
  others.forEach((batch) => batch.close());
});

test('mistakes tell file, line and column, and the name that was meant', () => {
  assert.throws(() => heft.load('<mujoco>\n <worldbody>\n  <geom typ="box"/>\n </worldbody></mujoco>', { main: 'robot.xml', strict: true }),
    (error) => error instanceof HeftError && error.file === 'robot.xml' && error.line === 3 && error.column > 0 &&
      error.message.startsWith('robot.xml:3:') && /typ/.test(error.reason));
  assert.throws(() => heft.load('no xml'), HeftError);
  const model = heft.load(BALL);
  const world = new World(model);
  assert.throws(() => world.bodyPose('bal'), /ball/);
  assert.throws(() => world.bodyPose(7), /there are 2/);
  assert.throws(() => new World(model, { timeSteps: 1 }), /did you mean 'timeStep'/);
  assert.throws(() => new World(model, { timeStep: 'x' }), /expected a number/);
  assert.throws(() => new World(model, { contactModel: 'exct' }), /did you mean 'exact'/);
  assert.throws(() => new World(model, { timeStep: -1 }), HeftError);
  assert.throws(() => world.setQ([1, 2, NaN]), HeftError);
  assert.throws(() => model.find('bdy', 'ball'), /not a kind/);
  world.close();
  assert.throws(() => world.step(), /closed/);
});

test('files of folders: includes and meshes; nothing outside is read', () => {
  const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  const files = {
    'robots/arm.xml': '<mujoco><include file="parts/more.xml"/><asset><mesh file="../meshes/a.obj"/></asset>' +
      '<worldbody><body name="b"><freejoint/><geom type="mesh" mesh="a"/></body></worldbody></mujoco>',
    'robots/parts/more.xml': '<mujocoinclude><option timestep="0.003"/></mujocoinclude>',
    'meshes/a.obj': new TextEncoder().encode(obj),
  };
  assert.throws(() => heft.load(files), /needs the option main/);
  const model = heft.load(files, { main: 'robots/arm.xml' });
  assert.equal(new World(model).timeStep, 0.003);
  assert.ok(model.sizes.nmesh === 1);
  const copy = heft.load(model.write('copy.xml'), { main: 'copy.xml' });
  assert.equal(copy.hash, model.hash);
  assert.equal(heft.load(model.write('m.heft')).hash, model.hash);
  assert.throws(() => heft.load('<mujoco><include file="/etc/passwd"/></mujoco>'), /no file/);
});

test('a mesh in one plane has no hull, and libpng takes broken pictures: both jump by exceptions', () => {
  const flat = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n';
  const xml = '<mujoco><asset><mesh name="a" file="a.obj"/></asset><worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>';
  const { warnings } = heft.load({ 'm.xml': xml, 'a.obj': flat });
  assert.ok(warnings.some(({ message, line, count }) => /has no convex hull/.test(message) && line === 1 && count === 1));
  const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1]);
  const field = '<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>';
  assert.throws(() => heft.load({ 'm.xml': field, 'h.png': png }), HeftError);
});

test('a batch moves as single worlds do', () => {
  const model = heft.load(BALL);
  const batch = new Batch(model, 3, { timeStep: 2e-3 });
  const world = new World(model, { timeStep: 2e-3 });
  batch.setState(1, [0, 0, 2, 1, 0, 0, 0], new Float64Array(6));
  batch.step(100);
  world.step(100);
  assert.equal(batch.hash(0), world.hash);
  assert.ok(batch.q[7 + 2] > batch.q[2] + 0.9);
  assert.throws(() => batch.hash(3), RangeError);
  batch.reset('high');
  assert.equal(batch.q[2], 5);
});

test('names, sizes and arrays of a model, threads that are not there', () => {
  const model = heft.load(read('scenes/humanoid_8.xml'));
  assert.ok(model.names('actuator').length === model.sizes.nactuator);
  assert.ok(model.arrays.bodyMass instanceof Float64Array && model.arrays.bodyMass.length === model.sizes.nbody);
  assert.ok(model.arrays.bodyParent instanceof Int32Array);
  const one = new World(model), many = new World(model, { threads: 8 });
  one.step(20);
  many.step(20);
  assert.equal(one.hash, many.hash);
});

test('memory stays the same when worlds come and go', () => {
  const model = heft.load(BALL);
  const round = () => {
    for (let i = 0; i < 50; ++i) {
      const world = new World(model);
      world.step(3);
      world.contacts;
      world.close();
      heft.load(BALL).close();
    }
    return heft.memory.buffer.byteLength;
  };
  round();
  const before = round();
  assert.equal(round(), before);
});

test('random numbers come from a module where there is no global crypto, as in node 18', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  delete globalThis.crypto;
  try {
    const model = (await init()).load('<mujoco><worldbody><geom type="sphere" size="1"/></worldbody></mujoco>');
    assert.equal(model.sizes.nq, 0);
  } finally {
    if (own) Object.defineProperty(globalThis, 'crypto', own);
  }
});
