// The page's languages, as the page has them; what is tested here speaks English.
import { readdirSync, readFileSync } from "node:fs";
import { speak } from "../../../builder/page/web/base/language.js";

const FOLDER = new URL("../../../builder/page/web/languages/", import.meta.url);

export const tables = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [
    name.replace(".json", ""),
    JSON.parse(readFileSync(new URL(name, FOLDER))),
  ]),
);

speak(tables, ["en"]);
