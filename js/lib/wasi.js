// SPDX-License-Identifier: Apache-2.0
// A host for WASI preview 1, for node and browsers alike: files in memory (files.js), a clock, random numbers and a
// place for text. It has what wasi-libc of Debian 12 calls, no sockets and no processes. Memory is looked at anew at
// every call, because it moves when it grows.
//
// The module is not trusted with more than this: it cannot reach a real file, and a wrong pointer of it is an error
// of the call.
import { split } from './files.js';

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52, NOTDIR = 54, NOTEMPTY = 55, SPIPE = 70;
const CHARACTERS = 2, FOLDER = 3, FILE = 4; // kinds of files
const CREATE = 1, MUST_BE_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8; // flags of path_open
const APPEND = 1; // flag of a descriptor
const ROOT = 3; // the descriptor of "/"

/** Thrown when the module calls exit(). */
export class Exit extends Error {
  constructor(code) {
    super(`the program ended with the code ${code}`);
    this.code = code;
  }
}

/**
 * Makes the imports of a module. Call attach(instance) before the first call of the module.
 * @param {{files: import('./files.js').Files, args?: string[], env?: Record<string, string>,
 *   print?: (text: string, isError: boolean) => void, random?: Pick<Crypto, 'getRandomValues'>}} options
 */
