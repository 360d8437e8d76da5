// SPDX-License-Identifier: Apache-2.0
// Files of the user in Debian's Chromium: drops a URDF zip, a folder and single files, breaks an XML and mends it in the
// editor, saves the scene and a run, and reads both back with the native command.
// usage: node test/files.mjs [FOLDER_OF_PICTURES]     HEFT=build/ci/bin/heft, HEFT_SHARED=../shared
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';
import { close as closeModules, module, web } from './modules.mjs';

const root = path.join(web, '..');
const heft = process.env.HEFT ?? path.join(root, 'build/ci/bin/heft');
const shared = process.env.HEFT_SHARED ?? path.join(root, '../shared');
const pictures = process.argv[2] ?? path.join(root, 'build/web-pictures');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-files-'));
fs.mkdirSync(pictures, { recursive: true });
const { writeZip } = await module('src/files/zip.ts');

const server = await serve(path.join(root, 'build/web'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
page.setDefaultTimeout(90_000);
const faults = [];
page.on('pageerror', (error) => faults.push(String(error)));
await page.goto(server.address + '?paused');
await page.waitForFunction(() => window.heftApp?.description);
const picture = (name) => page.screenshot({ path: path.join(pictures, `files-${name}.png`) });
const title = () => page.evaluate(() => window.heftApp.description.title);
const shown = (name) => page.waitForFunction((name) => window.heftApp.description?.title === name && window.heftApp.frame.time > 0, name);
const problems = () => page.locator('#problems').innerText();

// As a person drops them: the browser makes entries of files and folders of the disk.
const devtools = await page.context().newCDPSession(page);
async function drop(...paths) {
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await devtools.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data });
}
function put(name, data) {
  const file = path.join(work, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, data);
  return file;
}
async function downloads(count, act) {
  const found = [];
  const done = new Promise((resolve) => {
    const take = (download) => {
      found.push(download);
      if (found.length === count) {
        page.off('download', take);
        resolve();
      }
    };
    page.on('download', take);
  });
  await act();
  await done;
  const out = {};
  for (const one of found) {
    const file = path.join(work, 'saved', one.suggestedFilename());
    await one.saveAs(file);
    out[path.extname(file).slice(1)] = file;
  }
  return out;
}
const run = (...args) => execFileSync(heft, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

// ---- a URDF with a mesh, made here: a zip of a package
const OBJ = 'v -.1 -.1 0\nv .1 -.1 0\nv .1 .1 0\nv -.1 .1 0\nv 0 0 .4\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n';
const URDF = `<robot name="pyramid">
  <link name="base"><visual><geometry><box size=".2 .2 .1"/></geometry></visual><collision><geometry><box size=".2 .2 .1"/></geometry></collision>
    <inertial><mass value="5"/><inertia ixx=".05" iyy=".05" izz=".05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="top"/><origin xyz="0 0 .05"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="50" velocity="1"/></joint>
  <link name="top"><visual><geometry><mesh filename="package://all/pyramid_description/meshes/top.obj"/></geometry></visual>
    <collision><geometry><mesh filename="package://all/pyramid_description/meshes/top.obj"/></geometry></collision>
    <inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>`;
const text = (s) => new TextEncoder().encode(s);
const zip = put('pyramid.zip', await writeZip([['pyramid_description/urdf/pyramid.urdf', text(URDF)], ['pyramid_description/meshes/top.obj', text(OBJ)]]));
await drop(zip);
await shown('pyramid.urdf');
assert.equal(await page.evaluate(() => window.heftApp.description.sizes.nmesh), 1);
await picture('zip');

// Without the mesh the page says what is missing, and takes the file afterwards.
await drop(put('alone/pyramid.urdf', URDF.replace('name="pyramid"', 'name="pyramid2"')));
await page.waitForFunction(() => /package 'all' is not known; drop the folder/.test(document.querySelector('#problems')?.textContent ?? ''));
assert.match(await problems(), /top\.obj' is not among the files; drop it/);
await picture('missing');
await drop(put('alone/top.obj', OBJ));
await page.waitForFunction(() => !/error/.test(document.querySelector('#problems')?.textContent ?? 'error'));
assert.equal(await page.evaluate(() => window.heftApp.description.sizes.nmesh), 1);

// ---- several models in a folder: the page asks
put('folder/arm.xml', '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>');
put('folder/leg.xml', '<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>');
put('folder/notes.txt', 'nothing');
await drop(path.join(work, 'folder'));
await page.locator('#choose button', { hasText: 'leg.xml' }).waitFor();
await picture('choose');
await page.locator('#choose button', { hasText: 'leg.xml' }).click();
await shown('leg.xml');
const before = await title();
await drop(put('notes.txt', 'no model'));
await page.waitForFunction(() => /there is no model among 'notes.txt'/.test(document.querySelector('#say').textContent));
assert.equal(await title(), before);
// Hostile: a zip that leaves its folder changes nothing.
const evil = Buffer.from(await writeZip([['xx/evil.xml', text('<mujoco/>')]]));
const at = [evil.indexOf('xx/evil'), evil.lastIndexOf('xx/evil')];
for (const place of at) evil.write('../evil', place);
await drop(put('evil.zip', evil));
await page.waitForFunction(() => /leaves its folder by '\.\.'/.test(document.querySelector('#say').textContent));
assert.equal(await title(), before);

// ---- names that are markup are shown as text: of files, models, bodies, joints, motors, sensors, and in messages
const MARK = '<img src=x onerror=window.hurt=1>';
const escaped = MARK.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const NAMED = `<mujoco model="${escaped}"><worldbody><body name="${escaped}" pos="0 0 1"><joint name="j ${escaped}" axis="0 1 0"/>
  <geom name="g ${escaped}" size=".1"/></body></worldbody><actuator><motor name="m ${escaped}" joint="j ${escaped}"/></actuator>
  <sensor><jointpos name="s ${escaped}" joint="j ${escaped}"/></sensor></mujoco>`;
const harmless = async (where) => {
  assert.ok((await page.evaluate(() => document.body.innerText)).includes(MARK), `${where}: the name is shown`);
  assert.equal(await page.locator('img[src=x]').count(), 0, `${where}: markup became an element`);
  assert.equal(await page.evaluate(() => window.hurt), undefined, `${where}: a script of a name ran`);
};
put(`markup/a ${MARK}.xml`, NAMED);
put(`markup/b ${MARK}.xml`, NAMED.replace('type="', 'kind="').replace('size=', `type="${escaped}" size=`));
await drop(path.join(work, 'markup'));
await page.locator('#choose button', { hasText: 'a <img' }).waitFor();
await harmless('the choice of a model');
await page.locator('#choose button', { hasText: 'a <img' }).click();
await shown(`a ${MARK}.xml`);
for (const panel of await page.evaluate(() => [...window.heftApp.panels.all.keys()])) {
  await page.evaluate((name) => window.heftApp.panels.set(name, true), panel);
}
await harmless('the world');
await page.evaluate(() => (window.hurt = undefined));
await drop(path.join(work, `markup/b ${MARK}.xml`));
await page.waitForFunction(() => /error/.test(document.querySelector('#problems')?.textContent ?? ''));
await harmless('a message');
await picture('markup');
await drop(path.join(work, 'folder/leg.xml'));
await shown('leg.xml');

// ---- a mistake in an XML: shown at its place, mended in the editor
const SCENE = `<mujoco model="tower">
  <worldbody>
    <geom name="floor" type="plane" size="3 3 1"/>
    <body name="low" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" rgba=".2 .5 .9 1"/></body>
    <body name="high" pos="0 0 .3"><freejoint/><geom type="boxx" size=".1 .1 .1" rgba=".9 .6 .2 1"/></body>
  </worldbody>
</mujoco>
`;
await drop(put('tower.xml', SCENE));
await page.waitForFunction(() => /tower.xml:5/.test(document.querySelector('#problems')?.textContent ?? ''));
const message = await problems();
assert.match(message, /tower\.xml:5:\d+ error: .*boxx/);
const native = (() => {
  try {
    return run('check', path.join(work, 'tower.xml'));
  } catch (error) {
    return error.stdout + error.stderr;
  }
})();
const place = /tower\.xml:(\d+):(\d+)/.exec(native);
assert.ok(message.includes(`tower.xml:${place[1]}:${place[2]}`), `the place of the native command: ${native}`);
assert.equal(await title(), before, 'the former world stays');
assert.ok(await page.locator('.editor .mark').isVisible());
const mark = await page.evaluate(() => {
  const box = document.querySelector('#source').getBoundingClientRect(), line = document.querySelector('.editor .mark').getBoundingClientRect();
  return Math.round((line.top - box.top + document.querySelector('#source').scrollTop) / 18) + 1;
});
assert.equal(mark, 5);
await picture('error');
await page.locator('#source').fill(SCENE.replace('boxx', 'box'));
await page.locator('#reload').click();
await shown('tower.xml');
assert.match(await problems(), /No errors/);
await picture('mended');

// Ctrl + Enter; warnings are listed.
await page.locator('#source').fill(SCENE.replace('boxx', 'box').replace('size=".1 .1 .1" rgba=".9', 'size=".1 .1 .1" solref=".5 1" rgba=".9'));
await page.locator('#source').press('Control+Enter');
await page.waitForFunction(() => /tower\.xml:5.*warning: .*solref/.test(document.querySelector('#problems').textContent));
await page.evaluate(() => window.heftApp.panels.set('editor', false));

// ---- saved: the scene with its state, and a run; read by the native command
await page.evaluate(() => {
  window.heftApp.panels.set('export', true);
});
await page.locator('#record').waitFor();
await page.locator('#record-every').fill('5');
await page.locator('#record').click();
await page.waitForFunction(() => (window.heftApp.frame.recorded?.rows ?? 0) > 20);
await picture('record');
const logs = await downloads(2, () => page.locator('#record').click());
await page.evaluate(() => window.heftApp.source.pause());
const state = await page.evaluate(() => ({ q: [...window.heftApp.frame.q], v: [...window.heftApp.frame.v], time: window.heftApp.frame.time }));
const { xml } = await downloads(1, () => page.locator('#save-mjcf').click());
assert.match(run('check', xml), /1 of 1 files ok/);
run('run', '--key', 'saved', '--time', '0.02', '--log', path.join(work, 'again.csv'), xml);
const table = (file) => fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
const again = table(path.join(work, 'again.csv'));
assert.deepEqual(again[1].slice(1, 1 + state.q.length).map(Number), state.q, 'the native run begins in the saved state, to the last digit');
const csv = table(logs.csv);
assert.ok(csv.length > 21 && csv.every((line) => line.length === csv[0].length));
assert.deepEqual(csv[0].slice(0, again[0].length), again[0], 'the columns of heft run --log, then forces');
assert.match(run('info', logs.mcap), /degrees of freedom  12/);
const inLog = JSON.parse(run('info', '--json', logs.mcap));
assert.ok(inLog);
run('run', '--time', '0.01', logs.mcap);
const { heft: compiled } = await downloads(1, () => page.locator('#save-heft').click());
assert.match(run('check', compiled), /1 of 1 files ok/);

// With meshes it is a zip file, whose model runs natively.
await drop(zip);
await shown('pyramid.urdf');
const { zip: saved } = await downloads(1, () => page.locator('#save-mjcf').click());
execFileSync('python3', ['-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])', saved, path.join(work, 'unpacked')]);
assert.match(run('check', path.join(work, 'unpacked/pyramid.xml')), /1 of 1 files ok/);
run('run', '--key', 'saved', '--time', '0.05', path.join(work, 'unpacked/pyramid.xml'));

// ---- a robot of the shared models, as a zip and as a folder
const robot = path.join(shared, 'models/urdf/talos_data');
if (fs.existsSync(robot)) {
  await page.evaluate(() => window.heftApp.panels.set('export', false));
  const files = fs.readdirSync(robot, { recursive: true }).map(String).filter((name) => fs.statSync(path.join(robot, name)).isFile());
  const talos = await writeZip(files.map((name) => [`talos_data/${name}`, new Uint8Array(fs.readFileSync(path.join(robot, name)))]));
  await drop(put('talos.zip', talos));
  await page.locator('#choose button', { hasText: 'talos_reduced.urdf' }).first().click();
  await shown('talos_reduced.urdf');
  await picture('talos');
  assert.ok(await page.evaluate(() => window.heftApp.description.sizes.nmesh) > 20);
} else {
  console.log(`skipped: a robot from ${robot}, which is absent`);
}
await page.setViewportSize({ width: 390, height: 844 });
await page.evaluate(() => window.heftApp.panels.set('editor', true));
await page.locator('#source').waitFor();
await picture('phone');

await browser.close();
await server.close();
await closeModules();
assert.deepEqual(faults, []);
fs.rmSync(work, { recursive: true });
console.log(`files: dropped, broken, mended, saved and read by ${path.basename(heft)}; pictures in ${pictures}`);
