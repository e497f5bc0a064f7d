// Does what a player does: node play.js URL SLUG VERB FACES
import { Node, until } from "./browser.js";
const [url, slug, verb, dice] = process.argv.slice(2);
globalThis.location = { href: `${url}/table` };
await import("./page.js");
const at = (id) => document.getElementById(id);
const choose = (name, value) => {
  const label = at("asked").all.find((one) => one.tag === "label" && one.textContent.startsWith(name));
  const select = label.all.find((one) => one.tag === "select");
  select.value = value;
  select.fire("change");
};
const press = (place, text) => {
  const button = at(place).all.find((one) => one.tag === "button" && one.textContent === text);
  if (!button) throw new Error(`no button ${text} in ${at(place).textContent}`);
  if (!button.disabled) button.fire("click");
};
const has = (place, text) => () => at(place).textContent.includes(text);
choose("game", slug);
await until(has("asked", "what happens"), "the game is there");
choose("what happens", verb);
press("asked", "Fill in an example");
press("asked", "Rule, with my dice");
const throws = [];
for (const [at_, face] of JSON.parse(dice).entries()) {
  await until(() => at("throw").textContent.includes("Throw") && !throws.includes(at("throw").textContent), `die ${at_ + 1} is asked for`);
  throws.push(at("throw").textContent);
  if (at_ === 1) {
    press("throw", "Back");
    await until(has("throw", "So far: nothing"), "the first die is taken back");
    press("throw", `${JSON.parse(dice)[0]}`);
    await until(() => at("throw").textContent === throws[1], "the second is asked for again");
  }
  press("throw", `${face}`);
}
await until(() => at("told").children.length === 1 && !at("throw").children.length, "the ruling is told");
const ruling = at("told").children[0].textContent;
const readings = at("asked").all.find((one) => one.tag === "details" && one.textContent.startsWith("House readings"));
const rows = readings.all.filter((one) => one.tag === "label" && / \([A-Z]+-/.test(one.textContent));
const texts = (found) => found.map((one) => one.textContent);
const list = { text: readings.textContent, all: texts(rows), shown: texts(rows.filter((one) => !one.hidden)) };
const change = at("told").children[0].all.find((one) => one.tag === "button" && one.textContent === "change");
let led_to;
if (change) {
  readings.open = false;
  change.fire("click");
  led_to = { open: readings.open, label: focused.parent.textContent };
}
press("asked", "What are the odds?");
await until(() => at("told").children.length === 2, "the odds are told");
console.log(JSON.stringify({ throws, ruling, list, led_to, odds: at("told").children[0].textContent }));
