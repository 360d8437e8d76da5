// SPDX-License-Identifier: Apache-2.0
// Files of the user, without a browser: zip files of friends and of enemies, the choice of the model, packages, missing files.
// usage: node test/files-unit.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { after, test } from 'node:test';
import { close, module } from './modules.mjs';

const { readZip, writeZip, cleanPath, crc32, isZip, ZipError } = await module('src/files/zip.ts');
const { addFiles, candidates, references, resolve, rootElement, missingText } = await module('src/files/file-set.ts');
after(close);

const bytes = (text) => new TextEncoder().encode(text);
const text = (data) => new TextDecoder().decode(data);
const LIMITS = { entries: 20, file: 1000, total: 3000, path: 60 };

// An archive by hand: each entry may lie about everything.
function archive(entries, change = {}) {
  const parts = [], rows = [];
  let at = 0;
  for (const entry of entries) {
    const data = entry.data ?? new Uint8Array();
    const packed = entry.packed ?? (entry.method === 0 ? data : zlib.deflateRawSync(data));
    const name = bytes(entry.name ?? 'a.xml');
    const fields = (view, first) => {
      view.setUint16(first, 20, true);
      view.setUint16(first + 2, entry.flags ?? 0x800, true);
      view.setUint16(first + 4, entry.method ?? 8, true);
      view.setUint32(first + 10, entry.crc ?? crc32(data), true);
      view.setUint32(first + 14, entry.packedSize ?? packed.length, true);
      view.setUint32(first + 18, entry.size ?? data.length, true);
      view.setUint16(first + 22, name.length, true);
    };
    const head = new DataView(new ArrayBuffer(30)), row = new DataView(new ArrayBuffer(46));
    fields(head, 4);
    fields(row, 6);
    head.setUint32(0, 0x04034b50, true);
    row.setUint32(0, 0x02014b50, true);
    row.setUint32(38, entry.attributes ?? 0, true);
    row.setUint32(42, entry.at ?? at, true);
    const own = entry.at === undefined ? [new Uint8Array(head.buffer), name, packed] : [];
    parts.push(...own);
    rows.push(new Uint8Array(row.buffer), name);
    at += own.reduce((sum, part) => sum + part.length, 0);
  }
  const size = rows.reduce((sum, part) => sum + part.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, change.count ?? entries.length, true);
  end.setUint16(10, change.count ?? entries.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, change.start ?? at, true);
  return new Uint8Array(Buffer.concat([...parts, ...rows, new Uint8Array(end.buffer)]));
}

test('what is written is read again, and by others', async () => {
  const files = new Map([['robot/a.xml', bytes('<mujoco/>'.repeat(100))], ['robot/ä.bin', Uint8Array.from({ length: 999 }, (_, i) => (i * i * 31) & 255)], ['empty', new Uint8Array()]]);
  const zip = await writeZip(files);
  assert.ok(isZip(zip));
  assert.deepEqual(await readZip(zip), files);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-zip-'));
  fs.writeFileSync(path.join(folder, 'a.zip'), zip);
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(sorted((i.filename, i.file_size) for i in z.infolist()))';
  assert.equal(execFileSync('python3', ['-c', script, path.join(folder, 'a.zip')], { encoding: 'utf8' }).trim(), "[('empty', 0), ('robot/a.xml', 900), ('robot/ä.bin', 999)]");
  const other = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED); z.writestr("r/b.urdf", "<robot/>" * 50); z.writestr("r/", ""); z.writestr("__MACOSX/x", "x"); z.comment = b"PK and a comment"';
  execFileSync('python3', ['-c', other, path.join(folder, 'b.zip')]);
  const read = await readZip(new Uint8Array(fs.readFileSync(path.join(folder, 'b.zip'))));
  assert.deepEqual([...read.keys()], ['r/b.urdf']);
  assert.equal(text(read.get('r/b.urdf')).length, 400);
  fs.rmSync(folder, { recursive: true });
});

