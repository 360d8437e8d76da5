// SPDX-License-Identifier: Apache-2.0
// The page as a person uses it, in Debian's Chromium: a robot walks and is pulled by mouse, key and finger; the hand of the humanoid is
// pulled until it falls, time goes back, panels, keys, light and dark, a phone, and a second visit without a network. Every wait is for a condition.
// usage: node test/viewer.mjs [--pictures FOLDER]    (npm run build comes first)
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf('--pictures');
const pictures = at > 0 ? path.resolve(process.argv[at + 1]) : fs.mkdtempSync(path.join(os.tmpdir(), 'heft-viewer-'));
fs.mkdirSync(pictures, { recursive: true });
const SIZE = at > 0 ? { width: 1280, height: 800 } : { width: 720, height: 480 }; // fewer pixels are drawn sooner
const PATIENCE = 120_000; // [ms] for a condition, on a busy machine

const server = await serve(process.env.HEFT_PAGE ?? path.join(here, '../../build/web'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run', '--enable-unsafe-swiftshader'],
});
const troubles = [];
const SCENES = JSON.parse(fs.readFileSync(path.join(here, '../src/scenes.json'), 'utf8'));

/** The processor time of the browser so far [s]: other work on the machine does not change it by much. */
function spent() {
  const rows = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const words = fs.readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      return [[Number(name), Number(words[1]), words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100]]; // and of children that ended
    } catch {
      return []; // it ended meanwhile
    }
  });
  const parents = new Map(rows);
  const ours = (id) => parents.get(id) === process.pid || (parents.get(id) > 1 && ours(parents.get(id)));
  return rows.reduce((sum, [id, , time]) => sum + (ours(id) ? time : 0), 0);
}
/** A clock that starts now: "1234 ms, processor 0.9 s" when it is read. */
function clock() {
  const began = Date.now(), before = spent();
  return { processor: () => spent() - before, toString: () => `${Date.now() - began} ms (processor ${(spent() - before).toFixed(1)} s)` };
}

async function visit(context, words = '') {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const wait = page.waitForFunction.bind(page); // by the clock: where pictures are drawn by the processor, they are rare
  page.waitForFunction = (condition, value, options) => wait(condition, value, { polling: 50, ...options });
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(server.address + words);
  await page.waitForFunction(() => window.heftApp?.frame && window.heftApp.stage.pictures > 0);
  if (at < 0) { // The processor draws one picture of eight: pictures are most of the work of this test.
    await page.evaluate(() => {
      const { renderer } = window.heftApp.stage, draw = renderer.render.bind(renderer);
      let count = 0;
      renderer.render = (scene, camera) => (count++ % 8 ? scene.updateMatrixWorld() : draw(scene, camera));
    });
  }
  return page;
}

const frame = (page) => page.evaluate(() => {
  const { time, step, historyEnd, same, inexact, q, report } = window.heftApp.frame;
  return { time, step, historyEnd, same, inexact, height: q[2], q: Array.from(q), status: report?.status };
});
/** The key r: the frames of before are gone when this returns. A run goes on from the start. */
async function reset(page) {
  await page.evaluate(() => {
    const { source } = window.heftApp, own = source.reset;
    window.resets = 0;
    source.reset = (...key) => own.apply(source, key).finally(() => { source.reset = own; ++window.resets; });
  });
  await page.keyboard.press('r');
  await page.waitForFunction(() => window.resets === 1);
}
const paused = (page) => page.waitForFunction(() => !window.heftApp.state.playing);
/** Waits until the picture shows the last frame, sharp. */
async function still(page) {
  await page.waitForFunction(() => {
    const { stage } = window.heftApp;
    const quiet = stage.pictures === window.lastPictures;
    window.lastPictures = stage.pictures;
    return quiet;
  }, null, { polling: 700 });
}
const shot = async (page, name) => {
  if (at < 0) return; // nobody looks
  await still(page);
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
};

