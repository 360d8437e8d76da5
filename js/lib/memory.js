// SPDX-License-Identifier: Apache-2.0
// The memory of the module: strings, structs by their tables, and views. Memory that grows gets a new buffer, and views
// of the old one become empty; so nothing here keeps one without looking.
import { structs, enums } from './tables.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The name that is most like `name`, or null: for "did you mean". */
export function similar(name, names) {
  let best = null, least = Math.max(2, name.length / 3);
  for (const other of names) {
    let row = Array.from({ length: other.length + 1 }, (_, j) => j);
    for (let i = 1; i <= name.length; ++i) {
      const next = [i];
      for (let j = 1; j <= other.length; ++j) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (name[i - 1].toLowerCase() !== other[j - 1].toLowerCase()));
      }
      row = next;
    }
    if (row[other.length] <= least) [best, least] = [other, row[other.length] - 1e-9];
  }
  return best;
}

function hint(name, names) {
  const best = similar(name, names);
  return best ? `did you mean '${best}'?` : `these exist: ${names.join(', ')}`;
}

export class Memory {
  constructor(exports) {
    this.exports = exports;
    this.layout = {};
    let at = exports.heft_js_places.value;
    for (const [name, fields] of Object.entries(structs)) {
      const places = new Uint32Array(exports.memory.buffer, at, fields.length + 1);
      at += 4 * places.length;
      this.layout[name] = { size: places[0], fields: fields.map(([field, kind, other], i) => ({ name: field, kind, other, at: places[i + 1] })) };
    }
  }

  get buffer() {
    return this.exports.memory.buffer;
  }

  allocate(size) {
    const at = this.exports.malloc(size);
    if (!at) throw new RangeError(`no memory for ${size} bytes`);
    return at;
  }

  /** Calls use(pointer...) with memory for each of the sizes or texts, and releases it. */
  with(parts, use) {
    const pointers = [];
    try {
      for (const part of parts) {
        const data = typeof part === 'string' ? encoder.encode(part + '\0') : part instanceof Uint8Array ? part : null;
        const at = this.allocate(data ? Math.max(data.length, 1) : part);
        pointers.push(at);
        if (data) this.bytes(at, data.length).set(data);
        else this.bytes(at, part).fill(0);
      }
      return use(...pointers);
    } finally {
      for (const at of pointers) this.exports.free(at);
    }
  }

  bytes(at, size) {
    return new Uint8Array(this.buffer, at, size);
  }

  uint32(at) {
    return new DataView(this.buffer).getUint32(at, true);
  }

  text(at) {
    if (at === 0) return '';
    const all = new Uint8Array(this.buffer);
    return decoder.decode(all.slice(at, all.indexOf(0, at)));
  }

  /** A struct as an object. */
  read(struct, at) {
    const object = {};
    const view = new DataView(this.buffer);
    for (const field of this.layout[struct].fields) {
      if (field.kind !== 'pointer') object[field.name] = this.readField(view, field, at + field.at);
    }
    return object;
  }

  readField(view, { kind, other }, at) {
    switch (kind) {
      case 'bool': return view.getUint8(at) !== 0;
      case 'int32': return view.getInt32(at, true);
      case 'uint32': return view.getUint32(at, true);
      case 'int64': return view.getBigInt64(at, true);
      case 'uint64': return view.getBigUint64(at, true);
      case 'double': return view.getFloat64(at, true);
      case 'doubles': return Array.from({ length: other }, (_, i) => view.getFloat64(at + 8 * i, true));
      case 'ints': return Array.from({ length: other }, (_, i) => view.getInt32(at + 4 * i, true));
      case 'structs': return Array.from({ length: other[1] }, (_, i) => this.read(other[0], at + i * this.layout[other[0]].size));
      case 'enum': return enums[other][view.getInt32(at, true)];
      case 'text': {
        const all = this.bytes(at, other);
        const end = all.indexOf(0);
        return decoder.decode(all.slice(0, end < 0 ? other : end));
      }
      case 'string': return this.text(view.getUint32(at, true));
      default: return this.read(other, at);
    }
  }

  /** Writes the fields that `values` has; others stay. `what` names the object in messages. */
  write(struct, at, values, what) {
    const { fields } = this.layout[struct];
    const known = fields.filter((f) => f.kind !== 'pointer' && f.kind !== 'string' && f.name !== 'cookie');
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const field = known.find((f) => f.name === name);
      if (!field) throw new TypeError(`${what} has no '${name}'; ${hint(name, known.map((f) => f.name))}`);
      this.writeField(new DataView(this.buffer), field, at + field.at, value, `${name} of ${what}`);
    }
  }

  writeField(view, { kind, other }, at, value, what) {
    const number = (of, low, high) => {
      if (typeof of !== 'number' || !(of >= low && of <= high) || (kind !== 'double' && kind !== 'doubles' && !Number.isInteger(of))) {
        throw new TypeError(`${what}: expected a ${kind.startsWith('double') ? 'number' : 'whole number'}, found ${String(of)}`);
      }
      return of;
    };
    switch (kind) {
      case 'bool':
        if (typeof value !== 'boolean') throw new TypeError(`${what}: expected true or false, found ${String(value)}`);
        return view.setUint8(at, value ? 1 : 0);
      case 'int32': return view.setInt32(at, number(value, -(2 ** 31), 2 ** 31 - 1), true);
      case 'uint32': return view.setUint32(at, number(value, 0, 2 ** 32 - 1), true);
      case 'int64': return view.setBigInt64(at, BigInt(value), true);
      case 'uint64': return view.setBigUint64(at, BigInt(value), true);
      case 'double': return view.setFloat64(at, number(value, -Infinity, Infinity), true);
      case 'doubles':
        if (value?.length !== other) throw new TypeError(`${what}: expected ${other} numbers`);
        return Array.from(value).forEach((v, i) => view.setFloat64(at + 8 * i, number(v, -Infinity, Infinity), true));
      case 'enum': {
        const index = enums[other].indexOf(value);
        if (index < 0) throw new TypeError(`${what}: '${value}' is not known; ${hint(String(value), enums[other])}`);
        return view.setInt32(at, index, true);
      }
      case 'struct': return this.write(other, at, value, what);
      default: throw new TypeError(`${what} cannot be set`);
    }
  }
}

/** A view of `count` numbers that is made again after memory has grown. */
export class View {
  constructor(memory, Kind, count, place) {
    Object.assign(this, { memory, Kind, count, place, view: null });
  }

  get() {
    if (!this.view || this.view.buffer !== this.memory.buffer) {
      this.view = new this.Kind(this.memory.buffer, this.count ? this.place() : 0, this.count);
    }
    return this.view;
  }
}

