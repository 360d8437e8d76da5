// SPDX-License-Identifier: Apache-2.0
// NOTICES.txt of a built page: the licences of the libraries whose code it contains.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), '../node_modules');

// A package without a text of its licence: what its description states.
function notice(file) {
  const text = fs.readFileSync(file, 'utf8');
  if (!file.endsWith('package.json')) return text;
  const { name, version, author, license, homepage } = JSON.parse(text);
  return `${name} ${version}, ${author}, ${license}: ${homepage}\n`;
}

/** names: files in node_modules; what is not installed is not in the page. */
export function writeNotices(folder, names) {
  const texts = names.map((name) => [name, path.join(modules, name)]).filter(([, file]) => fs.existsSync(file)).map(([name, file]) => `==== ${name} ====\n\n${notice(file)}`);
  fs.writeFileSync(path.join(folder, 'NOTICES.txt'), `This page contains code of the libraries below. Heft itself is under the Apache License 2.0.\n\n${texts.join('\n')}`);
}
