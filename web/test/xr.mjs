// SPDX-License-Identifier: Apache-2.0
// The viewer in an emulated headset (npm's iwer, a Quest 3): enters, sees the robot at its size in two eyes, pulls it by the
// ray of a controller and by a near hand, walks, leaves, enters AR, and moves an avatar.
// usage: node test/xr.mjs [FOLDER_OF_PICTURES]     first: npm run build
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const pictures = process.argv[2] ?? path.join(web, '../build/web-pictures');
fs.mkdirSync(pictures, { recursive: true });
const server = await serve(path.join(web, '../build/web'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 640 } });
page.setDefaultTimeout(90_000);
const faults = [];
page.on('pageerror', (error) => faults.push(String(error)));

// Without a headset there is no button.
await page.goto(server.address + '?paused');
await page.waitForFunction(() => window.heftApp?.description);
assert.equal(await page.locator('#do-vr').count(), 0);

await page.addInitScript({ path: path.join(web, 'node_modules/iwer/build/iwer.js') });
await page.addInitScript(() => {
  const device = new window.IWER.XRDevice(window.IWER.metaQuest3, { stereoEnabled: true });
  device.installRuntime({ forceInstall: true, globalObject: window });
  device.position.set(0, 1.6, 0);
  device.controllers.right.position.set(0.2, 1.3, -0.3);
  window.device = device;
});
await page.goto(server.address + '?paused');
await page.waitForFunction(() => window.heftApp?.description);
await page.locator('#do-vr').click();
await page.waitForFunction(() => window.heftApp.stage.renderer.xr.isPresenting);
const drawn = () => page.evaluate(() => window.heftApp.stage.pictures);
const pictureAfter = (count) => page.waitForFunction((n) => window.heftApp.stage.pictures >= n, count);
await pictureAfter(await drawn() + 3);

// True size: eyes at 1.6 m above the floor, 63 mm apart, upright, looking at the robot.
const eyes = await page.evaluate(() => {
  const { renderer, ball } = window.heftApp.stage;
  const camera = renderer.xr.getCamera();
  const at = (m) => [m.elements[12], m.elements[13], m.elements[14]];
  const look = camera.cameras[0].matrixWorld.elements;
  return { places: camera.cameras.map((c) => at(c.matrixWorld)), up: [look[4], look[5], look[6]], forward: [-look[8], -look[9], -look[10]], center: ball.center.toArray() };
});
assert.equal(eyes.places.length, 2);
for (const place of eyes.places) assert.ok(Math.abs(place[2] - 1.6) < 1e-6, `an eye at ${place}`);
const apart = Math.hypot(...eyes.places[0].map((x, i) => x - eyes.places[1][i]));
assert.ok(apart > 0.05 && apart < 0.08, `eyes ${apart} m apart`);
assert.ok(eyes.up[2] > 0.999);
const way = eyes.center.map((x, i) => x - eyes.places[0][i]);
const toCenter = Math.hypot(way[0], way[1]);
assert.ok((way[0] * eyes.forward[0] + way[1] * eyes.forward[1]) / toCenter > 0.99, 'the user looks at the robot');
await page.screenshot({ path: path.join(pictures, 'xr-stereo.png') });

// Aim the right controller at a point of the world (z up): position and direction in the space of the headset.
const aim = (from, to) => page.evaluate(({ from, to }) => {
  const { scene } = window.heftApp.stage;
  const rig = scene.children.find((child) => child.children.includes(window.heftApp.stage.orbit.camera));
  rig.updateMatrixWorld(true);
  const Vector = rig.position.constructor, Quaternion = rig.quaternion.constructor;
  const a = rig.worldToLocal(new Vector(...from)), b = rig.worldToLocal(new Vector(...to));
  const turn = new Quaternion().setFromUnitVectors(new Vector(0, 0, -1), b.clone().sub(a).normalize());
  const { right } = window.device.controllers;
  right.position.set(a.x, a.y, a.z);
  right.quaternion.set(turn.x, turn.y, turn.z, turn.w);
}, { from, to });
const bodyPlace = (name) => page.evaluate((name) => {
  const body = window.heftApp.description.names.body.indexOf(name);
  return [...window.heftApp.frame.bodyPoses.slice(12 * body, 12 * body + 3)];
}, name);
const button = (name, value) => page.evaluate(({ name, value }) => window.device.controllers.right.updateButtonValue(name, value), { name, value });
const settle = async () => pictureAfter(await drawn() + 4);
const names = await page.evaluate(() => window.heftApp.description.names.body);
const target = names.find((name) => /head|torso|chest|pelvis/.test(name)) ?? names[1];

// Pull by the ray: the trigger holds, the hand moves away, and the robot follows.
const before = await bodyPlace(target);
const hand = eyes.places[0].map((x, i) => (i === 2 ? 1.2 : x + 0.2 * (before[i] - x)));
await aim(hand, before);
await settle();
await button('trigger', 1);
await page.waitForFunction(() => window.heftApp.selected !== null);
await page.evaluate(() => window.heftApp.source.play(1));
const back = hand.map((x, i) => (i === 2 ? x : x - 0.5 * (before[i] - x)));
await aim(back, before);
const pulled = (from, name) => page.waitForFunction(({ from, name }) => {
  const body = window.heftApp.description.names.body.indexOf(name);
  const p = window.heftApp.frame.bodyPoses;
  return Math.hypot(p[12 * body] - from[0], p[12 * body + 1] - from[1]) > 0.15;
}, { from, name });
await pulled(before, target);
await settle();
await page.screenshot({ path: path.join(pictures, 'xr-pull.png') });
await button('trigger', 0);
await page.evaluate(() => window.heftApp.source.pause());
await page.evaluate(() => window.heftApp.source.reset());
await settle();