/** Where a body is on the page. */
const place = (page, body) => page.evaluate((name) => {
  const { stage, description, frame: now } = window.heftApp;
  const i = description.names.body.indexOf(name);
  stage.orbit.place(stage.aspect()); // the picture of this frame may not be drawn yet
  stage.scene.updateMatrixWorld();
  const point = stage.orbit.target.clone().fromArray(now.bodyPoses, 12 * i).project(stage.orbit.camera);
  const box = stage.canvas.getBoundingClientRect();
  return { x: box.left + ((point.x + 1) / 2) * box.width, y: box.top + ((1 - point.y) / 2) * box.height };
}, body);

/** Waits until the robot of the start has walked for some seconds of its time. */
const walks = (page, seconds = 0.3) => page.waitForFunction((time) => {
  const { frame: now, description } = window.heftApp;
  return now.time > time && Math.hypot(...now.v.slice(0, 3)) > 1e-3 && description.title === 'Walking robot' && now.inexact === 0;
}, seconds);
/** Pulls until the robot is pulled: it may have walked on before the hand came, and a key holds for a moment only. */
async function pulled(page, act, end) {
  for (let i = 0; i < 20; ++i) {
    await page.evaluate(() => window.heftApp.select(null));
    await act();
    const patience = await page.evaluate(() => window.heftApp.selected) === null ? 4000 : PATIENCE;
    const done = await page.waitForFunction(() => window.heftApp.frame.pulled !== null, null, { timeout: patience }).then(() => true, () => false);
    await end();
    if (done) return;
  }
  assert.fail('the robot is not pulled');
}

