// SPDX-License-Identifier: Apache-2.0
// Sessions: recorded in a Worker, repeated in another one and by the native command if HEFT_COMMAND names it, and back;
// as links; branched; damaged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.HEFT_NPM ?? 'build/wasm-simd/npm';
const { RemoteWorld } = await import(pathToFileURL(folder + '/remote.js'));
const { toLink, fromLink, LINK_MAX } = await import(pathToFileURL(folder + '/link.js'));
const command = process.env.HEFT_COMMAND;
const scene = fs.readFileSync('scenes/humanoid_8.xml', 'utf8');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-session-'));
process.on('exit', () => fs.rmSync(work, { recursive: true }));
// Workers end with the tests, also where one fails.
const workers = [];
async function start() {
  workers.push(await RemoteWorld.start());
  return workers.at(-1);
}
after(() => workers.forEach((remote) => remote.close()));
const hex = (hash) => hash.toString(16).padStart(16, '0');

// A user pulls, pushes, changes controls and parameters, and goes back in time.
async function play(remote) {
  const { names, sizes } = await remote.load(scene, { main: 'humanoid_8.xml' });
  await remote.step(10);
  await remote.configure({ tolerance: 1e-7, substeps: 2 }, [{ kind: 'gravity', value: 0.9 }]); // a session begins
  await remote.step(100);
  await remote.pull(names.body[1], [0, 0, 0.1], [0.6, 0.1, 1.2], { stiffness: 2000, damping: 50 });
  await remote.step(301);
  await remote.pull(names.body[1], [0, 0, 0.1], [0.1, -0.4, 1.1], { stiffness: 2000, damping: 50 });
  await remote.step(250);
  await remote.rewind(0.05);
  await remote.rewind(0.51); // what was done between stays in the session
  await remote.step(40);
  await remote.letGo();
  await remote.push(names.body[2], [0, 0, 1], [1.5, 2, 0]);
  await remote.step(200);
  if (sizes.nactuator > 0) await remote.setControls(Array.from({ length: sizes.nactuator }, (_, i) => 0.1 * Math.sin(i)));
  await remote.step(333);
  return remote.session();
}

async function repeat(bytes) {
  const remote = await start();
  const { session } = await remote.openSession(bytes);
  const frame = await remote.step(session.steps);
  const hash = await remote.hash();
  return { remote, frame, hash, session };
}

// The native command repeats a session with the same hash, where there is one. Returns what it prints.
function repeatNatively(t, name, bytes, hash) {
  if (!command) return t.diagnostic('HEFT_COMMAND is not set: not repeated natively');
  const file = path.join(work, `${name}.mcap`);
  fs.writeFileSync(file, bytes);
  const said = execFileSync(command, ['replay', file], { encoding: 'utf8' });
  assert.ok(said.includes(hex(hash)), said);
  return said;
}

// The file with the checksums of its chunks set to 0, which means none: a change is not noticed by them. A record has its kind, its length
// in 8 bytes, and its content; that of a chunk (kind 6) has three numbers of 8 bytes before the checksum.
function withoutChecksums(bytes) {
  for (let at = 8; at + 9 <= bytes.length - 8; at += 9 + Number(bytes.readBigUInt64LE(at + 1)))
    if (bytes[at] === 6) bytes.writeUInt32LE(0, at + 9 + 24);
  return bytes;
}

test('a session is repeated with the same bits, here and natively', async (t) => {
  const remote = await start();
  const session = await play(remote);
  const hash = await remote.hash();
  assert.ok(session.actions >= 4 && session.steps > 900);

  const again = await repeat(session.bytes);
  assert.equal(again.hash, hash);
  assert.deepEqual(again.frame.session, { step: session.steps, steps: session.steps, compared: again.frame.session.compared, different: 0, done: true });
  assert.ok(again.frame.session.compared >= 2);

  // In the middle of it, back, and to the end again.
  await again.remote.rewind(0.3);
  const end = await again.remote.step(100000);
  assert.equal(await again.remote.hash(), hash);
  assert.equal(end.session.different, 0);
  await assert.rejects(again.remote.pull(1, [0, 0, 0], [0, 0, 0]), /branch\(\)/);

  // Another session from a moment of this one.
  await again.remote.rewind(0.4);
  await again.remote.branch();
  await again.remote.pull(1, [0, 0, 0], [-0.5, 0, 1]);
  await again.remote.step(150);
  const branch = await again.remote.session();
  const branchHash = await again.remote.hash();
  const third = await repeat(branch.bytes);
  assert.equal(third.hash, branchHash);
  assert.notEqual(branchHash, hash);
  assert.equal(third.frame.session.different, 0);

  // As a link.
  const link = await toLink(session.bytes);
  assert.ok(link.length < LINK_MAX / 2, `${link.length} letters`);
  assert.deepEqual(await fromLink('https://example.org/view.html#' + link), session.bytes);
  t.diagnostic(`${session.bytes.length} bytes, link of ${link.length} letters`);
  assert.equal(await fromLink('https://example.org/#nothing'), null);
  await assert.rejects(fromLink(link.slice(0, 400)), /damaged/);
  assert.equal(await toLink(session.bytes, 100), null);

  // A session without a single hash that is right.
  const text = Buffer.from(session.bytes).toString('latin1');
  const wrong = Buffer.from(text.replace(/"hash":"[0-9a-f]{16}"/g, '"hash":"0123456789abcdef"'), 'latin1');
  await assert.rejects(repeat(new Uint8Array(wrong)), /damaged/);
  const bad = await repeat(new Uint8Array(withoutChecksums(wrong)));
  assert.equal(bad.frame.session.different, bad.frame.session.compared);

  if (!command) return t.diagnostic('HEFT_COMMAND is not set: not compared with the native command');
  for (const [bytes, expected] of [[session.bytes, hash], [branch.bytes, branchHash]]) {
    const file = path.join(work, 'session.mcap');
    fs.writeFileSync(file, bytes);
    const said = execFileSync(command, ['replay', file], { encoding: 'utf8' });
    assert.match(said, /all with the same bits/);
    assert.ok(said.includes(hex(expected)), said);
  }
});

