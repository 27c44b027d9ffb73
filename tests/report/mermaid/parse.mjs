// Reads a JSON list of Mermaid sources from stdin; writes a list with null for each that Mermaid
// takes as a sequence diagram, else what it says. Mermaid wants a document, which jsdom gives it.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "package.json"));
const { JSDOM } = require("jsdom");
const { window } = new JSDOM("<!doctype html><body></body>");
globalThis.window = window;
globalThis.document = window.document;
const entry = join(process.argv[2], "node_modules/mermaid/dist/mermaid.core.mjs");
const { default: mermaid } = await import(pathToFileURL(entry));

const answers = [];
for (const source of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const { diagramType } = await mermaid.parse(source);
    answers.push(diagramType === "sequence" ? null : `taken as ${diagramType}`);
  } catch (error) {
    answers.push(String(error.message ?? error));
  }
}
process.stdout.write(JSON.stringify(answers));