test('hostile archives are refused with a reason', async () => {
  const refused = (zip, reason) => assert.rejects(readZip(zip, LIMITS), (error) => error instanceof ZipError && reason.test(error.message), String(reason));
  const zeros = new Uint8Array(900);
  await refused(new Uint8Array(10), /too short/);
  await refused(new Uint8Array(500), /its end is missing/);
  for (const name of ['../a.xml', 'a/../../b', 'a/..\\..\\b']) await refused(archive([{ name }]), /leaves its folder/);
  for (const name of ['/etc/passwd', 'C:\\x', '\\x']) await refused(archive([{ name }]), /root of a disk/);
  await refused(archive([{ name: 'a\u0000b' }]), /control character/);
  await refused(archive([{ name: 'x'.repeat(61) }]), /61 characters/);
  await refused(archive(Array.from({ length: 21 }, (_, i) => ({ name: `${i}` }))), /21 entries/);
  await refused(archive([{ data: zeros, size: 1001 }]), /1001 bytes; at most 1000/);
  await refused(archive([0, 1, 2, 3].map((i) => ({ name: `${i}`, data: zeros }))), /more than 3000 bytes/);
  // A bomb that states a small size: it ends at the stated size.
  await refused(archive([{ data: bytes('a'), packed: zlib.deflateRawSync(new Uint8Array(50_000_000)) }]), /longer than the archive says \(1 bytes\)/);
  await refused(archive([{ data: zeros, size: 901 }]), /has 900 bytes; the archive says 901/);
  await refused(archive([{ data: zeros, crc: 1 }]), /checksum/);
  await refused(archive([{ data: zeros, method: 0, size: 800 }]), /longer than/);
  await refused(archive([{ data: zeros, packed: Uint8Array.of(7, 7, 7) }]), /bytes are broken/);
  await refused(archive([{ method: 12 }]), /method 12/);
  await refused(archive([{ flags: 1 }]), /encrypted/);
  await refused(archive([{ attributes: (0xa1ff << 16) >>> 0 }]), /symbolic link/);
  await refused(archive([{ name: 'a', data: zeros }, { name: 'a', data: zeros }]), /twice/);
  await refused(archive([{ name: 'a', data: zeros }, { name: 'b', data: zeros, at: 0 }]), /share bytes/);
  await refused(archive([{ data: zeros, packedSize: 5000 }]), /beyond the end/);
  await refused(archive([{ at: 4000 }]), /not where/);
  await refused(archive([{}], { count: 9 }), /entry 2 of the archive is broken/);
  await refused(archive([{}], { start: 0xffff }), /list of files/);
  await refused(archive([{}], { count: 0xffff }), /zip64/);
  assert.equal(cleanPath('./a//b\\c'), 'a/b/c');
});

test('no bytes make the reader hang, crash or exceed its limits', async () => {
  const good = archive([{ name: 'a.xml', data: bytes('<mujoco/>') }, { name: 'b/c.stl', data: Uint8Array.from({ length: 300 }, (_, i) => i) }]);
  let random = 12345;
  const next = (n) => ((random = (Math.imul(random, 1103515245) + 12345) >>> 0) >>> 9) % n;
  let taken = 0;
  for (let round = 0; round < 3000; ++round) {
    const bad = good.slice(0, next(4) === 0 ? next(good.length) : good.length);
    for (let k = next(4); k >= 0 && bad.length; --k) bad[next(bad.length)] = next(256);
    try {
      const files = await readZip(bad, LIMITS);
      ++taken;
      for (const [name, data] of files) assert.ok(name.length <= 60 && data.length <= 1000);
    } catch (error) {
      assert.ok(error instanceof ZipError, String(error));
    }
  }
  assert.ok(taken > 50);
});

