// The engine of a website's search, for its components and for programs (docs/site.md).

import { openSite } from "./search.js";

Object.assign(globalThis, { pocketSite: { open: openSite } });
