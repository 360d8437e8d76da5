// SPDX-License-Identifier: Apache-2.0
// The size of the page, compressed by gzip: all of build/web that it uses, except scenes. Fails above the limit.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

const LIMIT = 1_000_000; // [bytes]
const dist = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build/web');
let total = 0, engine = 0;
const rows = [];
for (const name of fs.readdirSync(dist, { recursive: true }).map(String)) {
  const file = path.join(dist, name);
  if (!fs.statSync(file).isFile() || name.startsWith('scenes') || name === 'NOTICES.txt') continue;
  const size = zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length;
  total += size;
  if (name.endsWith('.wasm')) engine += size;
  rows.push([size, name]);
}
for (const [size, name] of rows.sort((a, b) => b[0] - a[0])) console.log(String(size).padStart(8), name);
console.log(`${String(total).padStart(8)} bytes gz: engine ${engine}, viewer ${total - engine}; limit ${LIMIT}`);
if (total > LIMIT) {
  console.error(`the page is ${total - LIMIT} bytes too large`);
  process.exit(1);
}
