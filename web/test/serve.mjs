// SPDX-License-Identifier: Apache-2.0
// The page as a client of `heft serve`: a watcher who may not act, and a user with the token who pulls; both see it. Needs the
// built page, heft with libwebsockets, and Debian's Chromium.
// usage: node test/serve.mjs [HEFT [FOLDER of the page [FOLDER for screenshots]]]    FOLDER installed: the page that HEFT finds itself
// HEFT_PYTHON=FOLDER of the Python package: python3 -m heft shows the page, too. HEFT_LONG=1: the camera follows for a minute
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const [heft = path.join(root, 'build/ci/bin/heft'), page = path.join(root, 'build/web'), out = path.join(root, 'build/web-serve')] = process.argv.slice(2);
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
for (const [file, what] of [[heft, 'the command heft'], [path.join(page, 'index.html'), 'the built page'], [CHROMIUM, 'Chromium']]) {
  if (!fs.existsSync(file) && !file.startsWith('installed')) {
    console.log(`skipped: ${what} is missing (${file})`);
    process.exit(77);
  }
}
fs.mkdirSync(out, { recursive: true });

/** Starts a server; its addresses come from what it prints. */
async function serve(listen, ...options) {
  return serveModel(path.join(root, 'scenes/humanoid.xml'), listen, ...options);
}
async function serveModel(model, listen, ...options) {
  const child = spawn(heft, ['serve', model, '--listen', listen, ...(page === 'installed' ? [] : ['--page', page]), ...options]);
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  child.stderr.on('data', (data) => (text += data));
  for (const end = Date.now() + 30000; !text.includes('Ctrl-C') && child.exitCode === null && Date.now() < end; ) await new Promise((done) => setTimeout(done, 20));
  if (text.includes('without libwebsockets')) {
    console.log('skipped: heft was built without libwebsockets');
    process.exit(77);
  }
  const [watch, act] = text.match(/https?:\S+/g) ?? [];
  assert.ok(watch, text);
  return { watch, act, port: new URL(watch).port, end: () => new Promise((done) => child.on('exit', done).kill('SIGINT')), text: () => text };
}

let server = await serve('127.0.0.1:0', '--users', '--paused');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
const mistakes = [];

/** A browser context of its own, as another person has. */
async function visit(address, size = { width: 1000, height: 700 }) {
  const context = await browser.newContext({ viewport: size });
  const view = await context.newPage();
  view.on('console', (message) => message.type() === 'error' && /Content Security Policy|Refused to/.test(message.text()) && mistakes.push(message.text()));
  view.setDefaultTimeout(120000); // a machine may have other work
  view.on('pageerror', (error) => mistakes.push(error.message));
  await view.goto(address);
  await view.waitForFunction(() => window.heftApp?.description && window.heftApp.frame?.number > 0);
  return view;
}
const until = (view, condition, argument) => view.waitForFunction(condition, argument, { polling: 50 });
/** Place of a body in the picture, and in the world. */
const place = (view, name) =>
  view.evaluate((wanted) => {
    const { stage, description, frame } = window.heftApp;
    const body = description.names.body.indexOf(wanted);
    const mesh = stage.meshes().find((m) => m.userData.body === body);
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    stage.orbit.camera.updateMatrixWorld();
    const at = mesh.geometry.boundingSphere.center.clone().applyMatrix4(mesh.matrix).project(stage.orbit.camera);
    return { body, x: left + (width * (at.x + 1)) / 2, y: top + (height * (1 - at.y)) / 2, height: frame.bodyPoses[12 * body + 2] };
  }, name);

