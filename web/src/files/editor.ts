// SPDX-License-Identifier: Apache-2.0
// The text of a model file with numbered lines, the place of an error marked in it, and what the reader says below. It is a
// plain field: the browser edits, searches and undoes.
import { baseName } from './file-set';
import type { Problem, UrdfChoice, UserFiles } from './user-files';

const LINE = 18; // height of a line [px], as in files.css
const TEXT = /\.(xml|mjcf|urdf|srdf|mtl|txt)$/i;
const LONGEST = 2_000_000; // characters that a field can hold without becoming slow

export class Editor {
  private readonly files = document.createElement('select');
  private readonly text = document.createElement('textarea');
  private readonly numbers = document.createElement('pre');
  private readonly mark = document.createElement('div');
  private readonly under = document.createElement('div');
  private readonly list = document.createElement('ul');
  private readonly reload = document.createElement('button');
  private readonly urdf = document.createElement('fieldset');
  private shown = '';
  private marked: Problem | null = null;

  constructor(private readonly user: UserFiles, body: HTMLElement) {
    const { files, text, numbers, mark, under, list, reload, urdf } = this;
    body.classList.add('editor');
    files.setAttribute('aria-label', 'File');
    files.onchange = () => this.show(files.value, null);
    reload.textContent = 'Reload';
    reload.id = 'reload';
    reload.title = 'Load the changed model (Ctrl + Enter)';
    reload.onclick = () => void this.load();
    const head = document.createElement('div');
    head.className = 'row';
    head.append(files, reload);
    text.id = 'source';
    text.setAttribute('aria-label', 'Text of the file');
    Object.assign(text, { spellcheck: false, wrap: 'off', autocapitalize: 'off', autocomplete: 'off' });
    text.oninput = () => this.changed();
    text.onscroll = () => this.place();
    text.onkeydown = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') void this.load();
    };
    numbers.setAttribute('aria-hidden', 'true');
    mark.className = 'mark';
    under.className = 'under';
    const box = document.createElement('div');
    box.className = 'box';
    const page = document.createElement('div');
    page.className = 'page';
    page.append(mark, text, under);
    box.append(numbers, page);
    list.id = 'problems';
    list.setAttribute('aria-label', 'Errors and warnings');
    this.buildUrdf();
    body.append(head, urdf, list, box);
  }

  /** Shows the present files and problems, and goes to a place. */
  update(at?: Problem): void {
    const { user, files } = this;
    const texts = [...user.files].filter(([path, data]) => TEXT.test(path) && data.length <= LONGEST).map(([path]) => path);
    files.replaceChildren(...texts.map((path) => new Option(path === user.main ? `${path} (the model)` : path, path)));
    files.hidden = texts.length === 0;
    this.urdf.hidden = !user.isUrdf;
    const wanted = at && texts.includes(at.file) ? at.file : texts.includes(this.shown) ? this.shown : user.main;
    this.show(texts.includes(wanted) ? wanted : '', at ?? null);
    this.tell();
  }

  private show(path: string, problem: Problem | null): void {
    const data = this.user.files.get(path);
    this.shown = path;
    this.files.value = path;
    this.text.value = data ? new TextDecoder().decode(data) : '';
    this.text.disabled = this.reload.disabled = !data;
    this.changed(false);
    this.go(problem?.file === path ? problem : null);
  }

  private go(problem: Problem | null): void {
    this.marked = problem && problem.line > 0 ? problem : null;
    if (this.marked) {
      const { line, column } = this.marked;
      const start = lineStart(this.text.value, line);
      const place = start + Math.max(0, column - 1);
      this.text.setSelectionRange(place, place);
      this.text.scrollTop = Math.max(0, (line - 4) * LINE);
      this.text.scrollLeft = 0;
    }
    this.place();
  }

  // The numbers and the mark follow the text.
  private place(): void {
    const { text, numbers, mark, under, marked } = this;
    numbers.style.transform = `translateY(${-text.scrollTop}px)`;
    mark.hidden = under.hidden = marked === null;
    if (!marked) return;
    mark.dataset.kind = under.dataset.kind = marked.kind;
    const y = (marked.line - 1) * LINE - text.scrollTop;
    mark.style.transform = `translateY(${y}px)`;
    const rest = text.value.slice(lineStart(text.value, marked.line)).split('\n', 1)[0] ?? '';
    const before = rest.slice(0, Math.max(0, marked.column - 1));
    const columns = [...before].reduce((n, c) => (c === '\t' ? n + 4 - (n % 4) : n + 1), 0);
    const word = /^[\w:.<>/-]*/.exec(rest.slice(before.length))?.[0].length ?? 0;
    under.style.transform = `translate(calc(${columns}ch - ${text.scrollLeft}px), ${y}px)`;
    under.style.width = `${Math.max(1, word)}ch`;
  }

  private changed(edited = true): void {
    const lines = this.text.value.split('\n').length;
    if (this.numbers.dataset.lines !== String(lines)) {
      this.numbers.dataset.lines = String(lines);
      this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
    }
    this.reload.classList.toggle('wanted', edited);
    if (edited && this.marked) {
      this.marked = null;
      this.place();
    }
  }

  private async load(): Promise<void> {
    if (this.shown) this.user.files.set(this.shown, new TextEncoder().encode(this.text.value));
    await this.user.open();
  }

  private tell(): void {
    const { problems } = this.user;
    this.list.replaceChildren(...problems.map((problem) => {
      const item = document.createElement('li');
      item.dataset.kind = problem.kind;
      const place = [baseName(problem.file), problem.line || '', problem.column || ''].filter((part) => part !== '').join(':');
      const jump = document.createElement('button');
      jump.textContent = place || problem.kind;
      jump.disabled = problem.line === 0;
      jump.onclick = () => this.show(problem.file, problem);
      item.append(jump, ` ${problem.kind}: ${problem.text}`);
      return item;
    }));
    if (problems.length === 0 && this.user.main) {
      const item = document.createElement('li');
      item.textContent = 'No errors, no warnings.';
      this.list.append(item);
    }
  }

  private buildUrdf(): void {
    const title = document.createElement('legend');
    title.textContent = 'A URDF does not say';
    this.urdf.append(title);
    const words: Record<keyof UrdfChoice, string> = { floor: 'stands on a floor', floating: 'base floats', servos: 'servos hold the pose' };
    for (const [name, label] of Object.entries(words) as [keyof UrdfChoice, string][]) {
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = this.user.urdf[name];
      box.onchange = () => {
        this.user.urdf[name] = box.checked;
        void this.load();
      };
      const line = document.createElement('label');
      line.append(box, ` ${label}`);
      this.urdf.append(line);
    }
  }
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; ++i) {
    const next = text.indexOf('\n', at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}
