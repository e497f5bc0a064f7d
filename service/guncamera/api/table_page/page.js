/** The page at /table: facts in a form, dice thrown by hand or by the service, the ruling with its reasons. */

import { choices, control, el, select, sought, words } from "./form.js";

// Addresses are relative to the page: the service may stand below a path of its proxy.
const door = new URL(".", location.href).href;
const at = (id) => document.getElementById(id);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

let game, verb, facts, settings, readings, rules = {}, labels = {}, choosings = 0, wrong = [];
let key = "";
async function call(path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (key) headers.Authorization = `Bearer ${key}`;
  const answer = await fetch(`${door}${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw said;
  return said;
}

/** A refusal, or a service that does not answer, in words: what the fields are to hold, and the rule. */
function refused({ title, detail, message, rule_id, violations = [] }) {
  const repeats = violations.some(({ description }) => detail.includes(description));
  const said = repeats ? title : detail;
  const rule = rule_id && rules[rule_id] ? [whyOf(rule_id)] : [];
  const box = el("div", { className: "ruling" }, el("p", { className: "bad" }, asShown(said ?? `No answer: ${message}`)), ...rule);
  if (violations.length) box.append(el("ul", {}, ...violations.map(faulty)));
  return box;
}

/** The names of choices as the form shows them. */
const asShown = (text) => text.replace(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, (name) => labels[name] ?? name);

/** What a field must be; a press leads to the field, which is marked till the next question. */
function faulty({ field, description }) {
  const [root, , ...steps] = field.split(/[.[\]]+/).filter(Boolean);
  const called = steps.map((step) => (/^\d+$/.test(step) ? Number(step) + 1 : words(step))).join(" ");
  const said = `: ${asShown(description)}`;
  const found = root === "facts" && facts ? sought(facts, steps) : undefined;
  const place = found?.at ?? found?.node;
  if (!place) return el("li", {}, `${root === "settings" ? `house reading ${called}` : field}${said}`);
  place.setAttribute("aria-invalid", "true");
  wrong.push(place);
  return el("li", {}, el("button", { type: "button", className: "field", on: { click: () => place.focus() } }, called || "what happens"), said);
}

// ---- What is asked

const spec = await call("openapi.json").catch((fault) => (at("told").append(refused(fault)), undefined));
const slugOf = ({ name }) => name.split("/")[1];
const enums = Object.values(spec?.components.schemas ?? {}).filter((schema) => schema.enum);
labels = Object.fromEntries(enums.flatMap(choices));

const chosen = el("div");
const keyed = el("input", { type: "password", autocomplete: "off", on: { input: () => (key = keyed.value.trim()) } });
const again = el("button", { type: "button", on: { click: () => start() } }, "Use it");
const doorkeeper = el("details", {}, el("summary", {}, "A key or a seat's token, if the service asks for one"), keyed, again);

async function start() {
  try {
    const { rulesets } = await call("v1/rulesets");
    const games = select(rulesets.map((one) => [slugOf(one), one.title]), "choose a game");
    games.node.addEventListener("change", () => shown(choose(games.read())));
    at("asked").replaceChildren(el("label", { className: "wide" }, el("span", {}, "game"), games.node), chosen, doorkeeper);
    at("told").replaceChildren();
  } catch (fault) {
    at("asked").replaceChildren(doorkeeper);
    doorkeeper.open = true;
    at("told").replaceChildren(refused(fault));
  }
}

const shown = (work) => work.catch((fault) => tell(refused(fault)));

/** The latest answer stands first, and those before it stay. Keys go on from it: the dice are gone. */
function tell(answer) {
  at("told").prepend(answer);
  answer.tabIndex = -1;
  answer.focus({ preventScroll: true });
  answer.scrollIntoView?.({ block: "nearest" });
}

async function choose(slug) {
  const mine = (choosings += 1);
  chosen.replaceChildren();
  at("throw").replaceChildren();
  if (!slug) return;
  const [wanted, types] = await Promise.all([call(`v1/rulesets/${slug}`), typesOf(slug)]);
  if (mine !== choosings) return; // another has been chosen meanwhile
  game = wanted;
  rules = Object.fromEntries(game.rules.map((rule) => [rule.id, rule]));
  const verbs = select(game.verbs.map((one) => [one, one]), "choose");
  const form = el("div");
  verbs.node.addEventListener("change", () => ask(slug, verbs.read(), types, form));
  chosen.append(el("label", {}, el("span", {}, "what happens"), verbs.node), form);
}

/** What is on offer for texts: the types of aircraft, by the names that fields have for them. */
async function typesOf(slug) {
  const found = [];
  for (let token = ""; token !== undefined; ) {
    const page = await call(`v1/rulesets/${slug}/aircraft?page_token=${encodeURIComponent(token)}`);
    found.push(...page.aircraft.map(({ name }) => name.split("/").at(-1)));
    token = page.next_page_token || undefined;
  }
  return { aircraft_type: found, aeroplane: found, type: found, interceptor: found };
}

const schemaOf = ({ $ref }) => spec.components.schemas[$ref.split("/").at(-1)];
const memberOf = (schema, slug) => schemaOf(schemaOf(schema).properties[slug]);
const path = (name) => `/v1:resolve${capital(name)}`;

function ask(slug, named, types, form) {
  verb = named;
  at("throw").replaceChildren();
  form.replaceChildren();
  if (!verb) return;
  const { schema, examples = {} } = spec.paths[path(verb)].post.requestBody.content["application/json"];
  const request = schemaOf(schema);
  facts = control(spec, schemaOf(request.properties.facts).properties[slug], slug, types);
  const kinds = memberOf(request.properties.settings, slug).properties;
  const offered = game.settings.map((one) => [one, settingOf(one, kinds[one.name])]);
  settings = () => Object.fromEntries(offered.map(([one, { read }]) => [one.name, read()]).filter(([, value]) => value !== undefined));
  readings = houseReadings(offered);
  const example = examples[slug]?.value.facts[slug];
  const fill = el("button", { type: "button", hidden: !example, on: { click: () => facts.fill(example) } }, "Fill in an example");
  form.append(fill, facts.node, readings.box, buttons(slug));
}

function settingOf({ choices, default_value: usual }, { type }) {
  if (!choices.length) {
    const node = el("input", { type: "number", step: "1", placeholder: `as usual: ${usual}` });
    return { node, read: () => (node.value === "" ? undefined : Number(node.value)) };
  }
  const one = select(choices.map(({ value, meaning }) => [value, `${value}: ${meaning}`]), `as usual: ${usual}`);
  const read = () => (type === "string" || one.read() === undefined ? one.read() : JSON.parse(one.read()));
  return { ...one, read };
}

/** There are many: those show whose words hold what is looked for, else those that decided what was told last. */
function houseReadings(offered) {
  const rows = offered.map(([{ title, rule_id, name }, { node, read }]) => {
    const row = el("label", {}, el("span", {}, `${title} (${rule_id})`), node);
    return { row, node, read, name, text: `${title} ${rule_id} ${words(name)}`.toLowerCase() };
  });
  const wanted = el("input", { type: "search", autocomplete: "off" });
  let decided = new Set();
  const sift = () => {
    const looked = wanted.value.trim().toLowerCase();
    const shows = ({ text, name }) => (looked ? text.includes(looked) : !decided.size || decided.has(name));
    for (const one of rows) one.row.hidden = !shows(one) && one.read() === undefined;
  };
  wanted.addEventListener("input", sift);
  const search = el("label", {}, el("span", {}, "find a reading"), wanted);
  const first = el("small", {}), list = el("div", {}, ...rows.map(({ row }) => row));
  const box = el("details", {}, el("summary", {}, `House readings: ${offered.length}, as usual unless you say otherwise`), search, first, list);
  const putFirst = (names) => {
    decided = names;
    first.textContent = names.size ? "These decided what was told last; all others can be found by their words." : "";
    list.replaceChildren(...[true, false].flatMap((is_in) => rows.filter(({ name }) => names.has(name) === is_in).map(({ row }) => row)));
    sift();
  };
  /** Opens the list at a reading, to be chosen otherwise. */
  const lead = (wish) => {
    Object.assign(box, { open: true });
    Object.assign(wanted, { value: "" });
    sift();
    rows.find(({ name }) => name === wish)?.node.focus();
  };
  return { box, putFirst, lead };
}

function buttons(slug) {
  const press = (text, act, className = "") => el("button", { type: "button", className, on: { click: () => shown(act(slug)) } }, text);
  return el("div", { className: "buttons" }, press("Rule, with my dice", (one) => rule(one, []), "main"), press("Rule, and throw for me", (one) => rule(one)), press("What are the odds?", odds));
}

function question(slug) {
  wrong.splice(0).forEach((place) => place.removeAttribute("aria-invalid"));
  return asked(slug);
}
const asked = (slug) => ({ facts: { [slug]: facts.read() }, settings: { [slug]: settings() } });

// ---- Dice

/** Asks for a ruling; with faces, for those that are still to be thrown, one die at a time. */
async function rule(slug, faces) {
  const dice = faces && { dice: { supplied: { faces } } };
  try {
    const ruling = await call(path(verb).slice(1), { ...question(slug), ...dice });
    at("throw").replaceChildren();
    tell(told(ruling));
  } catch (fault) {
    if (!fault.roll_required) throw (at("throw").replaceChildren(), fault);
    thrown(slug, faces, fault.roll_required);
  }
}

function thrown(slug, faces, { purpose, sides, reading, rule_id }) {
  const now = [];
  const panel = at("throw");
  const before = JSON.stringify(asked(slug));
  const show = () => {
    const side = sides[now.length];
    const name = sides.length > 1 ? `die ${now.length + 1} of ${sides.length}, a d${side}` : `a d${side}`;
    const face = (n) => el("button", { type: "button", on: { click: () => shown(take(n)) } }, side === 10 && n === 10 ? "10, the 0" : `${n}`);
    const back = el("button", { type: "button", disabled: !faces.length && !now.length, on: { click: () => shown(takeBack()) } }, "Back");
    const typed = ({ key, repeat }) => {
      if (repeat) return;
      const face = key === "0" ? 10 : Number(key);
      if (/^\d$/.test(key) && face <= side && side <= 10) shown(take(face));
      if (key === "Backspace" && !back.disabled) shown(takeBack());
    };
    const hint = side <= 10 ? [el("span", { className: "keys" }, ". Keys do as well")] : [];
    const title = el("h2", { tabIndex: -1 }, `Throw ${purpose.replaceAll("-", " ")}: ${name}`);
    const told = el("small", {}, `${rule_id}: ${reading}. So far: ${[...faces, ...now].join(" ") || "nothing"}`, ...hint);
    const buttons = el("div", { className: "faces" }, ...Array.from({ length: side }, (_, n) => face(n + 1)), back);
    panel.replaceChildren(el("div", { on: { keydown: typed } }, title, told, buttons));
    title.focus({ preventScroll: true }); // on no face, which a key held too long would throw
  };
  const take = async (n) => {
    if (JSON.stringify(asked(slug)) !== before) return stale();
    now.push(n);
    if (now.length < sides.length) show();
    else await again([...faces, ...now]);
  };
  /** The buttons go first: a second tap would be a die that nobody threw. */
  const again = (said) => (panel.replaceChildren(), rule(slug, said));
  /** These dice were asked for by other facts. */
  const stale = () => panel.replaceChildren(el("p", { className: "bad" }, "What happened has been changed meanwhile. Have it ruled on again."));
  const takeBack = async () => (now.length ? (now.pop(), show()) : again(faces.slice(0, -1)));
  show();
  panel.scrollIntoView?.({ block: "nearest" });
}

// ---- What is told

const LINES = {
  roll_line: ({ purpose, faces, total }) => `${purpose}: ${faces.join(", ")}${faces.length > 1 ? ` make ${total}` : ""}`,
  modifier_line: ({ name, amount, why }) => `${words(name)} ${amount < 0 ? amount : `+${amount}`}${why ? ` (${why})` : ""}`,
  sum_line: ({ name, base, total }) => (base === total ? `${words(name)}: ${total}` : `${words(name)}: ${base} becomes ${total}`),
  look_up_line: ({ table, row, column, cell }) => `table ${table}, row ${words(row)}, column ${words(column)}: ${words(cell)}`,
  clamp_line: ({ name, before, low, high, after }) => `${words(name)}: ${before}, held between ${low} and ${high}, is ${after}`,
  setting_line: ({ name, value }) => `house reading, ${game.settings.find((one) => one.name === name)?.title ?? words(name)}: ${value}`,
  finding_line: ({ name, value, why }) => `${words(name).replaceAll(".", ", ")}: ${words(value ?? "") || "none"}${why ? ` (${why})` : ""}`,
};
const SOURCES = { DICE_SOURCE_SUPPLIED: "By your own dice", DICE_SOURCE_DRAWN: "By the service's dice" };

function told({ summary, trace, rolls, dice_source, rules_version }) {
  readings.putFirst(new Set(trace.flatMap(({ setting_line }) => setting_line?.name ?? [])));
  const by = rolls.length ? `${SOURCES[dice_source]}: ${rolls.map(({ faces }) => faces.join(" ")).join(" · ")}. ` : "";
  return el("div", { className: "ruling" }, el("h2", {}, summary), el("ol", {}, ...trace.map(line)), el("small", {}, `${by}${game.title}, rules version ${rules_version}.`));
}

function line(one) {
  const [[kind, said]] = Object.entries(one);
  const here = el("li", {}, `${LINES[kind](said)} `);
  if (kind === "setting_line") here.append(leadTo(said.name), " ");
  if (rules[said.rule_id]) here.append(whyOf(said.rule_id));
  return here;
}

/** A press leads to a reading where it is chosen, as long as the form that was ruled on is there. */
function leadTo(name) {
  const { box, lead } = readings;
  const press = () => readings.box === box && lead(name);
  return el("button", { type: "button", className: "field", on: { click: press } }, "change");
}

/** A rule's id, which unfolds into what it says and where it is from. */
function whyOf(rule_id) {
  const { title, summary, source, basis } = rules[rule_id];
  const from = `${BASES[basis] ?? ""}${inWords(source)}.`;
  return el("details", {}, el("summary", {}, rule_id), `${title}. ${summary} `, el("small", {}, capital(from)));
}

/** Where a rule is from, as a player calls it: the game as published, and what this service makes of it. */
const inWords = (source) => source.replace(/\bseed \d+\b/g, "the published rules").replace(/\bregister\b/g, "our reading");
const BASES = { BASIS_DERIVED: "follows from what is published: ", BASIS_HOUSE: "a house reading: " };

async function odds(slug) {
  const { facts, settings } = question(slug);
  const { fields } = await call("v1:computeOdds", { [verb]: facts, settings, max_outcomes: 1 });
  const open = fields.filter(({ values }) => values.length > 1), certain = fields.filter(({ values }) => values.length === 1);
  const box = el("div", { className: "ruling" }, el("h2", {}, "The odds"), ...open.flatMap(oddsOf));
  const lines = certain.map(({ field, values: [{ value }] }) => el("li", {}, `${nameOf(field)}: ${worded(value)}`));
  if (lines.length) box.append(el("details", { open: !open.length }, el("summary", {}, `Certain: ${lines.length}`), el("ul", {}, ...lines)));
  tell(box);
}

/** A field of the outcome: `procedure` and which one it was are clear from the question. */
const nameOf = (field) => words(field.replace(/^procedure[.]\w+[.]/, "")).replaceAll(".", ", ");
/** A value as said aloud: of parts only their names and what they hold. */
const worded = (value) => words(value).replaceAll("}, {", "; ").replace(/[{}"]/g, "") || "none";
const percent = (probability) => (probability > 0 && probability < 0.0005 ? "< 0.1 %" : `${(probability * 100).toFixed(1)} %`);

/** How likely each value of a field is; numbers from low to high. */
function oddsOf({ field, values }) {
  const are_numbers = values.every(({ value }) => /^-?\d+$/.test(value));
  const sorted = are_numbers ? [...values].sort((one, other) => one.value - other.value) : values;
  const rows = sorted.map(({ value, likelihood: { fraction, probability } }) => [percent(probability), worded(value), fraction]);
  const table = el("table", {}, ...rows.map((cells) => el("tr", {}, ...cells.map((cell) => el("td", {}, cell)))));
  return [el("h3", {}, nameOf(field)), table];
}

if (spec) await start();
