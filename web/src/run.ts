// SPDX-License-Identifier: Apache-2.0
// Actions of time: play, pause, step, back, reset, faster, slower.
import type { App } from './app';
import { icons } from './ui/icons';

export function addRunActions(app: App): void {
  const { actions } = app;
  const ready = (): boolean => app.description !== null && (app.source?.can.has('run') ?? false);
  const past = (): boolean => ready() && app.source!.can.has('rewind');
  const back = (seconds: number) => async (): Promise<void> => {
    const { frame, source } = app;
    if (frame) await source?.rewind(Math.max(frame.historyStart, frame.time - seconds));
  };
  const speed = (factor: number) => async (): Promise<void> => {
    const next = Math.min(16, Math.max(1 / 64, app.state.speed * factor));
    if (app.state.playing) await app.source?.play(next);
    else app.state = { ...app.state, speed: next };
    app.tell('state', app.state);
    app.say(`${next >= 1 ? next : `1/${1 / next}`}× real time`);
  };
  actions.add({
    id: 'reset', label: 'Reset', group: 'run', key: 'r', icon: icons.reset, place: 'time', enabled: ready,
    run: () => app.source?.reset(),
  });
  actions.add({
    id: 'back', label: 'Back 0.1 s', group: 'run', key: 'ArrowLeft', icon: icons.back, place: 'time', enabled: past, run: back(0.1),
  });
  actions.add({
    id: 'play', label: 'Run, pause', group: 'run', key: 'Space', place: 'time', enabled: ready,
    icon: () => (app.state.playing ? icons.pause : icons.play), on: () => app.state.playing,
    run: () => (app.state.playing ? app.source?.pause() : app.source?.play(app.state.speed)),
  });
  actions.add({
    id: 'step', label: 'One step', group: 'run', key: 'ArrowRight', icon: icons.step, place: 'time', enabled: ready,
    run: () => app.source?.step(1),
  });
  actions.add({ id: 'step-10', label: 'Ten steps', group: 'run', key: 'Shift+ArrowRight', enabled: ready, run: () => app.source?.step(10) });
  actions.add({ id: 'back-2', label: 'Back 2 s', group: 'run', key: 'Shift+ArrowLeft', enabled: past, run: back(2) });
  actions.add({ id: 'faster', label: 'Faster', group: 'run', key: '+ =', enabled: ready, run: speed(2) });
  actions.add({ id: 'slower', label: 'Slower', group: 'run', key: '-', enabled: ready, run: speed(0.5) });
  let key = -1;
  actions.add({
    id: 'key', label: 'Next keyframe', group: 'run', key: 'k', enabled: () => ready() && app.description!.names.key.length > 0,
    run: async () => {
      const { names } = app.description!;
      key = (key + 1) % names.key.length;
      await app.source?.reset(key);
      app.say(`Keyframe ${names.key[key] || key}`);
    },
  });
}
