// SPDX-License-Identifier: Apache-2.0
// Programs in JavaScript that the manual and the tutorials show: blocks that make an instance (`init`) run in node, and print
// what the block "text" after them says ("..." stands for anything).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const npm = path.resolve(process.env.HEFT_NPM ?? path.join(root, 'build/wasm-simd/npm'));
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'heft-pages-'));
test.after(() => fs.rmSync(work, { recursive: true }));

const pages = ['docs/manual', 'docs/tutorials'].flatMap((folder) => fs.readdirSync(path.join(root, folder)).filter((f) => f.endsWith('.md')).map((f) => `${folder}/${f}`));
let count = 0;
for (const page of pages) {
  const blocks = [...fs.readFileSync(path.join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  blocks.forEach(([, kind, body], i) => {
    if (kind !== 'js' || !body.includes('await init()')) return;
    const wanted = blocks[i + 1]?.[1] === 'text' ? blocks[i + 1][2].trim() : null;
    ++count;
    test(`${page}, block ${i + 1}`, () => {
      const file = path.join(work, `program${count}-${i}.mjs`);
      fs.writeFileSync(file, body.replaceAll("from 'heft'", `from '${pathToFileURL(path.join(npm, 'heft.js'))}'`));
      const done = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 });
      assert.equal(done.status, 0, done.stderr);
      if (wanted !== null) {
        const pattern = wanted.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?');
        assert.match(done.stdout.trim(), new RegExp(`^${pattern}$`, 's'));
      }
    });
  });
}
test('there are programs', () => assert.ok(count >= 2, `${count} programs`));
