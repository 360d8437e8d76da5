// SPDX-License-Identifier: Apache-2.0
// The bar of time: a slider over the stored past, the time, the speed, and how often the past was reached again bit for bit.
import type { App } from '../app';

export function addTimeline(app: App, element: HTMLElement): void {
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.id = 'scrub';
  slider.step = 'any';
  slider.setAttribute('aria-label', 'Time');
  const text = document.createElement('output');
  text.id = 'clock';
  const speed = document.createElement('span');
  speed.id = 'speed';
  element.append(slider, text, speed);

  // While the slider is dragged, its last place is the one that counts: requests do not pile up.
  let wanted: number | null = null, asking = false;
  const go = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    while (wanted !== null) {
      const time = wanted;
      wanted = null;
      await app.source?.rewind(time).catch((error: Error) => app.fail(error));
    }
    asking = false;
  };
  slider.oninput = () => {
    wanted = Number(slider.value);
    void go();
  };
  app.on('frame', (frame) => {
    slider.min = String(frame.historyStart);
    slider.max = String(Math.max(frame.historyEnd, frame.historyStart + 1e-9));
    if (!asking) slider.value = String(frame.time);
    slider.disabled = !app.source?.can.has('rewind');
    const words = `${frame.time.toFixed(3)} s`;
    slider.setAttribute('aria-valuetext', `${frame.time.toFixed(2)} seconds`);
    text.textContent = words;
    text.title = `step ${frame.step}${frame.same ? `; ${frame.same} snapshots reached again with the same bits` : ''}`;
  });
  const say = (): void => {
    const s = app.state.speed;
    speed.textContent = s >= 1 ? `${s}×` : `1/${1 / s}×`;
  };
  app.on('state', say);
  say();
}
