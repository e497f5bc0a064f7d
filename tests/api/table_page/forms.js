// Fills the forms of facts, and tells what they say then.
import { readFileSync } from "node:fs";
import "./browser.js";
const { control } = await import("./form.js");
const { spec, asked } = JSON.parse(readFileSync("forms.json"));
console.log(JSON.stringify(asked.map(({ schema, value }) => {
  const form = control(spec, schema, "facts");
  const untouched = form.read();
  form.fill(value);
  const filled = form.read();
  form.fill({});
  return { untouched, filled, emptied: form.read() };
})));
