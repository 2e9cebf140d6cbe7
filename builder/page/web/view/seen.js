// What waits until the visitor sees where it goes.

const NEARBY = "100px"; // of what is seen

/** @type {Map<string, IntersectionObserver>} */
const observers = new Map(); // by what they observe

/**
 * Call act with those elements that come to be seen, each once; those of an earlier call for the
 * same what are forgotten. Resolves when it is done with the first ones.
 * @param {Element[]} elements
 * @param {(seen: Element[]) => Promise<void>} act
 * @returns {Promise<void>}
 */
export function whenSeen(elements, act, what = "hits") {
  observers.get(what)?.disconnect();
  return new Promise((resolve) => {
    const own = new IntersectionObserver(
      (entries) => {
        const seen = entries.filter((entry) => entry.isIntersecting).map(({ target }) => target);
        for (const element of seen) own.unobserve(element);
        resolve(act(seen));
      },
      { rootMargin: NEARBY },
    );
    observers.set(what, own);
    for (const element of elements) own.observe(element);
    if (elements.length === 0) resolve();
  });
}
