// SPDX-License-Identifier: Apache-2.0
// Runs a program of WebAssembly in node, for the tests of the preset wasm-simd. It sees the disk: absolute paths, and
// others from the working directory. What it writes stays in memory.
// usage: node run.mjs [--out FILE]... PROGRAM.wasm [argument...]     --out copies a file to the disk at the end
import fs from 'node:fs';
import path from 'node:path';
import { Files } from '../lib/files.js';
import { wasi, Exit } from '../lib/wasi.js';

const words = process.argv.slice(2);
const outputs = [];
while (words[0] === '--out') outputs.push(...words.splice(0, 2).slice(1));
const [program, ...args] = words;

// Absolute paths come without their first slash.
function below(name) {
  for (const full of ['/' + name, path.join(process.cwd(), name)]) {
    const info = fs.statSync(full, { throwIfNoEntry: false });
    if (info?.isDirectory()) return 'folder';
    if (info?.isFile()) return new Uint8Array(fs.readFileSync(full));
  }
  return null;
}

const files = new Files({}, below);
files.put('tmp', 'folder');
const host = wasi({ files, args: [program, ...args], env: process.env,
  print: (text, isError) => fs.writeSync(isError ? 2 : 1, text) });
const { instance } = await WebAssembly.instantiate(fs.readFileSync(program), host.imports);
host.attach(instance);
process.exitCode = 0;
try {
  instance.exports._start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = error.code;
}
for (const name of outputs) fs.writeFileSync(name, files.read(name));
