// SPDX-License-Identifier: Apache-2.0
// The page as a client of `heft serve`: which server, who is there, and the hands of all users in the picture.
//
// The address of the page says so: "?serve" for the server that the page comes from, "?serve=ws://host:port" for another. The
// token of a user follows as "#token=...", which browsers do not send; it is taken out of the address at once.
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';
import type { App } from './app';
import { ServeSource, type ServedFrame } from './serve-source';

const STORED = 'heft-serve-token'; // for reloading the page

/** The address of the server that the page is to show. */
function servedAddress(words: URLSearchParams, place: Location): string {
  const given = words.get('serve');
  if (!given) return `${place.protocol === 'https:' ? 'wss:' : 'ws:'}//${place.host}${place.pathname}`;
  if (!/^wss?:\/\//.test(given)) throw new Error(`?serve=${given}: an address like ws://127.0.0.1:8765 is expected`);
  return given;
}

function takeToken(): string {
  const found = /^#token=([!-~]+)$/.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem(STORED, decodeURIComponent(found));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(STORED) ?? '';
}

/** Shows the world of a server from now on. */
export function useServer(app: App, words: URLSearchParams): void {
  const source = new ServeSource(servedAddress(words, location), takeToken());
  addHands(app);
  addBadge(app, source);
  app.use(source);
}

/** Lines from the points that are held to where they are pulled. */
function addHands(app: App): void {
  const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xff7a00, depthTest: false }));
  const points = new Points(lines.geometry, new PointsMaterial({ color: 0xff7a00, size: 9, sizeAttenuation: false, depthTest: false }));
  for (const object of [lines, points]) Object.assign(object, { frustumCulled: false, visible: false });
  app.stage.marks.add(lines, points);
  app.on('frame', (frame) => {
    const { hands = [] } = frame as Partial<ServedFrame>;
    lines.visible = points.visible = hands.length > 0;
    if (hands.length) lines.geometry.setAttribute('position', new Float32BufferAttribute(hands.flatMap(({ point, target }) => [...point, ...target]), 3));
  });
}

/** Who is there, and whether one acts or watches; at most four times a second. */
function addBadge(app: App, source: ServeSource): void {
  const badge = document.createElement('div');
  badge.id = 'served';
  badge.setAttribute('role', 'status');
  badge.setAttribute('aria-label', 'The server');
  badge.style.cssText = 'position:absolute;left:12px;bottom:12px;padding:5px 11px;border-radius:9px;background:color-mix(in srgb,var(--raised) 88%,transparent);border:1px solid var(--line);font-size:13px;max-width:calc(100% - 24px)';
  document.getElementById('over')!.append(badge);
  let next = 0;
  const show = (frame: ServedFrame | null): void => {
    const role = source.user ? `you may act: ${[...source.can].join(', ')}` : source.hasUsers ? 'you watch' : 'all watch';
    const others = frame ? ` · ${count(frame.watchers, 'watcher')}, ${count(frame.users, 'user')}${frame.speed ? ` · ${Math.round(100 * frame.speed)} % of real time` : ''}` : '';
    const text = `${new URL(source.address).host}${others} · ${role}`;
    if (badge.textContent !== text) badge.textContent = text;
  };
  const showLater = (): void => {
    const now = performance.now();
    if (now < next) return;
    next = now + 250;
    setTimeout(() => show(app.frame as ServedFrame | null), 250);
  };
  show(null);
  app.on('frame', showLater);
  app.on('state', showLater);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
