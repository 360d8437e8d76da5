// SPDX-License-Identifier: Apache-2.0
// One plot over time on a canvas: lines, a grid with round numbers, a cursor that all plots share. uPlot, which does more,
// would take 20 kB of the page.

export interface Line {
  label: string;
  color: string;
}

export interface PlotOptions {
  title: string;
  unit: string;
  lines: Line[];
  /** The values are powers of ten. */
  log: boolean;
  /** Called with the time of a click, and of the pointer (null: it left). */
  onclick(time: number): void;
  oncursor(time: number | null): void;
}

const LEFT = 50, RIGHT = 6, TOP = 8, BOTTOM = 18;

/** A round step for about `count` parts of a range: 1, 2 or 5 times a power of ten. */
export function roundStep(range: number, count: number): number {
  const rough = Math.max(range, 1e-300) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
}

function numberWords(value: number, step: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1e5 || step < 1e-4) return value.toExponential(Math.min(3, Math.max(0, Math.ceil(Math.log10(Math.abs(value) / step))))).replaceAll('-', '−');
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace('-', '−');
}

export class Plot {
  readonly element = document.createElement('figure');
  private readonly canvas = document.createElement('canvas');
  private readonly reading = document.createElement('span');
  private time: number[] = [];
  private values: (number | null)[][] = [];
  private cursor: number | null = null;

  constructor(private readonly options: PlotOptions) {
    const caption = document.createElement('figcaption');
    caption.textContent = `${options.title} [${options.unit}] `;
    for (const { label, color } of options.lines.length > 1 ? options.lines : []) {
      const key = document.createElement('span');
      key.className = 'key';
      key.style.setProperty('--key', color);
      key.textContent = label;
      caption.append(key);
    }
    this.reading.className = 'reading';
    caption.append(this.reading);
    this.element.className = 'plot';
    this.element.append(caption, this.canvas);
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `Plot of ${options.title} in ${options.unit}`);
    this.canvas.onclick = (event) => options.onclick(this.timeAt(event));
    this.canvas.onpointermove = (event) => options.oncursor(this.timeAt(event));
    this.canvas.onpointerleave = () => options.oncursor(null);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  set(time: number[], values: (number | null)[][]): void {
    Object.assign(this, { time, values });
    this.draw();
  }

  setCursor(time: number | null): void {
    this.cursor = time;
    this.draw();
  }

  private range(): [number, number] {
    return [this.time[0] ?? 0, Math.max(this.time.at(-1) ?? 1, (this.time[0] ?? 0) + 1e-3)];
  }

  private timeAt(event: PointerEvent | MouseEvent): number {
    const { left, width } = this.canvas.getBoundingClientRect();
    const [from, to] = this.range();
    return from + ((event.clientX - left - LEFT) / (width - LEFT - RIGHT)) * (to - from);
  }

  private draw(): void {
    const { canvas, time, values, options } = this;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d')!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const [from, to] = this.range();
    let low = Infinity, high = -Infinity;
    for (const line of values) for (const v of line) if (v !== null) (low = Math.min(low, v)), (high = Math.max(high, v));
    if (!(low <= high)) [low, high] = [0, 1];
    const least = Math.max(1e-9, 1e-3 * Math.abs(high), 1e-3 * Math.abs(low)); // rounding is not a curve
    if (high - low < least) [low, high] = [low - least, high + least];
    const step = options.log ? Math.max(1, roundStep(high - low, 4)) : roundStep(high - low, 4);
    [low, high] = [Math.floor(low / step + 1e-6) * step, Math.ceil(high / step - 1e-6) * step];
    const x = (t: number): number => LEFT + ((t - from) / (to - from)) * (width - LEFT - RIGHT);
    const y = (v: number): number => TOP + ((high - v) / (high - low)) * (height - TOP - BOTTOM);

    pen.font = `11px ${style.fontFamily}`;
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.fillStyle = style.getPropertyValue('--faint');
    pen.lineWidth = 1;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (let v = low; v <= high + step / 2; v += step) {
      const rounded = Math.round(v / step) * step;
      line(pen, LEFT, y(v), width - RIGHT, y(v));
      pen.fillText(options.log ? `1e${Math.round(rounded)}`.replace('-', '−') : numberWords(rounded, step), LEFT - 5, y(v));
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    const second = roundStep(to - from, 5);
    for (let t = Math.ceil(from / second) * second; t <= to; t += second) {
      line(pen, x(t), TOP, x(t), height - BOTTOM);
      pen.fillText(`${numberWords(t, second)} s`, Math.min(x(t), width - 14), height - BOTTOM + 4);
    }
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    values.forEach((list, i) => {
      pen.strokeStyle = options.lines[i]?.color ?? '#888';
      pen.beginPath();
      let begun = false;
      list.forEach((v, k) => {
        if (v === null) return void (begun = false);
        if (begun) pen.lineTo(x(time[k]!), y(v));
        else pen.moveTo(x(time[k]!), y(v));
        begun = true;
      });
      pen.stroke();
    });
    this.reading.textContent = '';
    if (this.cursor === null || this.cursor < from || this.cursor > to) return;
    pen.strokeStyle = style.getPropertyValue('--faint');
    pen.lineWidth = 1;
    line(pen, x(this.cursor), TOP, x(this.cursor), height - BOTTOM);
    const at = time.findIndex((t) => t >= this.cursor!);
    this.reading.textContent = values.map((list) => list[at] ?? null).map((v) => (v === null ? '–' : (options.log ? 10 ** v : v).toPrecision(3))).join(', ');
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, Math.round(y0) + 0.5);
  pen.lineTo(x1, Math.round(y1) + 0.5);
  pen.stroke();
}
