// SPDX-License-Identifier: Apache-2.0
// Four users in node and an emulated device at `heft serve` in one world, in real time. HEFT_LONG=1: in four pages of Chromium
// (after npm ci in web/), for ten minutes or HEFT_SECONDS, and alone on the machine: a copy that is computed too late feels and
// shows too late, so that else only hashes and rollback are judged.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';

const folder = process.env.HEFT_NPM ?? 'build/wasm-simd/npm';
const command = process.env.HEFT_COMMAND ?? 'build/ci/bin/heft';
const judged = process.env.HEFT_LONG;
const seconds = judged ? Number(process.env.HEFT_SECONDS ?? 600) : 2;
const [major, minor] = process.versions.node.split('.').map(Number);
const box = (name, y) => `<body name='${name}' pos='0.6 ${y} 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.4'/></body>`;
const scene = `<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.8'/>
<geom type='box' size='0.08 0.05 0.1' pos='0 0.35 0.1'/><geom type='box' size='0.08 0.05 0.1' pos='0 -0.35 0.1'/>
<body name='plank' pos='0 0 0.22'><freejoint/><geom type='box' size='0.06 0.55 0.02' mass='1.2'/></body>
${box('a', 0.5)}${box('b', 0)}${box('c', -0.5)}</worldbody></mujoco>`;
const device = 'emulated:inverse3,hand-stiffness=1000,hand-damping=25:0 0 0 -0.065; 3.5 0 0 -0.065; 5 0 0 0.035';

// A network between the users and the server: each byte comes 20 ms later.
function far(port) {
  const late = (from, to) => {
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), 20));
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  };
  const proxy = net.createServer((near) => {
    const other = net.connect(port, '127.0.0.1');
    near.setNoDelay(true);
    other.setNoDelay(true);
    late(near, other);
    late(other, near);
  });
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)));
}

// Four users in pages, with what they saw at the end.
async function visit(address, token) {
  const { chromium } = createRequire(path.resolve('web/x.js'))('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-timer-throttling', '--disable-renderer-backgrounding'] });
  try {
    const pages = await Promise.all([0, 1, 2, 3].map(async (user) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(address);
      await page.evaluate(async (given) => {
        const [{ init }, { join }, { enter }] = await Promise.all(['heft', 'shared', 'user'].map((name) => import(`/${name}.js`)));
        window.saw = await enter(await init(), join, ...given);
      }, [address, token, user]);
      return page;
    }));
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return await Promise.all(pages.map((page) => page.evaluate(() => window.saw())));
  } finally {
    await browser.close();
  }
}

// The package and its user as the page of a server.
function makePage(place) {
  fs.mkdirSync(place);
  for (const name of fs.readdirSync(folder)) fs.copyFileSync(path.join(folder, name), path.join(place, name));
  fs.copyFileSync('js/test/shared_user.mjs', path.join(place, 'user.js'));
  fs.writeFileSync(path.join(place, 'index.html'), '<!doctype html><title>a shared world</title>');
  return place;
}

async function inNode(address, token) {
  const { stdout } = await promisify(execFile)(process.execPath,
    ['--experimental-websocket', '--no-warnings', 'js/test/shared.mjs', folder, address, token, String(seconds)], { timeout: 1000 * seconds + 60000 });
  return JSON.parse(stdout);
}

test('four users and a device share a world', { skip: major === 20 ? minor < 10 : major < 21 }, async () => {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-shared-'));
  const model = path.join(work, 'plank.xml'), token = '0123456789abcdef0123';
  fs.writeFileSync(model, scene);
  const server = spawn(command, ['serve', model, '--listen', '127.0.0.1:0', '--mode', 'attach', '--device', device, '--at', '0,0.5,0.35', '--scale', '2',
    ...(judged ? ['--page', makePage(path.join(work, 'page'))] : [])],
    { env: { ...process.env, HEFT_SERVE_TOKEN: token } });
  let told = '', ended, proxy;
  const end = new Promise((resolve) => server.on('close', (code) => resolve((ended = code))));
  server.stdout.on('data', (text) => { told += text; });
  server.stderr.on('data', (text) => { told += text; });
  try {
    while (!told.includes('Ctrl-C') && ended === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    const [, address] = /(http:\S+)/.exec(told) ?? [];
    assert.ok(address, told);
    proxy = await far(Number(/:(\d+)/.exec(address.slice(5))[1]));
    const users = await (judged ? visit : inNode)(`http://127.0.0.1:${proxy.address().port}/`, token);
    if (process.env.HEFT_SHOW) console.log(told, users);
    for (const user of users) {
      assert.equal(user.error, undefined);
      assert.equal(user.different, 0);
      assert.ok(user.compared >= (judged ? seconds - 2 : 1), `${user.compared} hashes were compared`);
      assert.ok(user.deepest * user.timeStep <= 0.2, `rollback of ${user.deepest} steps`);
      if (judged) assert.ok(user.jumps <= 0.05 * user.frames, `${user.jumps} of ${user.frames} frames have a jump`);
    }
    if (judged) assert.ok(Math.abs(users[0].weight - 0.6 * 9.81) < 0.05 * 0.6 * 9.81, `feels ${users[0].weight} N, half the plank weighs 5.886 N`);
  } finally {
    proxy?.close();
    server.kill('SIGINT');
    assert.equal(await end, 0, told);
    fs.rmSync(work, { recursive: true });
  }
  if (process.env.HEFT_SHOW) console.log(told);
  const [, ledger] = /energy ledger (\S+) J/.exec(told) ?? [];
  if (judged) assert.ok(Number(ledger) >= -1e-6, told);
});
