// SPDX-License-Identifier: Apache-2.0
// The host: files in memory, and a module that gives wrong pointers and paths.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Files, split } from '../lib/files.js';
import { wasi, Exit } from '../lib/wasi.js';

const memory = new WebAssembly.Memory({ initial: 1 });
function open(files) {
  const host = wasi({ files, args: ['program', 'ä'] });
  host.attach({ exports: { memory } });
  return host.imports.wasi_snapshot_preview1;
}
const put = (text, at = 1000) => {
  const data = new TextEncoder().encode(text);
  new Uint8Array(memory.buffer).set(data, at);
  return [at, data.length];
};
const u32 = (at) => new DataView(memory.buffer).getUint32(at, true);
const path_open = (host, name, flags = 0) => [host.path_open(3, 0, ...put(name), flags, 0n, 0n, 0, 8), u32(8)];
const iov = (at, size) => {
  new DataView(memory.buffer).setUint32(16, at, true);
  new DataView(memory.buffer).setUint32(20, size, true);
  return [16, 1];
};

test('paths stay below the root', () => {
  assert.deepEqual(split('/a/./b//../../../c'), ['c']);
  const files = new Files({ 'a/b.txt': 'text' });
  assert.deepEqual(files.read('/a/../a/b.txt'), new TextEncoder().encode('text'));
  assert.equal(files.read('a'), null);
  assert.throws(() => files.write('a/b.txt/c', ''), /is a file/);
  assert.throws(() => files.write('/', ''), /not the name/);
  assert.throws(() => files.write('x', 3), /expected a string/);
});

test('a file is read, written, grown and removed', () => {
  const files = new Files({ 'in.txt': 'hello' });
  const host = open(files);
  let [code, fd] = path_open(host, '/in.txt');
  assert.equal(code, 0);
  assert.equal(host.fd_read(fd, ...iov(2000, 100), 8), 0);
  assert.equal(u32(8), 5);
  assert.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, 2000, 5)), 'hello');
  assert.equal(host.fd_seek(fd, 1n, 0, 24), 0);
  assert.equal(host.fd_write(fd, ...iov(2000, 5), 8), 0);
  assert.equal(new TextDecoder().decode(files.read('in.txt')), 'hhello');
  assert.equal(host.fd_close(fd), 0);
  assert.equal(host.fd_close(fd), 8);
  [code, fd] = path_open(host, 'new/file', 1);
  assert.equal(code, 44, 'no folder');
  assert.equal(host.path_create_directory(3, ...put('new')), 0);
  [code, fd] = path_open(host, 'new/file', 1 | 4);
  assert.equal(code, 0);
  assert.equal(path_open(host, 'new/file', 1 | 4)[0], 20, 'it exists');
  assert.equal(host.fd_seek(fd, 10n, 0, 24), 0);
  assert.equal(host.fd_write(fd, ...iov(2000, 1), 8), 0);
  assert.equal(files.read('new/file').length, 11);
  assert.equal(host.path_remove_directory(3, ...put('new')), 55, 'not empty');
  assert.equal(host.path_unlink_file(3, ...put('new/file')), 0);
  assert.equal(host.path_remove_directory(3, ...put('new')), 0);
});

test('the contents that a caller gave are not changed by truncation', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const files = new Files({ x: bytes });
  path_open(open(files), 'x', 8);
  assert.deepEqual(bytes, new Uint8Array([1, 2, 3]));
  assert.equal(files.read('x').length, 0);
});

test('wrong pointers, descriptors and names are errors of the call', () => {
  const host = open(new Files({ x: 'x' }));
  assert.equal(host.fd_read(99, 0, 1, 0), 8);
  assert.equal(host.path_open(99, 0, 0, 1, 0, 0n, 0n, 0, 8), 8);
  assert.equal(host.path_open(3, 0, 0xfffffff0, 100, 0, 0n, 0n, 0, 8), 28);
  const [, fd] = path_open(host, 'x');
  assert.equal(host.fd_read(fd, ...iov(0xffff0000, 0xffff), 8), 28);
  assert.equal(host.fd_seek(fd, -1n, 0, 24), 28);
  assert.equal(host.fd_seek(fd, 0n, 7, 24), 28);
  assert.equal(host.args_get(0xfffffff0, 0), 28);
  assert.throws(() => host.proc_exit(3), (error) => error instanceof Exit && error.code === 3);
});

test('text reaches print whole, also if a letter is cut in two', () => {
  let text = '';
  const host = wasi({ files: new Files(), print: (part) => { text += part; } });
  host.attach({ exports: { memory } });
  const [at] = put('ä', 2000);
  const { fd_write } = host.imports.wasi_snapshot_preview1;
  fd_write(1, ...iov(at, 1), 8);
  fd_write(1, ...iov(at + 1, 1), 8);
  assert.equal(text, 'ä');
});
