// Makes mistakes on purpose, and puts them right: node mistakes.js URL
import { Node, until } from "./browser.js";
const [url] = process.argv.slice(2);
globalThis.location = { href: `${url}/table` };
await import("./page.js");
const at = (id) => document.getElementById(id);
const labelled = (name) => {
  const label = at("asked").all.find((one) => one.tag === "label" && one.textContent.startsWith(name));
  return label.all.find((one) => ["select", "input"].includes(one.tag));
};
const choose = (name, value) => Object.assign(labelled(name), { value }).fire("change");
const press = (place, text) => at(place).all.find((one) => one.tag === "button" && one.textContent === text).fire("click");
const key = (name, repeat = false) => at("throw").children[0].listeners.keydown.forEach((act) => act({ key: name, repeat }));
const thrown = (text) => until(() => at("throw").textContent.includes(text), text);
const told = [];
const hear = async () => {
  await until(() => at("told").children.length > told.length, "an answer");
  told.push(at("told").children[0].textContent);
};
const isWrong = (name) => labelled(name)["aria-invalid"] === "true";
const said = {};

choose("game", "kettering");
await until(() => at("asked").textContent.includes("what happens"), "the game is there");
choose("what happens", "fire");
said.required = ["aspect", "range hexes", "ammunition"].map((name) => labelled(name)["aria-required"] ?? "");
said.form = at("asked").textContent;
press("asked", "Rule, with my dice");
await hear();
said.empty = { told: told.at(-1), wrong: ["aspect", "range hexes", "ammunition"].map(isWrong) };
at("told").all.find((one) => one.className === "field" && one.textContent === "range hexes").fire("click");
said.led_to = globalThis.focused === labelled("range hexes");

press("asked", "Fill in an example");
labelled("range hexes").value = "3";
press("asked", "Rule, with my dice");
await hear();
said.too_far = { told: told.at(-1), wrong: isWrong("aspect") };

labelled("range hexes").value = "2";
press("asked", "Rule, with my dice");
await thrown("die 1 of 2");
said.reads_on = globalThis.focused.textContent;
key("7");
key("5", true);
said.not_taken = at("throw").textContent;
key("5");
await thrown("So far: 5");
key("Backspace");
await thrown("So far: nothing");
key("4");
await thrown("So far: 4");
labelled("range hexes").value = "1";
key("3");
await thrown("changed meanwhile");
said.answers = told.length === at("told").children.length;
press("asked", "Rule, with my dice");
await thrown("So far: nothing");
key("4");
key("3");
await hear();
said.ruled = told.at(-1);

const readings = () => at("asked").all.filter((one) => one.tag === "label" && /\(KET-/.test(one.textContent));
const all = readings();
const search = Object.assign(labelled("find a reading"), { value: "WIND " });
search.fire("input");
const chosen = all.find((one) => one.hidden);
said.readings = { all: all.length, shown: all.filter((one) => !one.hidden).map((one) => one.textContent) };
const control = chosen.all.find((one) => ["select", "input"].includes(one.tag));
control.value = control.tag === "select" ? control.children[1].value : "1";
search.fire("input");
said.readings.chosen_stays = !chosen.hidden;

choose("game", "redstars");
await until(() => at("asked").textContent.includes("what happens") && !at("asked").textContent.includes("KET-"), "the next game is there");
choose("what happens", "fire");
press("asked", "Fill in an example");
press("asked", "Rule, with my dice");
await thrown("a d10");
key("0");
await thrown("So far: 10");
said.nought = at("throw").textContent;
console.log(JSON.stringify(said));