export function wasi({ files, args = [], env = {}, print = () => {}, random = globalThis.crypto }) {
  let memory;
  let nextDescriptor = ROOT + 1;
  const open = new Map([
    [0, { kind: CHARACTERS }],
    [1, { kind: CHARACTERS, decoder: new TextDecoder() }],
    [2, { kind: CHARACTERS, decoder: new TextDecoder() }],
    [ROOT, { kind: FOLDER, path: '' }],
  ]);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const view = () => new DataView(memory.buffer);
  const bytes = (at, size) => new Uint8Array(memory.buffer, at >>> 0, size >>> 0);
  const setU32 = (at, value) => view().setUint32(at, value, true);
  const setU64 = (at, value) => view().setBigUint64(at, BigInt(value), true);

  // The places of an array of (pointer, length).
  const vectors = (at, count) => {
    const v = view();
    return Array.from({ length: count }, (_, i) => bytes(v.getUint32(at + 8 * i, true), v.getUint32(at + 8 * i + 4, true)));
  };
  const putStrings = (strings, pointers, buffer) => {
    for (const text of strings) {
      const data = encoder.encode(text + '\0');
      setU32(pointers, buffer);
      bytes(buffer, data.length).set(data);
      pointers += 4;
      buffer += data.length;
    }
    return OK;
  };
  const putSizes = (strings, count, size) => {
    setU32(count, strings.length);
    setU32(size, strings.reduce((sum, text) => sum + encoder.encode(text).length + 1, 0));
    return OK;
  };
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`);

  // The path of a name in an open folder; null if that is not one.
  const pathOf = (descriptor, at, size) => {
    const folder = open.get(descriptor);
    if (!folder || folder.kind !== FOLDER) return null;
    return split(folder.path + '/' + decoder.decode(bytes(at, size))).join('/');
  };
  const isFolder = (path) => files.find(path) === 'folder';
  const parent = (path) => path.split('/').slice(0, -1).join('/');
  const putStat = (out, kind, size) => {
    bytes(out, 64).fill(0);
    view().setUint8(out + 16, kind);
    setU64(out + 24, 1); // links
    setU64(out + 32, size);
    return OK;
  };
  const now = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));

  const functions = {
    args_sizes_get: (count, size) => putSizes(args, count, size),
    args_get: (pointers, buffer) => putStrings(args, pointers, buffer),
    environ_sizes_get: (count, size) => putSizes(environment, count, size),
    environ_get: (pointers, buffer) => putStrings(environment, pointers, buffer),
    clock_res_get: (_clock, out) => (setU64(out, 1000), OK),
    clock_time_get: (_clock, _precision, out) => (setU64(out, now()), OK),
    random_get(at, size) {
      for (let done = 0; done < size; done += 65536) { // the limit of one call
        random.getRandomValues(bytes(at + done, Math.min(65536, size - done)));
      }
      return OK;
    },
    sched_yield: () => OK,
    // Waiting for a time alone: there is nothing else to wait for.
    poll_oneoff(subscriptions, events, count, out) {
      const v = view();
      let wait = Infinity, first = 0;
      for (let i = 0; i < count; ++i) {
        const at = subscriptions + 48 * i;
        if (v.getUint8(at + 8) !== 0) return NOSYS; // not a clock
        const time = v.getBigUint64(at + 24, true);
        const left = v.getUint16(at + 40, true) & 1 ? Number(time - now()) : Number(time);
        if (left < wait) [wait, first] = [left, at];
      }
      for (const end = performance.now() + wait * 1e-6; performance.now() < end;) { /* a page may not block */ }
      bytes(events, 32).fill(0);
      setU64(events, v.getBigUint64(first, true));
      setU32(out, 1);
      return OK;
    },
    proc_exit(code) {
      throw new Exit(code);
    },

    fd_prestat_get(fd, out) {
      if (fd !== ROOT) return BADF;
      setU32(out, 0);
      setU32(out + 4, 1);
      return OK;
    },
    fd_prestat_dir_name: (fd, out, size) => (fd === ROOT && size >= 1 ? (bytes(out, 1).set([47]), OK) : BADF),
    fd_fdstat_get(fd, out) {
      const file = open.get(fd);
      if (!file) return BADF;
      bytes(out, 24).fill(0);
      view().setUint8(out, file.kind);
      view().setUint16(out + 2, file.append ? APPEND : 0, true);
      setU64(out + 8, 0x1fffffff); // all rights
      setU64(out + 16, 0x1fffffff);
      return OK;
    },
    fd_fdstat_set_flags(fd, flags) {
      const file = open.get(fd);
      if (!file) return BADF;
      file.append = (flags & APPEND) !== 0;
      return OK;
    },
    fd_filestat_get(fd, out) {
      const file = open.get(fd);
      return file ? putStat(out, file.kind, file.node ? file.node.size : 0) : BADF;
    },
    fd_close: (fd) => (fd > ROOT && open.delete(fd) ? OK : BADF),
    fd_renumber(from, to) {
      if (!open.has(from)) return BADF;
      open.set(to, open.get(from));
      open.delete(from);
      return OK;
    },
    fd_sync: () => OK,
    fd_read(fd, iov, count, out) {
      const file = open.get(fd);
      if (!file) return BADF;
      let total = 0;
      if (file.kind === FOLDER) return ISDIR;
      for (const place of file.node ? vectors(iov, count) : []) {
        const part = file.node.contents().subarray(file.at, file.at + place.length);
        place.set(part);
        file.at += part.length;
        total += part.length;
      }
      setU32(out, total);
      return OK;
    },
    fd_write(fd, iov, count, out) {
      const file = open.get(fd);
      if (!file || file.kind === FOLDER || fd === 0) return BADF;
      let total = 0;
      for (const data of vectors(iov, count)) {
        if (file.node) {
          if (file.append) file.at = file.node.size;
          file.node.write(file.at, data);
          file.at += data.length;
        } else {
          print(file.decoder.decode(data.slice(), { stream: true }), fd === 2);
        }
        total += data.length;
      }
      setU32(out, total);
      return OK;
    },
    fd_seek(fd, offset, from, out) {
      const file = open.get(fd);
      if (!file) return BADF;
      if (!file.node) return SPIPE;
      const at = Number(offset) + (from === 0 ? 0 : from === 1 ? file.at : file.node.size);
      if (at < 0 || from > 2) return INVAL;
      file.at = at;
      setU64(out, at);
      return OK;
    },
    fd_tell(fd, out) {
      const file = open.get(fd);
      if (!file || !file.node) return file ? SPIPE : BADF;
      setU64(out, file.at);
      return OK;
    },
    fd_readdir(fd, buffer, size, cookie, out) {
      const folder = open.get(fd);
      if (!folder || folder.kind !== FOLDER) return folder ? NOTDIR : BADF;
      let used = 0;
      const names = files.names(folder.path);
      for (let i = Number(cookie); i < names.length && used < size; ++i) {
        const name = encoder.encode(names[i]);
        const entry = new Uint8Array(24 + name.length);
        const v = new DataView(entry.buffer);
        v.setBigUint64(0, BigInt(i + 1), true);
        v.setUint32(16, name.length, true);
        v.setUint8(20, isFolder((folder.path ? folder.path + '/' : '') + names[i]) ? FOLDER : FILE);
        entry.set(name, 24);
        const part = entry.subarray(0, size - used);
        bytes(buffer + used, part.length).set(part);
        used += part.length;
      }
      setU32(out, used);
      return OK;
    },

    path_open(fd, _lookup, name, size, flags, _rights, _inherited, fdFlags, out) {
      const path = pathOf(fd, name, size);
      if (path === null) return BADF;
      let node = files.find(path);
      if (node && flags & CREATE && flags & EXCLUSIVE) return EXIST;
      if (node !== 'folder' && node && flags & MUST_BE_FOLDER) return NOTDIR;
      if (node === 'folder' && flags & (CREATE | TRUNCATE)) return ISDIR;
      if (!node) {
        if (!(flags & CREATE) || !isFolder(parent(path))) return NOENT;
        node = files.make(path);
      }
      if (node !== 'folder' && flags & TRUNCATE) node.truncate();
      open.set(nextDescriptor, node === 'folder' ? { kind: FOLDER, path } : { kind: FILE, node, at: 0, append: (fdFlags & APPEND) !== 0 });
      setU32(out, nextDescriptor++);
      return OK;
    },
    path_filestat_get(fd, _lookup, name, size, out) {
      const path = pathOf(fd, name, size);
      const node = path === null ? null : files.find(path);
      if (!node) return path === null ? BADF : NOENT;
      return putStat(out, node === 'folder' ? FOLDER : FILE, node === 'folder' ? 0 : node.size);
    },
    path_create_directory(fd, name, size) {
      const path = pathOf(fd, name, size);
      if (path === null || files.find(path)) return path === null ? BADF : EXIST;
      if (!isFolder(parent(path))) return NOENT;
      files.put(path, 'folder');
      return OK;
    },
    path_unlink_file(fd, name, size) {
      const path = pathOf(fd, name, size);
      const node = path === null ? null : files.find(path);
      if (!node || node === 'folder') return path === null ? BADF : node ? ISDIR : NOENT;
      files.remove(path);
      return OK;
    },
    path_remove_directory(fd, name, size) {
      const path = pathOf(fd, name, size);
      const node = path === null ? null : files.find(path);
      if (node !== 'folder') return path === null ? BADF : node ? NOTDIR : NOENT;
      if (files.names(path).length > 0) return NOTEMPTY;
      files.remove(path);
      return OK;
    },
    path_rename(fd, name, size, newFd, newName, newSize) {
      const from = pathOf(fd, name, size), to = pathOf(newFd, newName, newSize);
      const node = from === null ? null : files.find(from);
      if (!node || to === null || !isFolder(parent(to))) return NOENT;
      if (node === 'folder') return NOSYS;
      files.remove(from);
      files.put(to, node);
      return OK;
    },
    path_readlink: () => INVAL, // there are no links
  };
  // A pointer outside of memory is an error of the call, not of the host.
  const guarded = {};
  for (const [name, call] of Object.entries(functions)) {
    guarded[name] = (...values) => {
      try {
        return call(...values);
      } catch (error) {
        if (error instanceof RangeError) return INVAL;
        throw error;
      }
    };
  }
  return {
    imports: { wasi_snapshot_preview1: guarded },
    attach(instance) {
      memory = instance.exports.memory;
    },
  };
}
