// SPDX-License-Identifier: Apache-2.0
// Four users of a shared world in one process of node, each with a module of WebAssembly and a connection of its own.
// Prints what each of them saw, as JSON.
// usage: node --experimental-websocket shared.mjs NPM_FOLDER ADDRESS TOKEN SECONDS
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { enter } from './shared_user.mjs';

const [npm, address, token, seconds] = process.argv.slice(2);
const { init } = await import(pathToFileURL(npm + '/heft.js'));
const { join } = await import(pathToFileURL(npm + '/shared.js'));
const wasm = await WebAssembly.compile(fs.readFileSync(npm + '/heft.wasm'));
const users = await Promise.all([0, 1, 2, 3].map(async (user) => enter(await init({ wasm }), join, address, token, user)));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await pause(1000 * seconds);
const saw = () => users.map((user) => user());
for (let i = 0; i < 600 && saw().some(({ compared, error }) => !compared && !error); ++i) await pause(100);
console.log(JSON.stringify(saw()));
process.exit(0);
