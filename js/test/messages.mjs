// SPDX-License-Identifier: Apache-2.0
// Random and hostile messages to a Worker: it answers each, does not end, and what it refuses changes nothing.
// usage: node js/test/messages.mjs NPM_FOLDER [count, by default 100000] [seed]
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [npm, count = '100000', seed = '1'] = process.argv.slice(2);
const { Session } = await import(pathToFileURL(path.resolve(npm, 'session.js')));
const scene = fs.readFileSync('scenes/two_boxes.xml', 'utf8');
let state = BigInt(seed);
const random = (n) => { // xorshift of 64 bits
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(n));
};
const pick = (list) => list[random(list.length)];

const answers = [];
const session = new Session((message) => answers.push(message), () => {}); // play() never gets a turn
async function send(message) {
  answers.length = 0;
  await session.receive(message);
  return answers.find((answer) => answer.type === undefined);
}
const must = async (message) => {
  const answer = await send(message);
  assert.ok(answer.ok, answer.error?.message);
  return answer.result;
};

await must({ id: 0, type: 'init' });
await must({ id: 0, type: 'load', source: scene });
await must({ id: 0, type: 'step', count: 20 });
const recorded = (await must({ id: 0, type: 'session' })).bytes;
const snapshot = await must({ id: 0, type: 'snapshot' });

const types = Object.getOwnPropertyNames(Session.prototype).filter((name) => name.startsWith('on_')).map((name) => name.slice(3));
const fields = ['source', 'options', 'world', 'count', 'key', 'values', 'body', 'at', 'target', 'stiffness', 'damping', 'forceMax', 'point', 'impulse',
  'first', 'changes', 'on', 'formats', 'every', 'limit', 'name', 'bytes', 'time', 'speed', 'rate', 'wasm', 'kind', 'index', 'value'];
const cut = (bytes) => {
  const copy = bytes.slice(0, random(3) ? bytes.length : random(bytes.length));
  for (let i = random(4); i > 0 && copy.length; --i) copy[random(copy.length)] = random(256);
  return copy;
};
const numbers = [0, 1, -1, 0.5, 3, 1e-9, 1e300, -1e300, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 53, -0];
function value(depth = 0) {
  switch (random(depth > 2 ? 8 : 16)) {
    case 0: return undefined;
    case 1: return null;
    case 2: case 3: return pick(numbers);
    case 4: return pick(['', 'box', '__proto__', 'constructor', 'a'.repeat(1000), '<mujoco/>', '<mujoco', scene, '../../etc/passwd', 'model.xml']);
    case 5: return random(2) === 0;
    case 6: return BigInt(random(1000));
    case 7: return Array.from({ length: random(9) }, () => pick(numbers));
    case 8: return Array.from({ length: 3 }, () => random(200) / 100 - 1);
    case 9: return cut(recorded);
    case 10: return cut(snapshot);
    case 11: return new Float64Array(random(20)).fill(pick(numbers));
    case 12: return { [pick(fields)]: value(depth + 1), [pick(['timeStep', 'main', 'kind', 'a.xml', 'length', 'tolerance'])]: value(depth + 1) };
    case 13: return Array.from({ length: random(3) }, () => value(depth + 1));
    case 14: return [{ kind: pick(['gravity', 'mass', 'friction', 'box', 'nonsense']), index: pick(numbers), value: pick(numbers) }];
    default: return { 'a.xml': scene };
  }
}
function message() {
  if (random(50) === 0) return pick([null, undefined, 5, 'text', [], { id: 1 }, { type: 5 }, { type: 'receive' }, { type: 'constructor' }]);
  const made = { id: random(5), type: random(20) ? pick(types) : value() };
  for (let i = random(6); i > 0; --i) made[pick(fields)] = value();
  if (made.type === 'step' && made.count > 50) made.count = 50 + random(2) * 1e12; // long, but finite, is no mistake
  return made;
}

const begin = performance.now();
let refused = 0, taken = 0;
for (let i = 0; i < Number(count); ++i) {
  if (i % 1000 === 0) { // a world as it should be, again
    await must({ id: 0, type: 'load', source: scene });
    await must({ id: 0, type: 'step', count: 5 });
  }
  const sent = message();
  const before = session.world.hash, step = session.stepNumber, { world } = session;
  const answer = await send(sent);
  if (sent?.type === 'shown') continue;
  assert.ok(answer, `message ${i} had no answer: ${String(sent?.type)}`);
  if (answer.ok) {
    ++taken;
    continue;
  }
  ++refused;
  assert.ok(answer.error.message, `message ${i}: no reason`);
  if (session.world === world && session.stepNumber === step) assert.equal(session.world.hash, before, `message ${i} (${String(sent?.type)}) was refused and changed the state`);
  else assert.equal(sent.type, 'step', `message ${i} (${String(sent?.type)}: ${answer.error.message}) was refused and changed the world`);
}
// It still does what it did.
await must({ id: 0, type: 'openSession', bytes: recorded });
const { session: verdict } = await must({ id: 0, type: 'step', count: 20 });
assert.deepEqual([verdict.done, verdict.different], [true, 0]);
console.log(`${count} messages: ${refused} refused without a change, ${taken} taken; ${((performance.now() - begin) / 1000).toFixed(1)} s, module ${
  (session.heft.memory.buffer.byteLength / 2 ** 20).toFixed(1)} MB`);