try {
  const watcher = await visit(server.watch);
  const user = await visit(server.act);
  assert.ok(watcher.url().endsWith('/?serve'), watcher.url());
  assert.ok(!user.url().includes('token'), 'the token is not left in the address');
  await until(user, () => window.heftApp.source.can.has('pull'));
  assert.deepEqual(await watcher.evaluate(() => [...window.heftApp.source.can]), []);
  for (const view of [watcher, user]) await until(view, () => window.heftApp.frame.users === 1 && window.heftApp.frame.watchers === 1);
  await until(watcher, () => document.getElementById('served').textContent.includes('1 watcher, 1 user'));
  console.log('ok: both are there');

  const torso = await place(watcher, 'waist');
  await watcher.mouse.move(torso.x, torso.y);
  await watcher.mouse.down();
  await watcher.mouse.move(torso.x, torso.y - 80, { steps: 5 });
  await watcher.mouse.up();
  const told = await watcher.evaluate(async (body) => {
    const { source, frame } = window.heftApp;
    const answers = [];
    const failed = source.events.failed;
    source.events.failed = (error) => answers.push(error.message);
    await source.pull(body, [0, 0, 0], [0, 0, 3]);
    await source.push(body, [0, 0, 1], [500, 0, 0]);
    await source.reset();
    for (let i = 0; i < 600 && answers.length === 0; ++i) await new Promise((done) => setTimeout(done, 50));
    await source.letGo();
    source.events.failed = failed;
    return { answers, hands: frame.hands.length };
  }, torso.body);
  assert.match(told.answers[0], /needs the token/);
  assert.equal(told.hands, 0);
  console.log('ok: the watcher may not act');

  const grip = await place(user, 'waist');
  await user.mouse.move(grip.x, grip.y);
  await user.mouse.down();
  await user.mouse.move(grip.x, grip.y - 40, { steps: 4 });
  await user.mouse.move(grip.x + 60, grip.y - 150, { steps: 8 });
  for (const view of [user, watcher]) await until(view, () => window.heftApp.frame.hands.length === 1);
  await user.keyboard.press('Space');
  for (const view of [user, watcher]) {
    await until(view, ([body, height]) => window.heftApp.frame.bodyPoses[12 * body + 2] > height + 0.1, [grip.body, grip.height]);
  }
  await watcher.screenshot({ path: path.join(out, 'watcher.png') });
  await user.screenshot({ path: path.join(out, 'user.png') });
  await user.mouse.up();
  for (const view of [user, watcher]) await until(view, () => window.heftApp.frame.hands.length === 0);
  console.log('ok: the user pulls, and both see it');

  await user.keyboard.press('Space');
  for (const view of [user, watcher]) await until(view, () => !window.heftApp.state.playing);
  const [a, b] = [await user.evaluate(() => window.heftApp.frame), await watcher.evaluate(() => window.heftApp.frame)];
  assert.equal(a.time, b.time);
  assert.deepEqual(Object.values(a.bodyPoses), Object.values(b.bodyPoses));
  await user.keyboard.press('ArrowRight');
  await until(watcher, (time) => window.heftApp.frame.time > time, b.time);
  await user.keyboard.press('Space');
  await until(watcher, () => window.heftApp.state.playing);
  console.log('ok: both see the same pause, step and run');

  const phone = await visit(server.watch, { width: 390, height: 780 });
  await phone.screenshot({ path: path.join(out, 'phone.png') });
  await phone.context().close();

  // The server ends and comes back: the page goes on.
  const { port } = server;
  await server.end();
  await until(watcher, () => document.getElementById('say').textContent.includes('no connection'));
  server = await serve(`127.0.0.1:${port}`);
  await until(watcher, () => window.heftApp.state.playing && window.heftApp.frame.time < 60);
  console.log('ok: the page finds the server again');

  // Names that are markup are text.
  const mark = '<img src=x onerror=window.hurt=1>';
  const name = mark.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const model = path.join(out, `${mark}.xml`);
  fs.writeFileSync(model, `<mujoco model="${name}"><worldbody><body name="${name}"><joint name="j ${name}" axis="0 1 0"/><geom name="${name}" size=".1"/>
    </body></worldbody><actuator><motor name="m ${name}" joint="j ${name}"/></actuator></mujoco>`);
  await server.end();
  server = await serveModel(model, '127.0.0.1:0', '--users');
  const marked = await visit(server.act);
  assert.ok((await marked.evaluate(() => window.heftApp.description.names.body)).includes(mark));
  await marked.screenshot({ path: path.join(out, 'markup.png') });
  assert.equal(await marked.locator('img[src=x]').count(), 0);
  assert.equal(await marked.evaluate(() => window.hurt), undefined);
  console.log('ok: names that are markup run nothing');

  // The camera goes with a robot that walks.
  await server.end();
  server = await serveModel('walk', '127.0.0.1:0');
  const walker = await visit(server.watch);
  const seconds = process.env.HEFT_LONG ? 60 : 3;
  walker.setDefaultTimeout(120000 + 4000 * seconds);
  await until(walker, (end) => {
    const { stage, description, frame } = window.heftApp, pelvis = 12 * description.names.body.indexOf('pelvis');
    const [x, y] = frame.bodyPoses.slice(pelvis, pelvis + 2), { target } = stage.orbit;
    window.lost = Math.max(window.lost ?? 0, Math.hypot(x - target.x, y - target.y));
    return frame.time > end && x > 0.1 * end;
  }, seconds);
  const lost = await walker.evaluate(() => window.lost);
  assert.ok(lost < 0.5, `the camera was ${lost} m beside the robot`);
  await walker.screenshot({ path: path.join(out, 'walk.png') });
  console.log(`ok: heft serve walk, followed for ${seconds} s within ${lost.toFixed(2)} m`);

  if (process.env.HEFT_PYTHON) {
    const python = spawn('/usr/bin/python3', ['-m', 'heft'], { env: { ...process.env, PYTHONPATH: process.env.HEFT_PYTHON, PYTHONDONTWRITEBYTECODE: '1', BROWSER: '/bin/true' } });
    const told = await new Promise((done) => ['stdout', 'stderr'].forEach((from) => python[from].once('data', (data) => done(String(data)))));
    const view = await (await browser.newContext()).newPage();
    await view.goto(/http\S+/.exec(told)?.[0] ?? assert.fail(told));
    await view.waitForFunction(() => window.heftApp?.frame?.time > 0.1, null, { timeout: 120000 });
    python.kill('SIGINT');
    console.log('ok: python3 -m heft shows the page, and its robot moves');
  }
  assert.deepEqual(mistakes, []);
} finally {
  await browser.close();
  await server.end();
}
console.log('ok: serve');
