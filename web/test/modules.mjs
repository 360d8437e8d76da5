// SPDX-License-Identifier: Apache-2.0
// Modules of the page in node, for tests without a browser: module('src/files/zip.ts').
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

export const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
let server = null;

export async function module(name) {
  server ??= await createServer({ root: web, configFile: false, appType: 'custom', logLevel: 'error', server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } });
  return server.ssrLoadModule('/' + name);
}

export async function close() {
  await server?.close();
}
