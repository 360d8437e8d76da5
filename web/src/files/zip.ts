// SPDX-License-Identifier: Apache-2.0
// Zip files in memory: a reader for archives of strangers and a writer for exports. The browser has deflate
// (DecompressionStream), so no library is needed; the container is 60 lines (APPNOTE.TXT of PKWARE, sections 4.3 and 4.4).
//
// A hostile archive is bounded before anything is unpacked: count of entries, length and shape of each path, the sum of the
// stated sizes; while unpacking, an entry that is longer than stated ends at once, so that memory never exceeds the limits.
// Entries may not overlap: a bomb that lets many entries share one deflated part is refused.

export interface ZipLimits {
  /** entries of an archive, folders too */
  entries: number;
  /** bytes of one file, unpacked */
  file: number;
  /** bytes of all files, unpacked */
  total: number;
  /** bytes of a path */
  path: number;
}

export const ZIP_LIMITS: ZipLimits = { entries: 4096, file: 256 * 2 ** 20, total: 512 * 2 ** 20, path: 512 };

/** Why an archive, or one entry of it, was refused. */
export class ZipError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZipError';
  }
}

const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50;
const STORED = 0, DEFLATED = 8;
const ENCRYPTED = 1, UTF8 = 0x800;
const SYMBOLIC_LINK = 0xa000, FILE_KIND = 0xf000;

/** Whether the bytes begin as a zip file does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));
}

/**
 * A path of an archive or of a dropped folder in the form that is used here: parts with "/" between them, without "." and
 * empty parts. Throws for "..", for drives and roots of the disk, and for control characters.
 */
export function cleanPath(path: string, limit = ZIP_LIMITS.path): string {
  const shown = JSON.stringify(path.length > 80 ? path.slice(0, 80) + '...' : path);
  if (path.length > limit) throw new ZipError(`the path ${shown} has ${path.length} characters; at most ${limit} are allowed`);
  const slashes = path.replaceAll('\\', '/');
  if (/^\/|^[A-Za-z]:/.test(slashes)) throw new ZipError(`the path ${shown} begins at the root of a disk; use paths inside of the archive`);
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(slashes)) throw new ZipError(`the path ${shown} contains a control character`);
  const parts = slashes.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new ZipError(`the path ${shown} leaves its folder by '..'`);
  if (parts.length === 0) throw new ZipError(`the path ${shown} is empty`);
  return parts.join('/');
}

interface Entry {
  path: string;
  method: number;
  packed: number;
  size: number;
  crc: number;
  at: number;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

// The record at the end may be followed by a comment of up to 65535 bytes.
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 65535);
  for (let at = view.byteLength - 22; at >= lowest; --at) {
    if (view.getUint32(at, true) === END && at + 22 + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw new ZipError('this is not a complete zip file: its end is missing');
}

function readEntries(bytes: Uint8Array, limits: ZipLimits): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 22) throw new ZipError('this is not a complete zip file: it is too short');
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true), size = view.getUint32(end + 12, true);
  let at = view.getUint32(end + 16, true);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) throw new ZipError('archives in several parts are not read');
  if (count === 0xffff || at === 0xffffffff) throw new ZipError('archives in the format zip64 are not read; pack at most 4 GB and 65,534 files');
  if (count > limits.entries) throw new ZipError(`the archive has ${count} entries; at most ${limits.entries} are allowed`);
  if (at + size > end) throw new ZipError('the list of files of the archive is broken');
  const entries: Entry[] = [];
  let total = 0;
  for (let i = 0; i < count; ++i) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL) throw new ZipError(`entry ${i + 1} of the archive is broken`);
    const flags = view.getUint16(at + 8, true), length = view.getUint16(at + 28, true);
    const next = at + 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) throw new ZipError(`entry ${i + 1} of the archive is broken`);
    // Names that are not marked as UTF-8 are in an older code; for the names of most robots it makes no difference.
    const name = new TextDecoder(flags & UTF8 ? 'utf-8' : 'latin1').decode(bytes.subarray(at + 46, at + 46 + length));
    const entry = {
      path: name, method: view.getUint16(at + 10, true), crc: view.getUint32(at + 16, true), packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true), at: view.getUint32(at + 42, true),
    };
    const kind = (view.getUint32(at + 38, true) >>> 16) & FILE_KIND;
    at = next;
    if (name.endsWith('/') || name.endsWith('\\')) continue; // a folder
    entry.path = cleanPath(name, limits.path);
    if (/(^|\/)(__MACOSX|\.DS_Store)(\/|$)/.test(entry.path)) continue;
    if (flags & ENCRYPTED) throw new ZipError(`'${entry.path}' is encrypted; unpack the archive and drop its folder`);
    if (kind === SYMBOLIC_LINK) throw new ZipError(`'${entry.path}' is a symbolic link, which is not followed; pack the file itself`);
    if (entry.method !== STORED && entry.method !== DEFLATED) {
      throw new ZipError(`'${entry.path}' is packed by method ${entry.method}; only stored and deflated files are read`);
    }
    if (entry.size > limits.file) throw new ZipError(`'${entry.path}' has ${entry.size} bytes; at most ${limits.file} are allowed`);
    if ((total += entry.size) > limits.total) throw new ZipError(`the files of the archive have more than ${limits.total} bytes`);
    entries.push(entry);
  }
  return entries;
}

