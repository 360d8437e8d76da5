// SPDX-License-Identifier: Apache-2.0
// A session is shared in Debian's Chromium: a user pulls the humanoid, copies the link, another browser context opens it and
// sees the same bits, takes over, and saves; the native command repeats both, and its session opens in the page.
// usage: node test/share.mjs [FOLDER_OF_PICTURES]     HEFT=build/ci/bin/heft; first: npm run build
// HEFT_SECONDS=60: a long session in addition, recorded in the page and repeated natively, and the reverse.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const heft = process.env.HEFT ?? path.join(root, 'build/ci/bin/heft');
const pictures = process.argv[2] ?? path.join(root, 'build/web-pictures');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-share-'));
fs.mkdirSync(pictures, { recursive: true });
const server = await serve(path.join(root, 'build/web'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const faults = [];
async function open(address, size = { width: 1000, height: 700 }) {
  const context = await browser.newContext({ viewport: size, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => window.heftApp?.frame);
  return page;
}
const hash = (page) => page.evaluate(async () => (await window.heftApp.source.remote.hash()).toString(16).padStart(16, '0'));
const replay = (file) => execFileSync(heft, ['replay', file], { encoding: 'utf8' });

try {
  // A user pulls a body with the mouse for a while, goes back, and pulls again.
  const first = await open(server.address);
  await first.waitForFunction(() => window.heftApp.frame.time > 0.2);
  const box = await first.locator('#canvas').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (dx) => {
    await first.mouse.move(x, y);
    await first.mouse.down();
    await first.mouse.move(x + dx, y - 60, { steps: 4 });
    await first.waitForFunction((from) => window.heftApp.frame.time > from + 0.25, await first.evaluate(() => window.heftApp.frame.time));
    await first.mouse.up();
  };
  await drag(160);
  await first.evaluate(async () => window.heftApp.source.rewind(0.3));
  await first.evaluate(async () => window.heftApp.source.play(1));
  await drag(-120);
  await first.evaluate(async () => window.heftApp.source.pause());
  const done = await first.evaluate(async () => { const s = await window.heftApp.source.session(); return { actions: s.actions, steps: s.steps }; });
  assert.ok(done.actions > 0, 'the pull is in the session');
  const wanted = await hash(first);
  await first.locator('button[aria-label*="Share"], #bar button:has-text("Share")').first().click();
  const link = await first.locator('#share-link').inputValue();
  await first.screenshot({ path: path.join(pictures, 'share-dialog.png') });
  const [saved] = await Promise.all([first.waitForEvent('download'), first.locator('#share-save').click()]);
  const file = path.join(work, 'first.mcap');
  await saved.saveAs(file);
  const said = replay(file);
  assert.match(said, /all with the same bits/);
  assert.ok(said.includes(wanted), `the native command: ${said}`);

  // Another user opens the link: the same bits to the end.
  const second = await open(link);
  await second.waitForFunction(() => window.heftApp.frame.session?.done);
  assert.equal(await hash(second), wanted);
  assert.match(await second.locator('#session').innerText(), /same bits at all/);
  await second.screenshot({ path: path.join(pictures, 'share-verdict.png') });

  // He goes back, takes over, and pushes: another session, which the native command repeats, too.
  await second.evaluate(async () => window.heftApp.source.rewind(0.3));
  await second.locator('#session-branch').click();
  await second.waitForFunction(() => window.heftApp.frame.session === null);
  await second.evaluate(async () => {
    await window.heftApp.source.push(1, [0, 0, 1], [5, 0, 0]);
    await window.heftApp.source.step(400);
  });
  const other = await hash(second);
  assert.notEqual(other, wanted);
  const branch = await second.evaluate(async () => Array.from((await window.heftApp.source.session()).bytes));
  fs.writeFileSync(path.join(work, 'branch.mcap'), Buffer.from(branch));
  assert.ok(replay(path.join(work, 'branch.mcap')).includes(other));

  // A session of the native command in the page, at the size of a phone.
  const native = path.join(work, 'native.mcap');
  execFileSync(heft, ['run', path.join(root, 'scenes/humanoid_8.xml'), '--quiet', '--time', '0.4', '--record', native]);
  const third = await open(server.address + '?paused', { width: 390, height: 780 });
  await third.evaluate(async (bytes) => window.heftApp.source.openSession(new Uint8Array(bytes)), Array.from(fs.readFileSync(native)));
  await third.waitForFunction(() => window.heftApp.frame.session?.done);
  assert.ok(replay(native).includes(await hash(third)));
  await third.screenshot({ path: path.join(pictures, 'share-phone.png') });

  const seconds = Number(process.env.HEFT_SECONDS ?? 0);
  if (seconds > 0) {
    await third.evaluate(() => window.heftApp.source.branch());
    await third.selectOption('#scene', 'humanoid_8.xml');
    await third.waitForFunction(() => window.heftApp.frame.session === null && window.heftApp.frame.time > 0);
    const bytes = await third.evaluate(async (seconds) => {
      const { source } = window.heftApp;
      await source.reset();
      for (let i = 0; i < 10 * seconds; ++i) {
        const t = i / 10;
        if (i % 40 < 20) await source.pull(5, [0, 0, 0.1], [0.3 * Math.sin(t), 0.2 * Math.cos(t), 1]);
        else await source.letGo();
        await source.step(100);
      }
      return Array.from((await source.session()).bytes);
    }, seconds);
    const long = path.join(work, 'long.mcap');
    fs.writeFileSync(long, Buffer.from(bytes));
    const repeated = replay(long);
    assert.match(repeated, /all with the same bits/);
    assert.ok(repeated.includes(await hash(third)));
    execFileSync(heft, ['feel', path.join(root, 'scenes/two_boxes.xml'), '--virtual', '--time', String(seconds), '--at', '0,0,0.45', '--scale', '2', '--record', long]);
    await third.evaluate(async (data) => {
      const all = await (await fetch('data:application/octet-stream;base64,' + data)).arrayBuffer();
      await window.heftApp.source.openSession(new Uint8Array(all));
      await window.heftApp.source.step(window.heftApp.frame.session.steps);
    }, fs.readFileSync(long).toString('base64'));
    assert.equal((await third.evaluate(() => window.heftApp.frame.session)).different, 0);
    assert.ok(replay(long).includes(await hash(third)));
    console.log(`${seconds} s in the page are repeated natively, and ${seconds} s with a hand natively in the page: ${repeated.split('\n')[0]}`);
  }

  // A link that was cut.
  const broken = await open(link.slice(0, -200));
  await broken.waitForFunction(() => /damaged/.test(document.getElementById('say').textContent));
  assert.deepEqual(faults, []);
  console.log(`a session of ${done.steps} steps and ${done.actions} actions: link of ${link.length} letters; same bits in two contexts and natively, and back`);
} finally {
  await browser.close();
  await server.close();
  fs.rmSync(work, { recursive: true });
}
