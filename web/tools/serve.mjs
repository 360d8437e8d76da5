// SPDX-License-Identifier: Apache-2.0
// A server of files for tests and for trying the page: serve.mjs FOLDER [PORT]. Text is sent compressed.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm', '.xml': 'text/xml', '.png': 'image/png',
};

/** Serves a folder on 127.0.0.1; resolves to {address, close}. */
export async function serve(folder, port = 0) {
  const root = path.resolve(folder);
  const packed = new Map(); // compressed files by path
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html');
    const file = path.join(root, name);
    if (!file.startsWith(root + path.sep) || !fs.existsSync(file) || !fs.statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' });
      return response.end('not found');
    }
    const head = { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' };
    let data = fs.readFileSync(file);
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && path.extname(file) !== '.png') {
      if (!packed.has(file)) packed.set(file, zlib.gzipSync(data, { level: 9 }));
      data = packed.get(file);
      head['content-encoding'] = 'gzip';
    }
    response.writeHead(200, { ...head, 'content-length': data.length });
    response.end(data);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => (server.closeAllConnections(), new Promise((done) => server.close(done))) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(process.argv[2] ?? '.', Number(process.argv[3] ?? 0));
  console.log(address);
}
