// SPDX-License-Identifier: Apache-2.0
// Links the npm package `heft` of a build into node_modules, so that the page is built with it.
// HEFT_NPM names another folder than build/wasm-simd/npm.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const built = path.resolve(process.env.HEFT_NPM ?? path.join(web, '../build/wasm-simd/npm'));
if (!fs.existsSync(path.join(built, 'heft.wasm'))) {
  console.error(`${built}: there is no heft.wasm; build the package first:
    cmake --preset wasm-simd -DHEFT_BUILD_TESTS=OFF && cmake --build --preset wasm-simd --target npm
or set HEFT_NPM to the folder that has it`);
  process.exit(1);
}
// Two builds may run at a time (the page and the gallery): what is there already stays, and a copy is exchanged at once.
const place = path.join(web, 'node_modules/heft');
const link = () => { try { return fs.readlinkSync(place); } catch { return null; } };
if (link() !== built) {
  fs.rmSync(place, { recursive: true, force: true });
  fs.symlinkSync(built, place, 'dir');
}

// Scenes that come with the page.
const scenes = path.join(web, 'public/scenes');
fs.mkdirSync(scenes, { recursive: true });
for (const name of new Set(JSON.parse(fs.readFileSync(path.join(web, 'src/scenes.json'), 'utf8')).flatMap(({ file, parts = [] }) => [file, ...parts]))) {
  const draft = path.join(web, 'node_modules', `.heft-scene-${process.pid}`);
  const folder = ['../scenes', '../models'].find((from) => fs.existsSync(path.join(web, from, name)));
  fs.copyFileSync(path.join(web, folder, name), draft);
  fs.renameSync(draft, path.join(scenes, name));
}