test('the model among many files', async () => {
  assert.equal(rootElement('<?xml version="1.0"?>\n<!-- <robot> -->\n<mujoco model="a">'), 'mujoco');
  const set = new Map();
  await addFiles(set, [
    ['g1/scene.xml', bytes('<mujoco><include file="g1.xml"/></mujoco>')], ['g1/g1.xml', bytes('<mujoco><compiler meshdir="assets"/></mujoco>')],
    ['g1/assets/a.stl', bytes('solid')], ['g1/package.xml', bytes('<package format="2"/>')], ['g1/README.md', bytes('hi')],
  ]);
  const found = candidates(set);
  assert.deepEqual(found.map(({ path: p, part }) => [p, part]), [['g1/scene.xml', false], ['g1/g1.xml', true]]);
  const broken = new Map([['a.xml', bytes('<mujoco')], ['b.urdf', bytes('')], ['c.heft', bytes('x')], ['d.sdf', bytes('<sdf/>')]]);
  assert.deepEqual(candidates(broken).map(({ path: p, kind }) => [p, kind]), [['a.xml', 'MJCF'], ['b.urdf', 'URDF'], ['c.heft', 'compiled']]);
  await assert.rejects(addFiles(new Map(), [['../x', bytes('')]]), ZipError);
  await assert.rejects(addFiles(new Map(), Array.from({ length: 21 }, (_, i) => [`${i}`, bytes('')]), LIMITS), /more than 20 files/);
  const inZip = new Map();
  await addFiles(inZip, [['r.zip', await writeZip([['r/r.urdf', bytes('<robot/>')]])], ['extra.stl', bytes('x')]]);
  assert.deepEqual([...inZip.keys()], ['r/r.urdf', 'extra.stl']);
});

test('names of files in a model, with their lines', () => {
  const xml = '<mujoco>\n<!-- <mesh file="no.stl"/> -->\n<asset>\n<mesh name="a" file="a.stl"/>\n  <mesh\n file=\'b.stl\' /></asset><plugin filename="x.so"/></mujoco>';
  assert.deepEqual(references(xml), [{ name: 'a.stl', element: 'mesh', line: 4 }, { name: 'b.stl', element: 'mesh', line: 5 }]);
});

test('packages are found by the ends of paths', () => {
  const urdf = (name) => bytes(`<robot><link><visual><geometry><mesh filename="${name}"/></geometry></visual></link></robot>`);
  const packages = (name, ...paths) => {
    const set = new Map([['robot/urdf/r.urdf', urdf(name)], ...paths.map((p) => [p, bytes('x')])]);
    const found = resolve(set, 'robot/urdf/r.urdf');
    return { ...found.packages, missing: found.missing.length };
  };
  assert.deepEqual(packages('package://robot/meshes/a.stl', 'robot/meshes/a.stl'), { robot: 'robot', missing: 0 });
  assert.deepEqual(packages('package://all/robots/robot/meshes/a.stl', 'robot/meshes/a.stl'), { 'all/robots': '.', missing: 0 });
  assert.deepEqual(packages('package://robot_description/meshes/v/a.stl', 'robot/meshes/v/a.stl', 'robot/meshes/c/a.stl'), { robot_description: 'robot', missing: 0 });
  assert.deepEqual(packages('package://x/a.stl', 'robot/b.stl'), { missing: 1 });
  assert.deepEqual(packages('package://x/a.stl', 'v/a.stl', 'c/a.stl'), { missing: 1 }, 'two that are as good');
  assert.deepEqual(packages('package://x/__proto__/constructor', 'robot/b.stl'), { missing: 1 });
});

test('files that lie elsewhere, and files that are missing', () => {
  const set = new Map([
    ['r.xml', bytes('<mujoco><compiler meshdir="assets"/><asset>\n<mesh file="hand.stl"/><mesh file="v/foot.stl"/>\n<texture file="t.png"/></asset></mujoco>')],
    ['hand.STL', bytes('1')], ['other/v/foot.stl', bytes('2')], ['x/foot.stl', bytes('3')],
  ]);
  const { files, missing, moved } = resolve(set, 'r.xml');
  assert.equal(text(files['assets/hand.stl']), '1');
  assert.equal(text(files['assets/v/foot.stl']), '2');
  assert.equal(moved.length, 2);
  assert.deepEqual(missing, [{ name: 't.png', element: 'texture', line: 3, file: 'r.xml' }]);
  assert.match(missingText(missing), /A file is missing:\n  r.xml:3: <texture> names 't.png'\nDrop it,/);
  assert.equal(missingText([]), '');
  // A model that includes itself ends.
  assert.equal(resolve(new Map([['a.xml', bytes('<mujoco><include file="a.xml"/></mujoco>')]]), 'a.xml').missing.length, 0);
});
