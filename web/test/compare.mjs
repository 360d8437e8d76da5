// SPDX-License-Identifier: Apache-2.0
// "Will it hold?" in Debian's Chromium: the element <heft-compare> as the landing page has it. MuJoCo is fetched by the button alone; its
// creep is within 5 % of the native figure, and Heft's is 0; a hand in either picture pulls both; less friction lets both slide.
// usage: node test/compare.mjs [--pictures FOLDER] [--film FOLDER]     first: npm run gallery. Pictures: 360, 1280 and 1920 pixels, light
// and dark. Film: engines.mp4, ten seconds of the worlds, by ffmpeg
// Native figure: MuJoCo 3.12.1 built by its own CMake with clang, scenes/ramp.xml, its default options: way of the crate by the time,
// from 1 to 12 s.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const NATIVE = 7.986e-3; // [m/s]
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const built = path.join(root, 'build/element');
const folder = (option) => process.argv.includes(option) ? process.argv[process.argv.indexOf(option) + 1] : null;
const pictures = folder('--pictures'), films = folder('--film');
if (!fs.readdirSync(path.join(built, 'assets')).some((name) => /^mujoco.*\.wasm$/.test(name))) {
  console.log('skipped: the page was built without MuJoCo');
  process.exit(0);
}
fs.copyFileSync(path.join(root, 'scenes/ramp.xml'), path.join(built, 'ramp.xml'));
fs.writeFileSync(path.join(built, 'compare.html'), `<!doctype html><meta name="viewport" content="width=device-width"><title>compare</title><script type="module" src="./heft-compare.js"></script>
<style>body { margin: 8px; } body.dark { background: #10171f; }</style>
<heft-compare src="./ramp.xml" body="crate" limit="0.577" zoom="1.7" style="max-width: 1152px; margin: auto"></heft-compare>
<script>if (matchMedia('(prefers-color-scheme: dark)').matches) { document.body.className = 'dark'; document.querySelector('heft-compare').setAttribute('dark', ''); }</script>`);

const server = await serve(built);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const faults = [], fetched = [];

async function visit(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto(server.address + 'compare.html');
  return page;
}
const output = (page, engine) => page.locator(`output[data-engine=${engine}]`);
const speed = async (page, engine) => Number(await output(page, engine).getAttribute('data-speed'));
const known = (page, engine) => page.waitForFunction((name) => document.querySelector('heft-compare').shadowRoot.querySelector(`output[data-engine=${name}]`).dataset.speed, engine);
const start = async (page) => {
  await page.locator('button.start').click();
  await known(page, 'mujoco');
  await known(page, 'heft');
};

// ---- a visit
const page = await visit({ viewport: { width: 360, height: 420 } });
await page.waitForFunction(() => document.querySelector('heft-compare').shadowRoot.querySelector('heft-scene').frame?.time > 0.1);
assert.ok(!fetched.some((name) => /mujoco/.test(name)), 'MuJoCo is not fetched before the comparison is started');
await start(page);
assert.match(await page.locator('.version').textContent(), /^\d+\.\d+/);
const [mujoco, heft] = [await speed(page, 'mujoco'), await speed(page, 'heft')];
assert.ok(Math.abs(mujoco / NATIVE - 1) < 0.05, `MuJoCo creeps at ${mujoco} m/s here and at ${NATIVE} natively`);
assert.ok(heft < 1e-12, `Heft creeps at ${heft} m/s`);
assert.match(await output(page, 'heft').textContent(), /^holds: 0 mm\/s$/);
assert.match(await output(page, 'mujoco').textContent(), /^creeps [\d.]+ mm\/s$/);

// ---- hands: a drag in either picture pulls both
for (const pane of ['heft-scene canvas', '.screen canvas']) {
  await page.locator('button[aria-label="From the start"]').click();
  const { x, y, width, height } = await page.locator(pane).boundingBox();
  let found = null;
  for (const [u, v] of [[0.45, 0.45], [0.4, 0.4], [0.5, 0.5], [0.45, 0.4]]) {
    await page.mouse.move(x + u * width, y + v * height);
    await page.mouse.down();
    await page.mouse.move(x + u * width + 8, y + v * height - 8, { steps: 2 });
    found = await page.waitForFunction(() => [...document.querySelector('heft-compare').shadowRoot.querySelectorAll('output[data-engine]')].every((o) => o.value === 'pulled'), null, { timeout: 1500 }).catch(() => null);
    await page.mouse.up();
    if (found) break;
  }
  assert.ok(found, `a drag in ${pane} pulls both worlds`);
}

// ---- below the limit both slide; MuJoCo's remedies are offered
const slider = page.locator('input[type=range]');
await page.locator('button[aria-label="From the start"]').click();
await slider.fill('0.4');
assert.match(await page.locator('.law').textContent(), /slides/);
await page.waitForFunction(() => [...document.querySelector('heft-compare').shadowRoot.querySelectorAll('output[data-engine]')].every((o) => o.dataset.state === 'moves' && /^sl/.test(o.value)));
await page.context().close();

// ---- pictures, to be looked at
for (const [width, height] of pictures ? [[360, 640], [1280, 800], [1920, 1080]] : []) {
  for (const colorScheme of ['light', 'dark']) {
    const shown = await visit({ viewport: { width, height }, colorScheme });
    await start(shown);
    await shown.waitForTimeout(6000);
    fs.mkdirSync(pictures, { recursive: true });
    await shown.screenshot({ path: path.join(pictures, `compare-${width}-${colorScheme}.png`) });
    await shown.context().close();
  }
}
// ---- a film: a picture every tenth of a second of the worlds' time, whatever the machine does meanwhile
if (films) {
  const shown = await visit({ viewport: { width: 960, height: 480 } }), draft = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-film-'));
  await start(shown);
  await shown.locator('button[aria-label="From the start"]').click();
  for (let i = 0; i < 100; ++i) {
    await shown.waitForFunction((time) => {
      const scene = document.querySelector('heft-compare').shadowRoot.querySelector('heft-scene');
      return scene.frame.time >= time && (scene.pause(), true);
    }, i / 10, { polling: 20 });
    await shown.screenshot({ path: path.join(draft, `${String(i).padStart(3, '0')}.png`) });
    await shown.evaluate(() => document.querySelector('heft-compare').shadowRoot.querySelector('heft-scene').play());
  }
  const { status, stderr } = spawnSync('ffmpeg', ['-loglevel', 'error', '-y', '-r', '10', '-i', path.join(draft, '%03d.png'), '-pix_fmt', 'yuv420p', '-crf', '26', path.join(films, 'engines.mp4')]);
  fs.rmSync(draft, { recursive: true });
  assert.equal(status, 0, String(stderr));
}
await browser.close();
await server.close();
assert.deepEqual(faults, []);
console.log(`compare: MuJoCo creeps at ${(1e3 * mujoco).toFixed(3)} mm/s, natively at ${1e3 * NATIVE}; Heft at ${heft} m/s`);