test('sessions of the native command are repeated here', { skip: command ? false : 'HEFT_COMMAND is not set' }, async () => {
  const runs = [
    ['run', 'scenes/humanoid_8.xml', '--quiet', '--time', '0.5'],
    ['run', 'walk:steps=3', '--quiet', '--time', '0.5'],
    ['run', 'scenes/quadruped.xml', '--quiet', '--time', '0.3', '--contact-model', 'penalty'],
    // A hand with a deadline in real time: the effort that was cut is in the session.
    ['feel', 'scenes/two_boxes.xml', '--quiet', '--time', '0.5', '--at', '0,0,0.45', '--scale', '2', '--device', 'emulated:touch:0 0 0 0.05; 0.3 0 0 -0.04'],
  ];
  for (const words of runs) {
    const file = path.join(work, 'native.mcap');
    execFileSync(command, [...words, '--record', file], { encoding: 'utf8' });
    const said = execFileSync(command, ['replay', file], { encoding: 'utf8' });
    const { remote, hash, frame } = await repeat(new Uint8Array(fs.readFileSync(file)));
    assert.equal(hex(hash), /state hash ([0-9a-f]{16})/.exec(said)[1], words.join(' '));
    assert.equal(frame.session.different, 0);
    assert.ok(frame.session.compared > 50);
    // A user goes on from there.
    await remote.branch();
    await remote.step(10);
    const more = await remote.session();
    const again = await repeat(more.bytes);
    assert.equal(again.hash, await remote.hash());
  }
  const acts = path.join(work, 'act.mcap');
  execFileSync(command, ['feel', 'greet', '--virtual', '--time', '1.3', '--record', acts]); // a tap on the chest
  assert.equal((await repeat(new Uint8Array(fs.readFileSync(acts)))).frame.session.different, 0);
  execFileSync(command, ['feel', 'pebbles', '--virtual', '--time', '0.2', '--record', acts]);
  const remote = await start();
  await assert.rejects(remote.openSession(new Uint8Array(fs.readFileSync(acts))), /the act 'pebbles' is not in this package/);
});

const modelFiles = (...names) => Object.fromEntries(names.map((name) => [name, fs.readFileSync(`models/${name}`, 'utf8')]));
const robot = modelFiles('hrp2_like.xml', 'hrp2_like_robot.xml');

test('a robot that walks has the native bits, is pulled, goes back in time and is repeated', async (t) => {
  const remote = await start();
  await assert.rejects(remote.load(robot, { main: 'hrp2_like.xml' }, {}, 'fly'), /the act 'fly' is not in this package, which has: walk, stand, greet, sofa, table/);
  await assert.rejects(remote.load(scene, { main: 'humanoid_8.xml' }, {}, 'walk'), /no walk can be planned|no body|no joint/);
  await remote.load(robot, { main: 'hrp2_like.xml' }, {}, 'walk');
  const ahead = await remote.step(3000);
  assert.ok(ahead.q[0] > 0.3, `it has walked ${ahead.q[0]} m`);
  if (command) {
    const said = execFileSync(command, ['run', 'walk', '--time', '3'], { encoding: 'utf8' });
    assert.equal(hex(await remote.hash()), /state hash +([0-9a-f]{16})/.exec(said)[1]);
  }
  await remote.rewind(1);
  await remote.step(2000); // the same past again
  assert.deepEqual((await remote.frame()).q, ahead.q);
  await remote.configure({ tolerance: 1e-7 }, []); // another world: the act goes on
  await remote.pull('chest', [0, 0, 0], [2, 0.3, 1], { stiffness: 1000, damping: 100 });
  const pulled = await remote.step(400);
  await remote.letGo();
  await remote.rewind(pulled.time - 0.2);
  const end = await remote.step(700);
  const hash = await remote.hash(), session = await remote.session();
  assert.equal(session.name, 'builtin:walk');
  const again = await repeat(session.bytes);
  assert.equal(again.frame.session.different, 0);
  assert.deepEqual(again.frame.q, end.q);
  await again.remote.rewind(pulled.time); // by a snapshot of the replay, with the act in it
  await again.remote.step(100_000);
  assert.equal(await again.remote.hash(), hash);
  await again.remote.reset();
  assert.ok((await again.remote.frame()).time < end.time);
  const said = repeatNatively(t, 'walk', session.bytes, hash);
  if (command) assert.match(said, /all with the same bits/);
});

