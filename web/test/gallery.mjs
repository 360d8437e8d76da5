// SPDX-License-Identifier: Apache-2.0
// The gallery of live cases and the element <heft-scene> in Debian's Chromium: each case runs in sight and is measured; the
// differences must be within the limits of `heft validate`, and the figures those of the native command. The element loads
// when it is in sight, stands still out of sight, says what is wrong, and works in a plain page.
// usage: node test/gallery.mjs [--short] [FOLDER_OF_PICTURES] [name...]     HEFT=build/ci/bin/heft; first: npm run gallery
// --short: the element and two cases in a small window, for the gate
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const heft = process.env.HEFT ?? path.join(root, 'build/ci/bin/heft');
const built = path.join(root, 'build/element');
const short = process.argv.includes('--short');
const [pictures = path.join(root, 'build/web-pictures'), ...names] = process.argv.slice(2).filter((word) => word !== '--short');
const only = names.length || !short ? names : ['slope-sticks', 'slope-slides'];
fs.mkdirSync(pictures, { recursive: true });
const { scenes } = JSON.parse(fs.readFileSync(path.join(built, 'gallery/cases/cases.json'), 'utf8'));
const chosen = scenes.filter((scene) => !only.length || only.includes(scene.name));
for (const name of only) assert.ok(scenes.some((scene) => scene.name === name), `there is no live case ${name}`);
const native = new Map();
for (const name of new Set(chosen.map((scene) => scene.case))) {
  const { rows } = JSON.parse(execFileSync(heft, ['validate', '--json', '--scenes', path.join(root, 'scenes'), name], { encoding: 'utf8' }));
  for (const row of rows) native.set(`${name}|${row.what}`, row.value);
}

// A plain page with elements: one in sight, one far below, one that is wrong, one with its text inside.
fs.writeFileSync(path.join(built, 'plain.html'), `<!doctype html><title>plain</title><script type="module" src="./heft-scene.js"></script>
<heft-scene id="one" src="./plain.xml" controls style="width: ${short ? 160 : 480}px"></heft-scene>
<heft-scene id="wrong" src="./wrong.xml" style="width: ${short ? 160 : 480}px"></heft-scene>
<div style="height: 3000px"></div>
<heft-scene id="below" style="width: ${short ? 160 : 480}px"><script type="text/xml"><mujoco><worldbody><geom type="plane" size="2 2 1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco></script></heft-scene>`);
fs.writeFileSync(path.join(built, 'plain.xml'), '<mujoco><worldbody><geom type="plane" size="2 2 1"/><body name="box" pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1" rgba=".9 .5 .1 1"/></body></worldbody></mujoco>');
fs.writeFileSync(path.join(built, 'wrong.xml'), '<mujoco>\n<worldbody>\n<geom type="bocks"/></worldbody></mujoco>');

const server = await serve(built);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage({ viewport: short ? { width: 480, height: 360 } : { width: 1280, height: 900 } });
page.setDefaultTimeout(90_000);
const faults = [], fetched = [];
page.on('pageerror', (error) => faults.push(String(error)));
page.on('request', (request) => fetched.push(new URL(request.url()).pathname));

// ---- the element
await page.goto(server.address + 'plain.html');
const time = (id) => page.evaluate((id) => document.getElementById(id).frame?.time ?? null, id);
await page.waitForFunction(() => document.getElementById('one').frame?.time > 0.1);
await page.waitForFunction(() => /wrong.xml:3:.*bocks/.test(document.getElementById('wrong').shadowRoot.querySelector('p').textContent));
assert.equal(await time('below'), null, 'nothing runs out of sight');
await page.screenshot({ path: path.join(pictures, 'element-plain.png') });
await page.evaluate(() => document.getElementById('below').scrollIntoView());
await page.waitForFunction(() => document.getElementById('below').frame?.time > 0);
await page.waitForFunction(() => !document.getElementById('one').playing);
const stopped = await time('one');
await page.waitForFunction((from) => document.getElementById('below').frame.time > from + 0.3, await time('below'));
assert.equal(await time('one'), stopped, 'out of sight it stands still');
await page.evaluate(() => document.getElementById('one').scrollIntoView());
await page.waitForFunction((from) => document.getElementById('one').frame.time > from, stopped);
// Buttons: pause, and from the start.
const one = page.locator('#one');
await one.locator('button[aria-label="Pause"]').click();
await page.waitForFunction(() => !document.getElementById('one').playing);
await one.locator('button[aria-label="From the start"]').click();
await page.waitForFunction(() => document.getElementById('one').frame.time === 0);
await page.evaluate(() => document.getElementById('one').step(10));
assert.ok(Math.abs(await time('one') - 0.02) < 1e-9);
// It is released when the page takes it away.
await page.evaluate(() => document.getElementById('one').remove());

// ---- the gallery
fetched.length = 0;
await page.goto(server.address + `gallery/index.html?speed=${short ? 64 : 8}`);
await page.waitForSelector('article');
assert.equal(await page.locator('article').count(), scenes.length);
let worst = ['', 0];
for (const scene of chosen) {
  await page.evaluate((id) => document.getElementById(id).scrollIntoView({ block: 'center' }), scene.name);
  await page.waitForFunction((id) => ['ok', 'fails', 'error', 'disturbed'].includes(document.getElementById(id).dataset.state), scene.name);
  const { state, text, values } = await page.evaluate((id) => {
    const card = document.getElementById(id);
    return { state: card.dataset.state, text: card.querySelector('.state').textContent, values: [...card.querySelectorAll('[data-value]')].map((cell) => Number(cell.dataset.value)) };
  }, scene.name);
  assert.equal(state, 'ok', `${scene.name}: ${text}`);
  scene.rows.forEach((row, i) => {
    const error = row.relative ? Math.abs(values[i] / row.exact - 1) : Math.abs(values[i] - row.exact);
    assert.ok(error <= row.limit, `${scene.name}: ${row.what}`);
    const figure = native.get(`${scene.case}|${row.what}`);
    const apart = Math.abs(values[i] - figure) / Math.max(1, Math.abs(figure));
    assert.ok(apart <= 1e-8, `${scene.name}: ${row.what}: ${values[i]} here, ${figure} natively`);
    if (apart > worst[1]) worst = [`${scene.name}: ${row.what}`, apart];
  });
  await page.locator(`#${scene.name}`).screenshot({ path: path.join(pictures, `live-${scene.name}.png`) });
}
await page.evaluate(() => scrollTo(0, 0));
await page.waitForFunction(() => document.querySelector('article').dataset.state === 'ok');
await page.screenshot({ path: path.join(pictures, 'gallery.png') });
if (!short) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.querySelector('article').dataset.state === 'ok');
  await page.screenshot({ path: path.join(pictures, 'gallery-phone.png') });
}
assert.equal(fetched.filter((name) => name.endsWith('.wasm')).length > 0, true);
await browser.close();
await server.close();
assert.deepEqual(faults, []);
const differs = worst[0] ? `farthest from the native figure: ${worst[0]} by ${worst[1].toExponential(1)}` : 'same figures as the native program';
console.log(`gallery: ${chosen.length} of ${scenes.length} live cases tried, all within their limits; ${differs}; pictures in ${pictures}`);