// The packed bytes of an entry. The local header repeats the name, and its extra field has a length of its own.
function packedBytes(bytes: Uint8Array, entry: Entry): [start: number, end: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== LOCAL) throw new ZipError(`'${entry.path}' is not where the archive says`);
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  if (start + entry.packed > bytes.length) throw new ZipError(`'${entry.path}' reaches beyond the end of the archive`);
  return [start, start + entry.packed];
}

function refuseOverlaps(places: [number, number, string][]): void {
  const sorted = [...places].sort((a, b) => a[0] - b[0]);
  for (let i = 1; i < sorted.length; ++i) {
    if (sorted[i]![0] < sorted[i - 1]![1]) throw new ZipError(`'${sorted[i]![2]}' and '${sorted[i - 1]![2]}' share bytes of the archive`);
  }
}

/** Passes bytes through a stream of the browser; ends when `limit` bytes have come out and one more does. */
async function pass(bytes: Uint8Array, through: CompressionStream | DecompressionStream, limit: number, tooLong: () => Error): Promise<Uint8Array> {
  const writer = through.writable.getWriter();
  // A failure of the stream is reported by its reader.
  void writer.write(bytes as BufferSource).catch(() => {});
  void writer.close().catch(() => {});
  const reader = through.readable.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw tooLong();
    }
    parts.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

async function unpack(bytes: Uint8Array, entry: Entry, [start, end]: [number, number]): Promise<Uint8Array> {
  const packed = bytes.subarray(start, end);
  const wrong = () => new ZipError(`'${entry.path}' is longer than the archive says (${entry.size} bytes)`);
  let out: Uint8Array;
  if (entry.method === STORED) {
    if (packed.length !== entry.size) throw wrong();
    out = packed.slice();
  } else {
    try {
      out = await pass(packed, new DecompressionStream('deflate-raw'), entry.size, wrong);
    } catch (error) {
      throw error instanceof ZipError ? error : new ZipError(`'${entry.path}' cannot be unpacked: its bytes are broken`);
    }
  }
  if (out.length !== entry.size) throw new ZipError(`'${entry.path}' has ${out.length} bytes; the archive says ${entry.size}`);
  if (crc32(out) !== entry.crc) throw new ZipError(`'${entry.path}' is damaged: its checksum is wrong`);
  return out;
}

/** The files of an archive by path. Throws a ZipError that says what was refused and why. */
export async function readZip(bytes: Uint8Array, limits: ZipLimits = ZIP_LIMITS): Promise<Map<string, Uint8Array>> {
  const entries = readEntries(bytes, limits);
  const places = entries.map((entry) => packedBytes(bytes, entry));
  refuseOverlaps(entries.map((entry, i) => [entry.at, places[i]![1], entry.path]));
  const files = new Map<string, Uint8Array>();
  for (const [i, entry] of entries.entries()) {
    if (files.has(entry.path)) throw new ZipError(`'${entry.path}' is in the archive twice`);
    files.set(entry.path, await unpack(bytes, entry, places[i]!));
  }
  return files;
}

/** An archive of files, deflated, with a fixed date, so that the same files make the same bytes in one browser. */
export async function writeZip(files: Iterable<[string, Uint8Array]>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [], list: Uint8Array[] = [];
  let at = 0;
  for (const [path, data] of files) {
    const name = new TextEncoder().encode(cleanPath(path));
    const deflated = await pass(data, new CompressionStream('deflate-raw'), Infinity, () => new ZipError(''));
    const packed = deflated.length < data.length ? deflated : data;
    const head = new DataView(new ArrayBuffer(30)), row = new DataView(new ArrayBuffer(46));
    // Both records have: version, flags, method, time, date, checksum, sizes, length of the name.
    for (const [view, first] of [[head, 4], [row, 6]] as const) {
      view.setUint16(first, 20, true);
      view.setUint16(first + 2, UTF8, true);
      view.setUint16(first + 4, packed === data ? STORED : DEFLATED, true);
      view.setUint16(first + 8, 0x21, true); // 1 January 1980
      view.setUint32(first + 10, crc32(data), true);
      view.setUint32(first + 14, packed.length, true);
      view.setUint32(first + 18, data.length, true);
      view.setUint16(first + 22, name.length, true);
    }
    head.setUint32(0, LOCAL, true);
    row.setUint32(0, CENTRAL, true);
    row.setUint16(4, 20, true);
    row.setUint32(42, at, true);
    parts.push(new Uint8Array(head.buffer), name, packed);
    list.push(new Uint8Array(row.buffer), name);
    at += 30 + name.length + packed.length;
  }
  const size = list.reduce((sum, part) => sum + part.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, END, true);
  end.setUint16(8, list.length / 2, true);
  end.setUint16(10, list.length / 2, true);
  end.setUint32(12, size, true);
  end.setUint32(16, at, true);
  const out = new Uint8Array(at + size + 22);
  let place = 0;
  for (const part of [...parts, ...list, new Uint8Array(end.buffer)]) {
    out.set(part, place);
    place += part.length;
  }
  return out;
}