try {
  const desktop = await browser.newContext({ viewport: SIZE, colorScheme: 'light' });
  let began = clock();
  const first = await visit(desktop);
  await walks(first);
  console.log(`a robot walks after ${began}`);
  const { software, pixels } = await first.evaluate(() => {
    const { stage: { software, canvas } } = window.heftApp;
    return { software, pixels: canvas.width * canvas.height };
  });
  assert.ok(software, 'the processor draws here, and the page knows it');
  assert.ok(at > 0 || pixels < 200_000, `moving pictures are coarse: ${pixels} pixels`);
  await first.waitForSelector('#hint');
  await pulled(first, async () => {
    const { x, y } = await place(first, 'chest');
    await first.mouse.move(x, y);
    await first.mouse.down();
    await first.mouse.move(x + 20, y, { steps: 2 });
  }, () => first.mouse.up());
  console.log(`and is pulled after ${began}`);
  assert.ok(began.processor() < 10, 'with two processors, 5 s are enough until the robot is pulled');
  await first.waitForFunction(() => window.heftApp.frame.pulled === null);
  assert.equal(await first.locator('#hint').isVisible(), false, 'the hint is gone');
  await pulled(first, () => first.keyboard.press('p'), () => {});
  await first.waitForFunction(() => window.heftApp.frame.pulled === null); // a key lets go by itself
  await reset(first);
  // The camera follows: the robot has left the place that the camera looked at, and the camera looks at the robot.
  const home = await first.evaluate(() => window.heftApp.stage.orbit.target.toArray());
  await first.waitForFunction(([x, y]) => {
    const { stage, description, frame: { bodyPoses } } = window.heftApp, i = 12 * description.names.body.indexOf('pelvis');
    const { target } = stage.orbit;
    return Math.hypot(bodyPoses[i] - x, bodyPoses[i + 1] - y) > 0.5 && Math.hypot(bodyPoses[i] - target.x, bodyPoses[i + 1] - target.y) < 0.25;
  }, home);
  await first.keyboard.press('Space');
  await paused(first);
  await shot(first, 'walk');
  await first.close();

  began = clock();
  const page = await visit(desktop, '?scene=humanoid_8.xml');
  console.log(`first picture of the humanoid after ${began}`);
  assert.match(await page.title(), /Humanoid/);
  await page.waitForFunction(() => window.heftApp.frame.time > 0.3);
  let now = await frame(page);
  assert.equal(now.status, 'solved');
  assert.ok(now.height > 0.9, 'it stands');
  assert.match(await page.locator('#report summary').textContent(), /solved · residual .* m\/s · inexact 0/);

  // The hand is pulled until the humanoid falls.
  const hand = await page.evaluate(() => window.heftApp.description.names.body.find((name) => /hand|forearm/.test(name)));
  const from = await place(page, hand);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.waitForFunction(() => window.heftApp.frame.pulled !== null);
  await page.mouse.move(from.x + 330, from.y + 60, { steps: 6 });
  await page.waitForFunction(() => window.heftApp.frame.q[2] < 0.8);
  if (at > 0) await page.screenshot({ path: path.join(pictures, 'pulled.png') });
  await page.mouse.up();
  await page.waitForFunction(() => window.heftApp.frame.pulled === null && window.heftApp.frame.q[2] < 0.5);
  const fallen = await frame(page);
  // When the pull begins and how fast it is depends on the machine, and so does the fall: about one of 1000 has a step
  // that misses the tolerance.
  assert.ok(fallen.inexact <= 1, `${fallen.inexact} of ${fallen.step} steps of the fall were not exact`);

  // Space pauses; the slider goes back to where it stood; going on repeats the fall with the same bits.
  await page.locator('#canvas').focus();
  await page.keyboard.press('Space');
  await paused(page);
  now = await frame(page);
  const slider = page.locator('#scrub');
  await slider.evaluate((element) => {
    element.value = '0.25';
    element.dispatchEvent(new Event('input'));
  });
  await page.waitForFunction(() => Math.abs(window.heftApp.frame.time - 0.25) < 2e-3);
  assert.ok((await frame(page)).height > 0.9, 'it stands again');
  assert.equal((await frame(page)).historyEnd, now.historyEnd, 'the future is still there');
  await shot(page, 'rewound');
  await slider.evaluate((element, time) => {
    element.value = String(time);
    element.dispatchEvent(new Event('input'));
  }, now.time);
  await page.waitForFunction((step) => window.heftApp.frame.step === step, now.step);
  assert.deepEqual((await frame(page)).q, now.q, 'the same bits');
  assert.ok((await frame(page)).same > 0);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((step) => window.heftApp.frame.step < step, now.step);
  const before = await frame(page);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((step) => window.heftApp.frame.step === step + 1, before.step);

  // Reset, a push, and the marks.
  await page.keyboard.press('r');
  await page.waitForFunction(() => window.heftApp.frame.time === 0);
  await page.keyboard.press('3');
  await page.keyboard.press('4');
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => window.heftApp.frame.step === 10 && window.heftApp.overlays.shown.has('cones'));
  const chest = await place(page, 'pelvis');
  await page.keyboard.down('Control');
  await page.mouse.click(chest.x, chest.y);
  await page.keyboard.up('Control');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => window.heftApp.frame.step === 11 && window.heftApp.frame.report.kinetic > 1);

  // Panels: plots, settings with another contact model and a ghost, joints.
  await page.keyboard.press('r');
  await page.waitForFunction(() => window.heftApp.frame.time === 0);
  await page.keyboard.press('l');
  await page.waitForSelector('#panel-plots .plot canvas');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.heftApp.frame.time > 1);
  await page.keyboard.press('Space');
  await paused(page);
  await page.waitForFunction(() => document.querySelectorAll('#panel-plots .plot canvas').length >= 4);
  await shot(page, 'plots-light');
  await page.keyboard.press('l');
  await page.keyboard.press('s');
  await page.waitForSelector('#panel-settings .lil-gui');
  await page.keyboard.press('g');
  await page.waitForFunction(() => window.heftApp.frame.ghostPoses !== null);
  await page.locator('#panel-settings select').first().selectOption({ label: 'penalty' });
  await page.waitForFunction(() => window.heftApp.description.options.contactModel === 'penalty' && window.heftApp.frame.step === 0);
  await page.locator('#canvas').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => window.heftApp.frame.step === 10);
  await page.keyboard.press('g');
  await page.waitForFunction(() => window.heftApp.frame.ghostPoses === null);
  await page.keyboard.press('s');
  await page.keyboard.press('j');
  await page.waitForSelector('#panel-joints .lil-gui');
  const knee = page.locator('#panel-joints .lil-controller', { hasText: 'left_knee' }).locator('input');
  await knee.fill('0.8');
  await knee.press('Enter');
  await page.waitForFunction(() => {
    const { description, frame: f } = window.heftApp;
    return Math.abs(f.q[description.arrays.jointQ[description.names.joint.indexOf('left_knee')]] - 0.8) < 1e-6;
  });
  await shot(page, 'joints');

  // Keys and dark.
  await page.locator('#canvas').focus();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog#help');
  await shot(page, 'help');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog#help', { state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('d');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await page.locator('#menu-button').click();
  assert.ok(await page.locator('#menu [role^=menuitem]').count() > 20);
  await shot(page, 'menu-dark');
  await page.keyboard.press('Escape');

  // Every control has a name.
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, canvas')]
    .filter((e) => !(e.getAttribute('aria-label') || e.textContent?.trim() || e.labels?.length || e.getAttribute('aria-labelledby') || e.closest('.lil-gui') || e.type === 'file'))
    .map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);

  // The other robots that act, and what falls or is carried: each moves by itself, or a hint states what to drag.
  for (const { name, file, title, act, hint } of SCENES.filter(({ name, file }) => /^(greet|sofa|table|heap.xml|moved.xml)$/.test(name ?? file))) {
    await page.locator('#scene').selectOption(name ?? file);
    await page.waitForFunction(([text, still]) => {
      const { description, frame: f, state } = window.heftApp;
      return description.title === text && state.playing && f.time > 0.2 && (still || Math.hypot(...f.v) > 0.01) && f.inexact < 3;
    }, [title, name === 'greet']);
    if (hint) assert.equal(await page.locator('#hint').textContent(), hint);
    await shot(page, act ? name : title.split(' ')[0].toLowerCase());
  }

  // A second visit needs no network.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null || navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith('heft-')));
  await desktop.setOffline(true);
  began = clock();
  const offline = await visit(desktop);
  await walks(offline);
  console.log(`without a network a robot walks after ${began}`);
  await offline.locator('#scene').selectOption({ label: 'Quadruped' });
  await offline.waitForFunction(() => /Quadruped/.test(document.title) && window.heftApp.frame.time > 0.05);
  await offline.keyboard.press('Space');
  await paused(offline);
  await shot(offline, 'quadruped-offline');
  await desktop.close();

  // A phone, by touch; in the dark, too, if somebody looks.
  for (const colorScheme of at > 0 ? ['light', 'dark'] : ['light']) {
    began = clock();
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme, reducedMotion: 'reduce' });
    const small = await visit(phone);
    await walks(small, 0.1);
    const touch = await phone.newCDPSession(small);
    const finger = (type, ...touchPoints) => touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await pulled(small, async () => {
      const { x, y } = await place(small, 'chest');
      await finger('touchStart', { x, y });
      await finger('touchMove', { x: x + 15, y });
    }, () => finger('touchEnd'));
    console.log(`a finger on a phone pulls the robot after ${began}`);
    const wide = await small.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `nothing is wider than the phone: ${wide}`);
    await small.locator('#do-play').tap();
    await paused(small);
    await shot(small, `phone-${colorScheme}`);
    await small.locator('#do-panel-plots').tap();
    await small.waitForSelector('#panel-plots .plot canvas');
    await shot(small, `phone-plots-${colorScheme}`);
    await phone.close();
  }
  assert.deepEqual(troubles.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text)), [], 'no errors in the console');
  console.log(`viewer: passed; pictures in ${pictures}`);
} finally {
  await browser.close();
  await server.close();
}
