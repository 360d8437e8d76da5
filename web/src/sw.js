// SPDX-License-Identifier: Apache-2.0
// The service worker: after the first visit, all files of the page come from the store of the browser, also without a
// network. A new version of the page has other bytes, gets a store of its own, and serves the next visit.
const STORE = 'heft-' + 'VERSION';
const FILES = ['FILES'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('heft-') && name !== STORE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(STORE).then((store) => store.match(event.request, { ignoreSearch: event.request.mode === 'navigate' }))
    .then((stored) => stored ?? fetch(event.request)));
});