// Pull by a near hand: the grip takes the body beside it, though the ray points to the sky.
const place = await bodyPlace(target);
await aim(place, [place[0], place[1], place[2] + 5]);
await settle();
await page.evaluate(() => window.heftApp.select(null));
await button('squeeze', 1);
await page.waitForFunction(() => window.heftApp.selected !== null);
await button('squeeze', 0);

// The thumbstick moves the user forwards.
const distance = () => page.evaluate(() => {
  const { renderer, ball } = window.heftApp.stage;
  const e = renderer.xr.getCamera().matrixWorld.elements;
  return Math.hypot(e[12] - ball.center.x, e[13] - ball.center.y);
});
const far = await distance();
await page.evaluate(() => window.device.controllers.right.updateAxes('thumbstick', 0, -1));
await page.waitForFunction((far) => {
  const { renderer, ball } = window.heftApp.stage;
  const e = renderer.xr.getCamera().matrixWorld.elements;
  return Math.hypot(e[12] - ball.center.x, e[13] - ball.center.y) < far - 0.3;
}, far);
await page.evaluate(() => window.device.controllers.right.updateAxes('thumbstick', 0, 0));

// The session ends: the page draws again, with its own camera.
await page.evaluate(() => window.heftApp.stage.renderer.xr.getSession().end());
await page.waitForFunction(() => !window.heftApp.stage.renderer.xr.isPresenting);
await page.evaluate(() => window.heftApp.source.step(1));
await settleOnPage();
async function settleOnPage() {
  const count = await drawn();
  await page.evaluate(() => window.heftApp.stage.redraw());
  await pictureAfter(count + 1);
}
assert.equal(await page.evaluate(() => window.heftApp.stage.orbit.camera.parent), null);
await page.screenshot({ path: path.join(pictures, 'xr-after.png') });

// AR: no sky and no floor of the scene; they come back.
await page.locator('#do-ar').click();
await page.waitForFunction(() => window.heftApp.stage.renderer.xr.isPresenting);
await pictureAfter(await drawn() + 2);
const floors = () => page.evaluate(() => window.heftApp.stage.meshes().filter((mesh) => mesh.userData.plane && mesh.visible).length);
assert.equal(await page.evaluate(() => window.heftApp.stage.scene.background), null);
assert.equal(await floors(), 0);
await page.screenshot({ path: path.join(pictures, 'xr-ar.png') });
await page.evaluate(() => window.heftApp.stage.renderer.xr.getSession().end());
await page.waitForFunction(() => !window.heftApp.stage.renderer.xr.isPresenting);
assert.equal(await floors(), 1);

// HEFT_LONG=1, alone on the machine: hands of the user move those of an avatar; both rise by as much, in its lengths. What was
// recorded repeats with the same bits.
if (process.env.HEFT_LONG) {
  await page.goto(server.address + '?scene=mirror&paused');
  await page.waitForFunction(() => window.heftApp?.description);
  await page.locator('#do-vr').click();
  await page.waitForFunction(() => window.heftApp.stage.renderer.xr.isPresenting);
  const raise = (height) => page.evaluate((height) => {
    window.device.primaryInputMode = 'hand';
    for (const [side, x] of [['left', -0.2], ['right', 0.2]]) window.device.hands[side].position.set(x, height, -0.35);
  }, height);
  // Until simulated time has gone on; the person stands still meanwhile.
  const wait = async (seconds) => {
    const begin = await page.evaluate(() => window.heftApp.frame.time);
    await page.waitForFunction((time) => window.heftApp.frame.time > time, begin + seconds, { timeout: 300_000 });
    return [(await bodyPlace('left_hand'))[2], (await bodyPlace('right_hand'))[2]];
  };
  await raise(1.2);
  await settle();
  await page.evaluate(() => window.heftApp.source.play(1));
  const low = await wait(2);
  await raise(1.4);
  await settle(); // pictures of the headset send the points
  const high = await wait(1);
  await page.screenshot({ path: path.join(pictures, 'xr-avatar.png') });
  const reach = 0.2 * (0.97 * 0.56) / (0.332 * 1.6 / 0.936); // of an arm of 0.56 m, for eyes at 1.6 m
  for (const side of [0, 1]) assert.ok(Math.abs(high[side] - low[side] - reach) < 0.02, `a hand rose by ${high[side] - low[side]} m, not ${reach}`);
  await page.evaluate(() => window.heftApp.stage.renderer.xr.getSession().end());
  await page.evaluate(() => window.heftApp.source.pause());
  const lived = await page.evaluate(async () => {
    const { source, frame } = window.heftApp;
    const hash = await source.remote.hash(), { bytes, actions } = await source.session();
    await source.remote.openSession(bytes);
    const { session } = await source.remote.step(Math.round(frame.time / 0.001));
    return { hash: String(hash), again: String(await source.remote.hash()), session, actions, bytes: [...bytes] };
  });
  assert.ok(lived.actions > 50, `${lived.actions} actions`);
  assert.equal(lived.again, lived.hash);
  assert.ok(lived.session.done && lived.session.different === 0);
  fs.writeFileSync(path.join(pictures, 'xr-avatar.mcap'), Buffer.from(lived.bytes));
  if (process.env.HEFT_COMMAND) {
    const said = execFileSync(process.env.HEFT_COMMAND, ['replay', path.join(pictures, 'xr-avatar.mcap')], { encoding: 'utf8' });
    assert.ok(said.includes(BigInt.asUintN(64, BigInt(lived.hash)).toString(16).padStart(16, '0')), said);
  }
}

await browser.close();
await server.close();
assert.deepEqual(faults, []);
console.log(`xr: the robot in two eyes at its size, pulled by ray and by hand, in VR and AR; pictures in ${pictures}`);
