// SPDX-License-Identifier: Apache-2.0
// Starts the page: makes the App, adds what can be done with it, and opens the first scene.
import engine from 'heft/heft.wasm?url';
import './style.css';
import { App } from './app';
import { addFiles } from './files/index';
import { Hands } from './hands';
import { addHint } from './hint';
import { Overlays } from './overlays';
import { addPlots } from './plots';
import { addRunActions } from './run';
import { addGhost } from './scene/ghost';
import { addSettings } from './settings';
import { addShare, openLink } from './share';
import { addTheme } from './theme';
import { addHelp } from './ui/help';
import { icons } from './ui/icons';
import { addReport } from './ui/report';
import { openScene, sceneList } from './ui/scenes';
import { addSelection } from './ui/selection';
import { addTimeline } from './ui/timeline';
import { buttons, menu } from './ui/toolbar';
import { WorkerSource } from './worker-source';
import { addHeadset } from './xr';

/** The camera without a pointer. */
function addCameraKeys(app: App): void {
  const { orbit } = app.stage, angle = 0.12;
  const add = (id: string, label: string, key: string, move: () => void): void => {
    app.actions.add({ id, label, group: 'view', key, place: 'nowhere', run: () => (move(), app.stage.redraw()) });
  };
  add('turn-left', 'Turn the camera to the left', 'Alt+ArrowLeft', () => orbit.turn(-angle, 0));
  add('turn-right', 'Turn the camera to the right', 'Alt+ArrowRight', () => orbit.turn(angle, 0));
  add('turn-up', 'Turn the camera up', 'Alt+ArrowUp', () => orbit.turn(0, angle));
  add('turn-down', 'Turn the camera down', 'Alt+ArrowDown', () => orbit.turn(0, -angle));
  add('nearer', 'Bring the camera nearer', 'PageUp', () => orbit.zoom(0.9));
  add('farther', 'Take the camera farther away', 'PageDown', () => orbit.zoom(1 / 0.9));
}

const element = (id: string): HTMLElement => document.getElementById(id)!;
const app = new App(element('canvas') as HTMLCanvasElement, element('side'), element('say'));

menu(app, element('bar'));
sceneList(app, element('bar'));
addFiles(app);
addRunActions(app);
app.overlays = new Overlays(app, element('over'));
addGhost(app);
addPlots(app);
addSettings(app);
app.actions.add({ id: 'camera', label: 'Reset the camera', group: 'view', key: 'c', icon: icons.camera, place: 'bar', run: () => app.stage.home() });
addCameraKeys(app);
addTheme(app);
addShare(app);
addHeadset(app);
addHelp(app);
addReport(app, element('over'));
addSelection(app, element('over'));
addHint(app, element('over'));
buttons(app, element('bar'), 'bar');
buttons(app, element('time'), 'time');
addTimeline(app, element('time'));
app.actions.listen(window);
new Hands(app);
element('side').hidden = true;

/** For tests and for the console. */
Object.assign(window, { heftApp: app });

const words = new URLSearchParams(location.search);
const served = words.get('serve') !== null; // by heft serve
if (served) {
  import('./served').then(({ useServer }) => useServer(app, words)).catch((error: Error) => app.fail(error));
} else {
  WorkerSource.start({ wasm: WebAssembly.compileStreaming(fetch(engine)) }) // compiled here while the Worker starts
    .then(async (source) => {
      app.use(source);
      const shared = await openLink(app, source).catch((error: Error) => (app.fail(error), false));
      if (shared) return;
      await openScene(app, words.get('scene') ?? 'walk');
      if (words.get('paused') === null) await source.play(1);
    })
    .catch((error: Error) => app.fail(error));
}

if (!served && 'serviceWorker' in navigator && import.meta.env.PROD) void navigator.serviceWorker.register('./sw.js');
