// SPDX-License-Identifier: Apache-2.0
// Files that a user dropped or chose, by path, and the questions that a model needs answered about them: which file is the
// model, where the packages of a URDF are, which files it names and are not there. It reads XML only as far as these
// questions need, by patterns; the engine's reader is the judge of everything else.
import { cleanPath, isZip, readZip, ZIP_LIMITS, ZipError, type ZipLimits } from './zip';

export type FileSet = Map<string, Uint8Array>;

/** Adds files under their paths; the archives among them are unpacked into folders of their names. */
export async function addFiles(set: FileSet, files: Iterable<[string, Uint8Array]>, limits: ZipLimits = ZIP_LIMITS): Promise<void> {
  let total = [...set.values()].reduce((sum, data) => sum + data.length, 0);
  const add = (path: string, data: Uint8Array): void => {
    if (data.length > limits.file) throw new ZipError(`'${path}' has ${data.length} bytes; at most ${limits.file} are allowed`);
    if (!set.has(path) && set.size >= limits.entries) throw new ZipError(`more than ${limits.entries} files; drop the folder of one robot`);
    if ((total += data.length) > limits.total) throw new ZipError(`the files have more than ${limits.total} bytes together`);
    set.set(path, data);
  };
  for (const [name, data] of files) {
    const path = cleanPath(name, limits.path);
    if (!isZip(data)) {
      add(path, data);
      continue;
    }
    try {
      for (const [inner, bytes] of await readZip(data, { ...limits, total: limits.total - total })) add(inner, bytes);
    } catch (error) {
      throw error instanceof ZipError ? new ZipError(`${path}: ${error.message}`) : error;
    }
  }
}

// ---- which file is the model

export type ModelKind = 'MJCF' | 'URDF' | 'compiled';
export interface Candidate {
  path: string;
  kind: ModelKind;
  /** Another file includes or attaches it: it is seldom meant. */
  part: boolean;
}

const decoder = new TextDecoder();

function head(data: Uint8Array): string {
  return decoder.decode(data.subarray(0, 65536));
}

/** The name of the first element of an XML text, or ''. */
export function rootElement(text: string): string {
  const rest = text.replace(/^\uFEFF/, '').replace(/<!--[\s\S]*?(-->|$)|<\?[\s\S]*?(\?>|$)|<![A-Z][^>]*>/g, '');
  return /<\s*([\w:.-]+)/.exec(rest)?.[1] ?? '';
}

