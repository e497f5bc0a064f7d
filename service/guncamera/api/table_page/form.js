/**
 * A form made of the OpenAPI document's schemas. A control has a node, reads what is said, and is
 * filled. What is entered into is `at`, where that is not the node; a control of several `seeks` one.
 */

export const el = (tag, { on = {}, ...given } = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), given);
  for (const [type, act] of Object.entries(on)) node.addEventListener(type, act);
  node.append(...inside);
  return node;
};

export const words = (name) => name.replaceAll("_", " ");
const firstOf = (text = "") => text.split("\n\n")[0];

/** The schema that a reference leads to, or the schema itself. */
const target = (spec, schema) => (schema.$ref ? spec.components.schemas[schema.$ref.split("/").at(-1)] : schema);

/** What an enum's values mean: { value: [label, meaning] }; the one that is not stated is left out. */
export function choices({ enum: values, description = "" }) {
  const meanings = Object.fromEntries([...description.matchAll(/^- `(\w+)`: (.+)$/gm)].map(([, value, text]) => [value, text]));
  const [unstated] = values;
  const shared = unstated.replace(/UNSPECIFIED$/, "");
  return values.slice(1).map((value) => [value, words(value.replace(shared, "").toLowerCase()), meanings[value] ?? ""]);
}

/** The control that the steps of a path lead to, as far as the form shows it. */
export const sought = (one, steps) => (steps.length && one.seek?.(steps)) || one;

/** The members of which one at most is said: [[names, whether one must be]]. */
function rivals({ description = "" }) {
  const notes = description.matchAll(/At most one of (.+?) is set\.( Exactly one must be set\.)?/g);
  return [...notes].map(([, names, must]) => [[...names.matchAll(/`(\w+)`/g)].map(([, name]) => name), Boolean(must)]);
}

/** The control of one value. `known` has what is on offer for texts by the name of their field. */
export function control(spec, schema, name, known = {}) {
  if (schema.type === "array") return several(spec, schema, name, known);
  const found = target(spec, schema);
  if (found.type === "object") return group(spec, found, known);
  if (found.enum) return select(choices(found));
  if (found.type === "boolean") return yesOrNo();
  if (found.type === "string") return text(name, known[name]);
  return number();
}

function number() {
  const node = el("input", { type: "number", step: "1", inputMode: "numeric" });
  // What is no number is sent as it stands, so that the service says what it must be.
  const read = () => (node.value === "" ? undefined : Number.isFinite(Number(node.value)) ? Number(node.value) : node.value);
  return { node, read, fill: (value) => (node.value = `${value ?? ""}`) };
}

