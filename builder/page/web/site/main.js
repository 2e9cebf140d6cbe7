// The engine of a website's search, for its components and for programs (docs/site.md).

import { speak } from "../base/language.js";
import { openSite } from "./search.js";

// What its errors say to a program; the element has sentences of its own for visitors.
speak(
  {
    en: {
      missingShard:
        "The file {file} cannot be loaded. Build the index again, and upload all of it.",
      foreignShard: "The file {file} is of another index. Build it again, and upload all of it.",
      damagedShard: "The file {file} is damaged. Build the index again.",
      noMemory: "The browser has no more memory for this.",
    },
  },
  ["en"],
);
Object.assign(globalThis, { pocketSite: { open: openSite } });
