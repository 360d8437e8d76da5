// SPDX-License-Identifier: Apache-2.0
// The package in a browser: Debian's Chromium opens a page that loads it from a local server, steps golden scenes on the
// page and in a Worker, and compares the hashes with those of native builds. A long form, run by hand:
//   npm install playwright-core     (anywhere)
//   node js/test/browser.mjs build/wasm-simd/npm FOLDER_OF_NODE_MODULES [scene...]
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const [npm, modules, ...names] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, 'x.js'));
const { chromium } = require('playwright-core');
const scenes = names.length ? names : ['slope', 'slide', 'roll', 'bounce', 'cradle', 'rocking', 'table', 'cards', 'disk', 'stack',
  'chain', 'humanoid_8', 'pinch', 'cubes', 'quadruped', 'balls_666'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end('<!doctype html><title>heft</title>');
  }
  const file = path.join(pathname.startsWith('/scenes/') ? '.' : npm, path.normalize(pathname));
  fs.readFile(file, (error, data) => {
    response.writeHead(error ? 404 : 200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
    response.end(data);
  });
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const found = await page.evaluate(async (scenes) => {
  const { init, World } = await import('/heft.js');
  const { RemoteWorld } = await import('/remote.js');
  const heft = await init();
  const remote = await RemoteWorld.start();
  const hashes = {};
  for (const name of scenes) {
    const xml = await (await fetch(`/scenes/${name}.xml`)).text();
    const world = new World(heft.load(xml));
    const bytes = new Uint8Array(8), view = new DataView(bytes.buffer);
    let hash = 0n;
    for (let i = 0; i < 200; ++i) {
      const report = world.step();
      view.setBigUint64(0, world.hash, true);
      hash = heft.hash(bytes, hash);
      view.setFloat64(0, report.relative, true);
      hash = heft.hash(bytes, hash);
    }
    await remote.load(xml);
    await remote.step(200);
    hashes[name] = [hash.toString(16).padStart(16, '0'), (await remote.hash()) === world.hash];
    world.close();
  }
  // Time of a step in a Worker.
  await remote.load(await (await fetch('/scenes/humanoid_8.xml')).text());
  let best = Infinity;
  for (let round = 0; round < 9; ++round) {
    await remote.reset();
    const begin = performance.now();
    await remote.step(1500);
    best = Math.min(best, performance.now() - begin);
  }
  remote.close();
  return { hashes, agent: navigator.userAgent, step: (best * 1000) / 1500 };
}, scenes);
await browser.close();
server.close();

const golden = Object.fromEntries(fs.readFileSync('tests/world/golden_scenes.txt', 'utf8').trim().split('\n').map((line) => line.split(/\s+/)));
for (const [name, [hash, same]] of Object.entries(found.hashes)) {
  assert.equal(hash, golden[name], name);
  assert.ok(same, `${name} in a Worker`);
}
console.log(`${scenes.length} golden scenes have the native bits, on the page and in a Worker, in ${found.agent.match(/Chrome\/\S+/)[0]}`);
console.log(`a step of humanoid_8 in the Worker, with a snapshot each 1/30 s and its report: ${found.step.toFixed(1)} us`);