let lists = 0;
function text(name, offered) {
  const node = el("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: false });
  const control = { node, read: () => node.value.trim() || undefined, fill: (value) => (node.value = value ?? "") };
  if (!offered?.length) return control;
  const list = el("datalist", { id: `offered-${++lists}` }, ...offered.map((value) => el("option", { value })));
  node.setAttribute("list", list.id);
  return { ...control, node: el("span", {}, node, list), at: node };
}

/** Yes or no, or neither: what that means is said beside it, and is not always no. */
function yesOrNo() {
  const one = select([["true", "yes"], ["false", "no"]]);
  const read = () => (one.read() === undefined ? undefined : one.read() === "true");
  return { ...one, read, fill: (value) => one.fill(value === undefined ? "" : `${value}`) };
}

/** One of some values; `options` are [value, label, meaning]. */
export function select(options, none = "—") {
  const node = el("select", {}, el("option", { value: "" }, none));
  node.append(...options.map(([value, label, meaning = ""]) => el("option", { value, title: meaning }, label)));
  return { node, read: () => node.value || undefined, fill: (value) => (node.value = value ?? "") };
}

/** A row: what it is called, the control, what it means. */
function row(name, one, hint, is_needed) {
  const called = el("span", { className: "called" }, words(name));
  const className = is_needed ? "row needed" : "row";
  // The star says that it is required, and to who does not see it the control does.
  const told = el("small", {}, is_needed ? firstOf(hint).replace(/ Required\.$/, "") : firstOf(hint));
  if (is_needed && !one.is_block) (one.at ?? one.node).setAttribute("aria-required", "true");
  // A label names one control; what has several is a group, with its meaning above them.
  if (one.is_block) return el("div", { className, role: "group", ariaLabel: words(name) }, called, told, el("div", { className: "inside" }, one.node));
  const parts = one.is_tick ? [one.node, called] : [called, one.node];
  return el("div", { className }, el("label", { className: one.is_tick ? "tick" : "" }, ...parts), told);
}

/** What may be left out: said while it is ticked, and made when it first is. */
function optional(name, hint, make) {
  const tick = el("input", { type: "checkbox" });
  const inside = el("div", { className: "inside", hidden: true });
  let made;
  const show = () => {
    if (tick.checked && !made) inside.append((made = make()).node);
    inside.hidden = !tick.checked;
  };
  tick.addEventListener("change", show);
  const fill = (value) => {
    tick.checked = value !== undefined;
    show();
    if (tick.checked) made.fill(value);
  };
  const seek = (steps) => (tick.checked ? sought(made, steps) : { node: tick });
  return { node: el("div", {}, row(name, { node: tick, is_tick: true }, hint), inside), at: tick, seek, read: () => (tick.checked ? made.read() : undefined), fill };
}

function group(spec, schema, known) {
  const { properties = {}, required = [] } = schema;
  const node = el("div"), parts = {}, among = rivals(schema);
  for (const [names, must] of among) {
    const one = oneOf(spec, properties, names, known);
    node.append(el("div", { className: must ? "row needed" : "row" }, one.node));
    parts[names.join()] = { ...one, is_spread: true };
  }
  const alone = Object.entries(properties).filter(([name]) => !among.some(([names]) => names.includes(name)));
  const is_needed = ([name]) => required.includes(name);
  for (const [name, each] of [...alone.filter(is_needed), ...alone.filter((one) => !is_needed(one))]) {
    const needed = required.includes(name);
    const make = () => control(spec, each, name, known);
    const is_plain = each.type !== "array" && target(spec, each).type !== "object";
    const made = is_plain || needed ? make() : optional(name, each.description, make);
    node.append(is_plain || needed ? row(name, made, each.description, needed) : made.node);
    parts[name] = made;
  }
  const read = () => {
    const said = Object.entries(parts).flatMap(([name, one]) => (one.is_spread ? Object.entries(one.read()) : [[name, one.read()]]));
    return Object.fromEntries(said.filter(([, value]) => value !== undefined));
  };
  const fill = (value = {}) => Object.entries(parts).forEach(([name, one]) => one.fill(one.is_spread ? value : value[name]));
  const holder = (name) => parts[name] ?? Object.entries(parts).find(([names]) => names.split(",").includes(name))?.[1];
  const seek = ([name, ...rest]) => {
    const part = holder(name);
    return part && sought(part, part.is_spread ? [name, ...rest] : rest);
  };
  return { node, at: Object.values(parts).find((one) => one.is_spread)?.at, is_block: true, seek, read, fill };
}

/** A choice among members: what is chosen is asked for, the others are out of the way. */
function oneOf(spec, properties, names, known) {
  const which = select(names.map((name) => [name, words(name), firstOf(properties[name].description)]), "choose");
  const inside = el("div", { className: "inside" });
  let chosen, made;
  const show = () => {
    if (which.read() === chosen) return;
    chosen = which.read();
    made = chosen && control(spec, properties[chosen], chosen, known);
    inside.replaceChildren(...(chosen ? [el("small", {}, firstOf(properties[chosen].description)), made.node] : []));
  };
  which.node.addEventListener("change", show);
  const fill = (value) => {
    which.fill(names.find((name) => value[name] !== undefined));
    show();
    if (chosen) made.fill(value[chosen]);
  };
  const read = () => (chosen ? { [chosen]: made.read() } : {});
  const seek = ([name, ...rest]) => (name === chosen ? sought(made, rest) : undefined);
  return { node: el("div", {}, el("label", {}, el("span", { className: "called" }, "what"), which.node), inside), at: which.node, seek, read, fill };
}

/** Several values: ticks for choices, a line for plain ones, a list of parts for the rest. */
function several(spec, { items }, name, known) {
  const found = target(spec, items);
  if (found.enum) return ticks(choices(found));
  if (found.type !== "object") {
    const line = el("input", { type: "text", placeholder: "with spaces between them", autocomplete: "off" });
    const asRead = (one) => (found.type === "integer" && /^-?\d+$/.test(one) ? Number(one) : one);
    return { node: line, read: () => line.value.trim().split(/[\s,]+/).filter(Boolean).map(asRead), fill: (value = []) => (line.value = value.join(" ")) };
  }
  const list = el("div"), parts = [];
  const add = () => {
    const one = control(spec, items, name, known);
    const drop = () => (parts.splice(parts.indexOf(one), 1), box.remove());
    const box = el("div", { className: "inside" }, one.node, el("button", { type: "button", on: { click: drop } }, "Remove"));
    parts.push(one);
    list.append(box);
    return one;
  };
  const fill = (value = []) => (parts.splice(0), list.replaceChildren(), value.forEach((each) => add().fill(each)));
  const more = el("button", { type: "button", on: { click: add } }, "Add one");
  const seek = ([nth, ...rest]) => parts[nth] && sought(parts[nth], rest);
  return { node: el("div", {}, list, more), at: more, is_block: true, seek, read: () => parts.map((one) => one.read()), fill };
}

function ticks(options) {
  const boxes = options.map(([value, label]) => [value, label, el("input", { type: "checkbox" })]);
  const node = el("div", {}, ...boxes.map(([, label, box]) => el("label", { className: "tick" }, box, el("span", {}, label))));
  const read = () => boxes.filter(([, , box]) => box.checked).map(([value]) => value);
  return { node, at: boxes[0]?.[2], is_block: true, read, fill: (value = []) => boxes.forEach(([each, , box]) => (box.checked = value.includes(each))) };
}
