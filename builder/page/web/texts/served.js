// From a picked or dropped file to a text, where `pocketindex serve` reads it as a build does.

import { say } from "../base/language.js";
import { size } from "../base/numbers.js";
import { Problem } from "../base/problem.js";

/**
 * The text of a file, and what of it is not as it stands there. most: bytes that are read. Throws a
 * Problem with the reason where it is not read.
 * @param {File} file
 * @param {number} most
 * @returns {Promise<{ text: string, notes: string[] }>}
 */
export async function textByServer(file, most) {
  const { name } = file;
  if (file.size > most) throw new Problem(say("tooLargeFile", { name, size: size(most) }));
  const address = `api/text?${new URLSearchParams({ name })}`;
  let answer = null;
  try {
    answer = await fetch(address, { method: "POST", body: file });
  } catch {
    throw new Problem(say("noServer"));
  }
  const said = await answer.json();
  if (!answer.ok) throw new Problem(say("notReadBecause", { name, reason: said.error }));
  return said;
}