test('acts see who pulls: a person gives way to a hand, here and where the session is repeated', async (t) => {
  const remote = await start();
  const scenes = { greet: ['avatar.xml', 'avatar_robot.xml'], sofa: ['hrp2_sofa.xml', 'hrp2_like_robot.xml'], table: ['hrp2_table.xml', 'hrp2_pads_robot.xml'] };
  const files = (name) => modelFiles(...scenes[name]);
  for (const name of command ? ['sofa', 'table'] : []) {
    await remote.load(files(name), { main: scenes[name][0] }, {}, name);
    await remote.step(1000);
    const said = execFileSync(command, ['run', name, '--time', '1'], { encoding: 'utf8' });
    assert.equal(hex(await remote.hash()), /state hash +([0-9a-f]{16})/.exec(said)[1], name);
  }
  const end = {};
  for (const act of ['greet', 'greet:stiff=1']) {
    await remote.load(files('greet'), { main: 'avatar.xml' }, {}, act);
    await remote.step(200);
    await remote.pull('right_hand', [0, 0, 0], [0.6, -0.3, 1.4], { stiffness: 200, damping: 20 });
    await remote.step(600);
    const { q } = await remote.rewind(0.5); // the hands of the past are seen again
    assert.ok(q.length > 0);
    end[act] = await remote.step(1500); // a hand that leads is recognised after 0.9 s
  }
  const [soft, stiff] = Object.values(end);
  assert.equal(soft.inexact + stiff.inexact, 0);
  assert.notDeepEqual(soft.q, stiff.q, 'the person gives way unless it is stiff');
  const hash = await remote.hash(), session = await remote.session();
  assert.equal((await repeat(session.bytes)).hash, hash);
  repeatNatively(t, 'greet', session.bytes, hash);
});

test('a tracked person moves an avatar, here and where the session is repeated', async (t) => {
  const remote = await start();
  await remote.load(modelFiles('avatar_table.xml', 'avatar_hands_robot.xml'), { main: 'avatar_table.xml' }, {}, 'mirror');
  const show = async (steps, angle) => {
    for (let i = 0; i < steps; i += 14) {
      const hand = (y) => [[0.3, y, 1.2 + 0.1 * Math.sin(angle * i)], [0.4, y, 1.2], [0.3, y, 1.3]];
      await remote.track([[0.1, 0, 1.6], [0.1, 0, 1.7], [0.2, 0, 1.6], ...hand(0.2), ...hand(-0.2)].flat());
      await remote.step(14);
    }
    return remote.hash();
  };
  const before = await show(210, 0.01);
  const end = await show(84, 0.02);
  assert.notDeepEqual((await remote.rewind(0.05)).q, (await remote.rewind(0.21)).q);
  assert.equal(await remote.hash(), before, 'the person of the past is seen again');
  assert.equal(await show(84, 0.02), end);
  await assert.rejects(remote.track([1, 2]), /2 points, expected 27/);
  const hash = await remote.hash(), session = await remote.session();
  assert.equal((await repeat(session.bytes)).hash, hash);
  repeatNatively(t, 'mirror', session.bytes, hash);
});

test('damaged sessions are refused and change nothing', async () => {
  const remote = await start();
  const { bytes } = await play(remote);
  const before = await remote.hash();
  let seed = 12345;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  let refused = 0;
  for (let i = 0; i < 300; ++i) {
    const copy = bytes.slice(0, i % 3 === 0 ? random(bytes.length) : bytes.length);
    for (let k = 0; k < 1 + (i % 5) && copy.length > 0; ++k) copy[random(copy.length)] = random(256);
    const other = await remote.openSession(copy).catch(() => null);
    if (!other) ++refused;
    else if (other.session.steps > 0 && other.session.steps < 2000) await remote.step(Math.min(20, other.session.steps)).catch(() => {});
  }
  assert.ok(refused > 50, `${refused} of 300 were refused`);
  // The Worker lives, and does what it did.
  await remote.load(scene, { main: 'humanoid_8.xml' });
  const again = await repeat(bytes);
  assert.equal(again.hash, before);
});
