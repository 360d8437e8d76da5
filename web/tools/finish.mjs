// SPDX-License-Identifier: Apache-2.0
// After the build: writes the notices of what build/web contains, the address of the engine into the page, and the service worker with the list of all files that the page
// uses and a version made from their bytes.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotices } from './notices.mjs';

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(web, '../build/web');
writeNotices(dist, ['three/LICENSE', 'lil-gui/LICENSE.md', 'heft/NOTICES.txt']);
const files = fs.readdirSync(dist, { recursive: true }).map(String).filter((name) => fs.statSync(path.join(dist, name)).isFile() && name !== 'sw.js' && name !== 'NOTICES.txt').sort();
// The engine is the largest file: it is asked for at once, not only when the scripts run.
const engine = files.find((name) => name.endsWith('.wasm'));
const page = path.join(dist, 'index.html');
fs.writeFileSync(page, fs.readFileSync(page, 'utf8').replace('</title>', `</title>\n    <link rel="preload" href="./${engine}" as="fetch" type="application/wasm" crossorigin="anonymous" />`));
const hash = createHash('sha256');
for (const name of files) hash.update(name).update(fs.readFileSync(path.join(dist, name)));
const text = fs.readFileSync(path.join(web, 'src/sw.js'), 'utf8')
  .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 16)))
  .replace("['FILES']", JSON.stringify(['./', ...files]));
fs.writeFileSync(path.join(dist, 'sw.js'), text);
