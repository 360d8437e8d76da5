// SPDX-License-Identifier: Apache-2.0
// After the build: writes the notices of what build/web contains, and the service worker with the list of all files that the page
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
const hash = createHash('sha256');
for (const name of files) hash.update(name).update(fs.readFileSync(path.join(dist, name)));
const text = fs.readFileSync(path.join(web, 'src/sw.js'), 'utf8')
  .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 16)))
  .replace("['FILES']", JSON.stringify(['./', ...files]));
fs.writeFileSync(path.join(dist, 'sw.js'), text);
