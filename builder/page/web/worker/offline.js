// A service worker: the page without a network. While there is one, it changes nothing; without one
// it gives what visit/offline.js has kept.

const worker = /** @type {any} */ (self);

/**
 * What is kept of an address. An edition is whole where it has the page, which is put in last.
 * @param {Request} request
 */
async function kept(request) {
  const { scope } = worker.registration;
  const page = `${scope}index.html`;
  const address = request.url === scope ? page : request.url;
  for (const name of await caches.keys()) {
    if (name.split(" ")[0] !== scope) continue;
    const cache = await caches.open(name);
    const found = (await cache.match(page)) && (await cache.match(address));
    if (found) return found;
  }
  return Response.error();
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) =>
  event.waitUntil(worker.clients.claim()),
);
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || request.headers.has("range")) return;
  event.respondWith(fetch(request).catch(() => kept(request)));
});
