// Scripts that are loaded when they are wanted.

import { element } from "../base/element.js";

/** @type {Record<string, Promise<unknown>>} */
const loading = {};

/**
 * Run the script at an address, once. One that could not be loaded is tried again.
 * @param {string} src
 */
export function load(src) {
  loading[src] ??= new Promise((onload, reject) => {
    const onerror = () => {
      delete loading[src];
      reject(src);
    };
    document.head.append(element("script", { src, onload, onerror }));
  });
  return loading[src];
}
