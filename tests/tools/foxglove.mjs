// SPDX-License-Identifier: Apache-2.0
// Reads logs of `heft run` by Foxglove's own reader (npm @mcap/core): all messages must be decoded and follow the
// schema in the file; those of Foxglove must follow the official schema (npm @foxglove/schemas), too, and their
// schema in the file must have the same fields.
// usage: node foxglove.mjs FILE.mcap...
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(process.cwd() + '/'));
const { McapIndexedReader, McapStreamReader } = require('@mcap/core');
const { loadDecompressHandlers } = require('@mcap/support');
const official = require('@foxglove/schemas/jsonschema.js');
const Ajv = require('ajv');

const text = new TextDecoder();
const fail = (what) => { throw new Error(what); };

// Names of all fields, with their types, without descriptions.
function fields(schema) {
  if (schema.type === 'array') return [fields(schema.items)];
  if (schema.oneOf) return schema.oneOf.map((x) => x.const);
  if (schema.type !== 'object') return schema.type;
  const names = Object.keys(schema.properties).sort();
  return names.map((name) => [name, fields(schema.properties[name]), (schema.required ?? []).includes(name)]);
}

function checks(schemas) {
  const ajv = new Ajv({ strict: false });
  const all = new Map();
  for (const [id, schema] of schemas) {
    const own = JSON.parse(text.decode(schema.data));
    const test = [ajv.compile(own)];
    if (schema.name.startsWith('foxglove.')) {
      const theirs = official[schema.name.slice(9)] ?? fail('there is no official schema ' + schema.name);
      if (JSON.stringify(fields(own)) !== JSON.stringify(fields(theirs)))
        fail('the fields of ' + schema.name + ' are not the official ones');
      test.push(ajv.compile(theirs));
    }
    all.set(id, test);
  }
  return all;
}

async function readByIndex(bytes, decompressHandlers) {
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const test = checks(reader.schemasById);
  const count = {}, entities = new Map();
  let arrows = 0, first;
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    const json = JSON.parse(text.decode(message.data));
    for (const valid of test.get(channel.schemaId))
      if (!valid(json)) fail(channel.topic + ': ' + JSON.stringify(valid.errors.slice(0, 3)));
    count[channel.topic] = (count[channel.topic] ?? 0) + 1;
    if (channel.topic === '/state') first ??= message.logTime;
    if (channel.topic === '/scene') for (const e of json.entities) entities.set(e.frame_id, e);
    if (channel.topic === '/forces') arrows += json.entities[0].arrows.length;
    if (channel.topic === '/tf')
      for (const t of json.transforms) if (t.parent_frame_id !== 'world') fail('a frame has another parent');
  }
  const attachments = [];
  for await (const attachment of reader.readAttachments()) attachments.push(attachment.name);
  return { count, entities, arrows, first, attachments, chunks: reader.chunkIndexes };
}

// From the beginning to the end, without the index.
function readAsStream(bytes, decompressHandlers) {
  const reader = new McapStreamReader({ decompressHandlers });
  let messages = 0;
  reader.append(bytes);
  for (let record; (record = reader.nextRecord());) messages += record.type === 'Message';
  if (!reader.done()) fail('the file does not end');
  return messages;
}

const decompressHandlers = await loadDecompressHandlers();
for (const path of process.argv.slice(2)) {
  const bytes = new Uint8Array(await readFile(path));
  const log = await readByIndex(bytes, decompressHandlers);
  const messages = Object.values(log.count).reduce((a, b) => a + b, 0);
  if (readAsStream(bytes, decompressHandlers) !== messages) fail('the index misses messages');
  if (log.count['/scene'] !== 1) fail('the shapes are not there once');
  if (log.first !== 0n) fail('the first row is not at t = 0');
  if (log.count['/state'] !== log.count['/tf']) fail('states and poses are not as many');
  if (log.entities.size < 2) fail('the scene has no bodies');
  if (log.arrows === 0) fail('there are no contact forces');
  if (!log.attachments.some((name) => name.startsWith('model.heft'))) fail('the model is not attached');
  if (!log.chunks.every((c) => c.compression === 'zstd')) fail('a chunk is not compressed');
  console.log(`${messages} messages on ${Object.keys(log.count).length} channels, ${log.entities.size} bodies, ` +
    `${log.arrows} arrows, ${bytes.length} bytes: ` + Object.keys(log.count).join(' '));
}
