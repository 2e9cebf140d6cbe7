// Asks the installed package. Standard input: what to open, and the calls [method, ...arguments].
// Standard output: the answers, or what was refused.
import { readFileSync } from "node:fs";
import { open, PocketError, TextTooShort } from "pocketindex";

const { what, as, calls } = JSON.parse(readFileSync(0, "utf8"));
const opened = {
  bytes: () => new Uint8Array(readFileSync(what)),
  buffer: () => new Uint8Array(readFileSync(what)).buffer,
  file: () => new File([readFileSync(what)], "picked.pocket"),
  url: () => new URL(what),
  as_it_is: () => what,
};

/** @param {() => Promise<unknown>} call */
async function answered(call) {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PocketError)) throw error;
    const short = error instanceof TextTooShort;
    return { code: error.code, message: error.message, short };
  }
}

const said = [];
const index = await answered(() => open(opened[as]()));
if (index.query) {
  const { name, size, documents, has, keepsTexts } = index;
  said.push({ name, size, documents, has, keepsTexts });
  for (const [method, ...given] of calls) {
    said.push(await answered(async () => index[method](...given)));
  }
  await index.close();
} else {
  said.push(index);
}
console.log(JSON.stringify(said));
