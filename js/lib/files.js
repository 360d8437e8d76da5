// SPDX-License-Identifier: Apache-2.0
// A file system in memory: what a module of WebAssembly sees of the world. Paths have no drive and no links; "a/b"
// and "/a/b" are the same file. A folder exists if it was made or if a file is in it.

const encoder = new TextEncoder();

/** The parts of a path, without "." and "..". ".." in the root is the root. */
export function split(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts;
}

/** A file: `bytes` may be longer than `size`, so that appending costs no copy each time. */
class File {
  constructor(bytes) {
    this.bytes = bytes;
    this.size = bytes.length;
  }

  contents() {
    return this.bytes.subarray(0, this.size);
  }

  write(at, data) {
    const end = at + data.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.bytes.length, 256));
      grown.set(this.contents());
      this.bytes = grown;
    }
    if (at > this.size) this.bytes.fill(0, this.size, at);
    this.bytes.set(data, at);
    this.size = Math.max(this.size, end);
  }

  truncate() {
    this.bytes = new Uint8Array(0); // the bytes may belong to the caller
    this.size = 0;
  }
}

export class Files {
  /**
   * @param {Record<string, string | Uint8Array>} files contents by path
   * @param {(path: string) => Uint8Array | 'folder' | null} below what lies under the files in memory, for example a
   *   disk; it is read only, and what is written stays in memory
   */
  constructor(files = {}, below = () => null) {
    this.below = below;
    this.clear();
    for (const [path, data] of Object.entries(files)) this.write(path, data);
  }

  /** Forgets all files. */
  clear() {
    this.nodes = new Map([['', 'folder']]); // by path without a slash at its ends
    this.gone = new Set();
  }

  /** Writes a file, and makes its folders. */
  write(path, data) {
    const parts = split(path);
    if (parts.length === 0) throw new Error(`'${path}' is not the name of a file`);
    for (let i = 1; i < parts.length; ++i) {
      const folder = parts.slice(0, i).join('/');
      if (this.nodes.get(folder) instanceof File) throw new Error(`'${folder}' is a file, not a folder`);
      this.nodes.set(folder, 'folder');
    }
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`'${path}': expected a string or a Uint8Array`);
    this.put(parts.join('/'), new File(bytes));
  }

  /** The contents of a file, or null. The bytes are not a copy. */
  read(path) {
    const node = this.find(split(path).join('/'));
    return node instanceof File ? node.contents() : null;
  }

  /** Paths of all files in memory. */
  list() {
    return [...this.nodes].filter(([, node]) => node instanceof File).map(([path]) => path).sort();
  }

  // ---- for the host: paths are joined parts

  find(path) {
    const node = this.nodes.get(path);
    if (node !== undefined) return node;
    if (this.gone.has(path)) return null;
    const found = this.below(path);
    if (!found) return null;
    const made = found === 'folder' ? found : new File(found);
    this.nodes.set(path, made);
    return made;
  }

  put(path, node) {
    this.gone.delete(path);
    this.nodes.set(path, node);
  }

  make(path) {
    const file = new File(new Uint8Array(0));
    this.put(path, file);
    return file;
  }

  remove(path) {
    this.nodes.delete(path);
    this.gone.add(path);
  }

  /** Names in a folder in memory, sorted. */
  names(folder) {
    const start = folder === '' ? '' : folder + '/';
    const names = new Set();
    for (const path of this.nodes.keys()) {
      if (path === '' || !path.startsWith(start)) continue;
      names.add(path.slice(start.length).split('/')[0]);
    }
    return [...names].sort();
  }
}
