// SPDX-License-Identifier: Apache-2.0
// A Parquet file as hyparquet reads it has the numbers of the CSV file beside it.
// usage, in a folder with node_modules: node read_parquet.mjs FILE.parquet FILE.csv
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
const require = createRequire(path.resolve('x.js'));
const {asyncBufferFromFile, parquetReadObjects} = await import(pathToFileURL(require.resolve('hyparquet')));
const rows = await parquetReadObjects({file: await asyncBufferFromFile(process.argv[2])});
const lines = fs.readFileSync(process.argv[3], 'utf8').trim().split('\n').map(line => line.split(','));
if (rows.length !== lines.length - 1 || rows.length === 0) throw new Error(rows.length + ' rows');
lines.slice(1).forEach((line, i) => line.forEach((text, k) => {
  const x = rows[i][lines[0][k]];
  const same = typeof x === 'bigint' ? String(x) === text : Object.is(x, text === 'nan' ? NaN : Number(text));
  if (!same) throw new Error(`row ${i}, ${lines[0][k]}: ${x} instead of ${text}`);
}));
console.log(`hyparquet: ${rows.length} rows, ${lines[0].length} columns`);
