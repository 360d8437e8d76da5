// SPDX-License-Identifier: Apache-2.0
// Compiles C files to a program of WebAssembly by npm's @yowasp/clang, a clang that is itself WebAssembly: a second compiler
// for wasm.sh. The tree is given to it as files in memory.
// usage: node second_compiler.mjs FOLDER_OF_NODE_MODULES OUT.wasm FLAG... <list of C files
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, out, ...flags] = process.argv.slice(2);
const { runClang, version } = await import(pathToFileURL(path.resolve(modules, '@yowasp/clang/gen/bundle.js')));
const sources = fs.readFileSync(0, 'utf8').trim().split(/\s+/);

// Headers and sources as a tree of names.
const tree = {};
function add(file) {
  const parts = file.split('/');
  let folder = tree;
  for (const part of parts.slice(0, -1)) folder = folder[part] ??= {};
  folder[parts.at(-1)] = fs.readFileSync(file, 'utf8');
}
function addHeaders(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addHeaders(file);
    else if (/\.(h|inc)$/.test(entry.name)) add(file);
  }
}
['include', 'src', 'js/port/include', 'scenes', 'tests'].forEach(addHeaders);
sources.forEach((file) => add(path.relative('.', file)));

const said = [];
const options = { stdout: (bytes) => bytes && said.push(Buffer.from(bytes)), stderr: (bytes) => bytes && said.push(Buffer.from(bytes)) };
const objects = {};
for (const [i, source] of sources.entries()) {
  const object = `o${i}.o`;
  said.length = 0;
  try {
    const files = await runClang(['clang', ...flags, '-isystem', 'js/port/include', '-Iinclude', '-Isrc', '-I.', '-c', path.relative('.', source), '-o', object], tree, options);
    objects[object] = files[object];
  } catch (error) {
    console.error(Buffer.concat(said).toString(), source, String(error));
    process.exit(1);
  }
}
try {
  const files = await runClang(['clang', ...Object.keys(objects), '-lm', '-Wl,--stack-first', '-Wl,-z,stack-size=8388608', '-o', 'out.wasm'], objects, options);
  fs.writeFileSync(out, files['out.wasm']);
} catch (error) {
  console.error(Buffer.concat(said).toString(), String(error));
  process.exit(1);
}
console.log(`@yowasp/clang ${version ?? ''}: ${sources.length} files`);
