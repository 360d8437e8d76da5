// SPDX-License-Identifier: Apache-2.0
// The files that the user works on: those of the last drop, and those of the model that is open. A drop without a model adds
// to them, so that missing meshes can follow. What goes wrong is shown in the editor, at its place in the file.
import type { HeftError, LoadOptions, Warning } from 'heft';
import type { App } from '../app';
import './files.css';
import { chooseMain } from './choose';
import { chosenFiles, droppedFiles } from './dropped';
import { Editor } from './editor';
import { addFiles, baseName, candidates, kindOf, missingText, resolve, type FileSet, type Resolved } from './file-set';

/** Something that the reader says about a file. */
export interface Problem {
  kind: 'error' | 'warning' | 'note';
  file: string;
  /** Counted from 1; 0: no place. */
  line: number;
  column: number;
  text: string;
}

/** What a URDF does not say; the boxes of the editor set it. */
export interface UrdfChoice {
  floor: boolean;
  floating: boolean;
  servos: boolean;
}

export class UserFiles {
  files: FileSet = new Map();
  main = '';
  problems: Problem[] = [];
  urdf: UrdfChoice = { floor: true, floating: false, servos: true };
  private editor: Editor | null = null;
  private opening = false;

  constructor(private readonly app: App) {
    app.on('described', ({ warnings }) => {
      if (this.opening) return; // here
      // Another part of the page opened a model; app.opening is set after this event.
      queueMicrotask(() => setTimeout(() => this.follow(warnings)));
    });
    if (app.description) this.follow(app.description.warnings);
  }

  showEditor(body: HTMLElement): void {
    this.editor = new Editor(this, body);
    this.editor.update(this.problems.find((problem) => problem.kind === 'error'));
  }

  async drop(entries: (FileSystemEntry | null)[], plain: File[]): Promise<void> {
    await this.take(await droppedFiles(entries, plain));
  }

  async choose(list: FileList): Promise<void> {
    await this.take(await chosenFiles(list));
  }

  /** New files: they replace the former ones if a model is among them. */
  async take(found: [string, Uint8Array][]): Promise<void> {
    const fresh: FileSet = new Map();
    await addFiles(fresh, found);
    if (fresh.size === 0) throw new Error('no files were dropped');
    const models = candidates(fresh);
    if (models.length === 0) {
      if (this.main === '' || ![...fresh.keys()].some((path) => this.isWanted(path))) {
        throw new Error(`there is no model among ${fresh.size === 1 ? `'${[...fresh.keys()][0]}'` : `these ${fresh.size} files`}: drop an MJCF file (.xml), a URDF file (.urdf) or a compiled model (.heft) with its meshes`);
      }
      for (const [path, data] of fresh) this.files.set(path, data);
      return this.open();
    }
    const main = models.length === 1 || models.filter((model) => !model.part).length === 1 ? models[0]! : await chooseMain(models);
    if (!main) return; // cancelled
    this.files = fresh;
    this.main = main.path;
    await this.open();
  }

  /** Whether the open model names a file of this name. */
  private isWanted(path: string): boolean {
    const { missing } = resolve(this.files, this.main);
    const data = new Set(missing.map((one) => baseName(one.name).toLowerCase()));
    return data.has(baseName(path).toLowerCase());
  }

  get isUrdf(): boolean {
    const data = this.files.get(this.main);
    return data !== undefined && kindOf(this.main, data) === 'URDF';
  }

  /** Opens the model; if it is not valid, the former world stays. */
  async open(): Promise<void> {
    const { app } = this;
    const resolved = resolve(this.files, this.main);
    this.opening = true;
    try {
      await app.open({ title: baseName(this.main), files: resolved.files, main: this.main, options: this.options(resolved) });
      this.tell([...warningsOf(app.description?.warnings ?? []), ...notes(resolved)]);
      await app.source?.play(app.state.speed || 1);
      const warnings = this.problems.filter(({ kind }) => kind !== 'note').length;
      app.say(`${baseName(this.main)} is open${warnings ? `; ${warnings === 1 ? 'a warning stands' : `${warnings} warnings stand`} beside its text (E)` : ''}`);
    } catch (error) {
      const { file, line, column, reason, message } = error as HeftError;
      const missing = missingText(resolved.missing);
      this.tell([{ kind: 'error', file: file || this.main, line: line || 0, column: column || 0, text: inPage(reason || message) }, ...notes(resolved)]);
      app.panels.set('editor', true);
      app.fail(Object.assign(error as Error, { message: inPage(message) + (missing && `\n${missing}`) }));
    } finally {
      this.opening = false;
    }
  }

  private options({ packages }: Resolved): LoadOptions & { packages: Record<string, string> } {
    const { floor, floating, servos } = this.urdf;
    const urdf: LoadOptions = this.isUrdf ? { urdfFloor: floor, base: floating ? 'floating' : 'fixed', urdfServos: servos ? 'by_effort' : 'none' } : {};
    return { ...urdf, packages };
  }

  private tell(problems: Problem[]): void {
    this.problems = problems;
    this.editor?.update(problems.find((problem) => problem.kind === 'error'));
  }

  private follow(warnings: Warning[]): void {
    const { opening } = this.app;
    if (!opening) return;
    const encoder = new TextEncoder();
    this.files = new Map(Object.entries(opening.files).map(([path, data]) => [path, typeof data === 'string' ? encoder.encode(data) : data]));
    this.main = opening.main;
    this.tell(warningsOf(warnings));
  }
}

/** Advice of the reader that is meant for the command. */
function inPage(text: string): string {
  return text.replace(/; give it with --package .*$/, '; drop the folder or zip file that has its files');
}

function warningsOf(warnings: Warning[]): Problem[] {
  return warnings.map(({ file, line, column, message, count }) => ({
    kind: 'warning', file, line, column, text: count > 1 ? `${message} (${count} times)` : message,
  }));
}

function notes({ moved, missing }: Resolved): Problem[] {
  const names = new Set<string>();
  const found: Problem[] = missing.filter(({ name }) => !names.has(name) && names.add(name)).map(({ file, line, name }) => ({
    kind: 'note', file, line, column: 1, text: `'${name}' is not among the files; drop it onto the page`,
  }));
  if (moved.length > 0) {
    const [name, path] = moved[0]!;
    found.push({ kind: 'note', file: '', line: 0, column: 0, text: `'${name}' was taken from '${path}'${moved.length > 1 ? `, and ${moved.length - 1} other files by their names` : ''}` });
  }
  return found;
}