export function kindOf(path: string, data: Uint8Array): ModelKind | null {
  if (/\.heft$/i.test(path)) return 'compiled';
  if (!/\.(xml|mjcf|urdf)$/i.test(path)) return null;
  const root = rootElement(head(data));
  if (root === 'mujoco') return 'MJCF';
  if (root === 'robot') return 'URDF';
  // A broken file is a candidate, too: its message tells what is wrong.
  if (root === '' || /\.urdf$/i.test(path)) return /\.urdf$/i.test(path) ? 'URDF' : 'MJCF';
  return null;
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path of a file that `base`, a folder with its slash, or '', leads to; null if it leaves the set. */
export function joinPath(base: string, name: string): string | null {
  const parts = base.split('/').filter((part) => part !== '');
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return parts.join('/');
}

/** Files that may be the model, those first that are most likely meant. */
export function candidates(set: FileSet): Candidate[] {
  const parts = new Set<string>();
  const found: Candidate[] = [];
  for (const [path, data] of set) {
    const kind = kindOf(path, data);
    if (!kind) continue;
    found.push({ path, kind, part: false });
    if (kind !== 'MJCF') continue;
    for (const { name, element } of references(decoder.decode(data))) {
      if (element === 'include' || element === 'model') parts.add(joinPath(folderOf(path), name) ?? '');
    }
  }
  for (const one of found) one.part = parts.has(one.path);
  const rank = ({ path, part }: Candidate): number => (part ? 100 : 0) + 10 * path.split('/').length - (/(^|\/)scene[^/]*\.xml$/i.test(path) ? 5 : 0);
  return found.sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
}

// ---- files that a model names

export interface Reference {
  /** As in the file: 'package://arm/hand.stl', 'meshes/hand.stl'. */
  name: string;
  element: string;
  /** Counted from 1. */
  line: number;
}

/** All files that an XML text names: attributes file and filename, and the compiler's folders are not applied. */
export function references(text: string): Reference[] {
  const plain = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
  const found: Reference[] = [];
  let line = 1, from = 0;
  for (const match of plain.matchAll(/<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g)) {
    for (let at = plain.indexOf('\n', from); at >= 0 && at < match.index; at = plain.indexOf('\n', at + 1)) {
      ++line;
      from = at + 1;
    }
    const name = /\s(?:file|filename)\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(match[2] ?? '');
    const value = name?.[1] ?? name?.[2];
    // Libraries of Gazebo's plug-ins are named in the same way.
    if (value && !/\.(so|dll|dylib)$/.test(value) && match[1] !== 'plugin') found.push({ name: value, element: match[1]!, line });
  }
  return found;
}

function attribute(text: string, element: string, name: string): string {
  const found = new RegExp(`<${element}\\s[^>]*?\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(text);
  return found?.[1] ?? '';
}

/** Files by the last part of their path. */
function byName(set: FileSet): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const path of set.keys()) {
    const name = baseName(path).toLowerCase();
    names.set(name, [...(names.get(name) ?? []), path]);
  }
  return names;
}

/** How many parts at their ends two paths share. */
function sharedEnd(a: string, b: string): number {
  const x = a.split('/'), y = b.split('/');
  let n = 0;
  while (n < x.length && n < y.length && x[x.length - 1 - n]!.toLowerCase() === y[y.length - 1 - n]!.toLowerCase()) ++n;
  return n;
}

/** The file of the set whose path agrees with `wanted` over the most parts from the end; null if none or several do. */
function bestMatch(names: Map<string, string[]>, wanted: string): { path: string; shared: number } | null {
  const found = (names.get(baseName(wanted).toLowerCase()) ?? []).map((path) => ({ path, shared: sharedEnd(path, wanted) }));
  found.sort((a, b) => b.shared - a.shared);
  return found[0] && found[0].shared > (found[1]?.shared ?? 0) ? found[0] : null;
}

export interface Resolved {
  /** The files to load: the set, and files under the paths by which the model names them. */
  files: Record<string, Uint8Array>;
  /** Folders of the packages of a URDF, for the option `packages` of load(). */
  packages: Record<string, string>;
  /** Files that were found elsewhere: [name in the model, path in the set]. */
  moved: [string, string][];
  /** Files that the model names and the set does not have. */
  missing: (Reference & { file: string })[];
}

/**
 * Makes the files ready that a model names. `package://NAME/...` is found by the end of its path, so that a zip of one package, of
 * a folder of packages, or of meshes alone does. A relative name whose file lies elsewhere in the set, and is the only one of
 * its name, is put where the model looks for it.
 */
export function resolve(set: FileSet, main: string): Resolved {
  // Names are those of strangers: an object without a prototype has no other keys.
  const out: Resolved = { files: Object.assign(Object.create(null), Object.fromEntries(set)), packages: Object.create(null), moved: [], missing: [] };
  const names = byName(set);
  const waiting = [main], seen = new Set<string>();
  // MJCF resolves all names against the folder of the first file.
  const first = decoder.decode(set.get(main) ?? new Uint8Array());
  const base = folderOf(main);
  const assets = attribute(first, 'compiler', 'assetdir');
  const folders: Record<string, string> = {
    mesh: attribute(first, 'compiler', 'meshdir') || assets, hfield: attribute(first, 'compiler', 'meshdir') || assets,
    texture: attribute(first, 'compiler', 'texturedir') || assets,
  };
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const data = set.get(path);
    if (seen.has(path) || !data || kindOf(path, data) === 'compiled') continue;
    seen.add(path);
    const text = decoder.decode(data);
    const isUrdf = kindOf(path, data) === 'URDF';
    for (const reference of references(text)) {
      const found = isUrdf ? locateUrdf(out, names, base, reference.name) : locate(out, names, base, folders[reference.element] ?? '', reference.name);
      if (found === null) out.missing.push({ ...reference, file: path });
      else if (reference.element === 'include' || reference.element === 'model') waiting.push(found);
    }
  }
  return out;
}

function locate(out: Resolved, names: Map<string, string[]>, base: string, folder: string, name: string): string | null {
  const path = joinPath(base, folder ? `${folder}/${name}` : name);
  if (path !== null && path in out.files) return path;
  const match = bestMatch(names, name);
  if (!match || path === null) return null;
  out.files[path] = out.files[match.path]!;
  out.moved.push([name, match.path]);
  return match.path;
}

function locateUrdf(out: Resolved, names: Map<string, string[]>, base: string, name: string): string | null {
  const plain = name.replace(/^file:\/\//, '');
  if (!plain.startsWith('package://')) return locate(out, names, base, '', plain);
  const wanted = plain.slice('package://'.length).replace(/^\/+/, '');
  for (const [known, folder] of Object.entries(out.packages)) {
    const rest = wanted.startsWith(known + '/') ? wanted.slice(known.length + 1) : null;
    if (rest !== null && joinPath(folder, rest)! in out.files) return joinPath(folder, rest);
  }
  const match = bestMatch(names, wanted);
  if (!match) return null;
  const parts = wanted.split('/');
  // The package is the part of the name that the path of the file does not repeat, but at least the first word; where
  // the path repeats that, too, the folder of this name is the package.
  const shared = Math.min(match.shared, parts.length - 1);
  out.packages[parts.slice(0, parts.length - shared).join('/')] = match.path.split('/').slice(0, -shared).join('/') || '.';
  return match.path;
}

/** What to do about missing files, for people; '' if there are none. */
export function missingText(missing: Resolved['missing']): string {
  if (missing.length === 0) return '';
  const names = [...new Set(missing.map((one) => one.name))];
  const shown = names.slice(0, 12).map((name) => {
    const one = missing.find((other) => other.name === name)!;
    return `  ${one.file}:${one.line}: <${one.element}> names '${name}'`;
  });
  if (names.length > shown.length) shown.push(`  and ${names.length - shown.length} more`);
  return `${names.length === 1 ? 'A file is' : `${names.length} files are`} missing:\n${shown.join('\n')}\nDrop ${names.length === 1 ? 'it' : 'them'}, or the folder or zip file that has ${
    names.length === 1 ? 'it' : 'them'}, onto the page; the files that you dropped before stay.`;
}
