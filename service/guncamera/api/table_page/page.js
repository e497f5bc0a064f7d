/** The page at /table: facts in a form, dice thrown by hand or by the service, the ruling with its reasons. */

import { control, el, select, words } from "./form.js";

// Addresses are relative to the page: the service may stand below a path of its proxy.
const door = new URL(".", location.href).href;
const at = (id) => document.getElementById(id);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

let key = "";
async function call(path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (key) headers.Authorization = `Bearer ${key}`;
  const answer = await fetch(`${door}${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw said;
  return said;
}

/** A refusal, or a service that does not answer, in words. */
function refused({ title, detail, message, violations = [] }) {
  const faults = violations.map(({ field, description }) => el("li", {}, `${field}: ${description}`));
  return el("div", { className: "ruling" }, el("p", { className: "bad" }, detail ?? title ?? `No answer: ${message}`), el("ul", {}, ...faults));
}

// ---- What is asked

const spec = await call("openapi.json").catch((fault) => (at("told").append(refused(fault)), undefined));
const slugOf = ({ name }) => name.split("/")[1];
let game, verb, facts, settings, rules = {}, choices = 0;

const chosen = el("div");
const keyed = el("input", { type: "password", autocomplete: "off", on: { input: () => (key = keyed.value.trim()) } });
const again = el("button", { type: "button", on: { click: () => start() } }, "Use it");
const doorkeeper = el("details", {}, el("summary", {}, "A key or a seat's token, if the service asks for one"), keyed, again);

async function start() {
  try {
    const { rulesets } = await call("v1/rulesets");
    const games = select(rulesets.map((one) => [slugOf(one), one.title]), "choose a game");
    games.node.addEventListener("change", () => shown(choose(games.read())));
    at("asked").replaceChildren(el("label", {}, el("span", {}, "game"), games.node), chosen, doorkeeper);
    at("told").replaceChildren();
  } catch (fault) {
    at("asked").replaceChildren(doorkeeper);
    doorkeeper.open = true;
    at("told").replaceChildren(refused(fault));
  }
}

const shown = (work) => work.catch((fault) => tell(refused(fault)));

/** The latest answer stands first, and those before it stay. */
function tell(answer) {
  at("told").prepend(answer);
  answer.scrollIntoView?.({ block: "nearest" });
}

async function choose(slug) {
  const mine = (choices += 1);
  chosen.replaceChildren();
  at("throw").replaceChildren();
  if (!slug) return;
  const [wanted, types] = await Promise.all([call(`v1/rulesets/${slug}`), typesOf(slug)]);
  if (mine !== choices) return; // another has been chosen meanwhile
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
  const readings = game.settings.map((one) => [one, settingOf(one, kinds[one.name])]);
  settings = () => Object.fromEntries(readings.map(([one, { read }]) => [one.name, read()]).filter(([, value]) => value !== undefined));
  const example = examples[slug]?.value.facts[slug];
  const fill = el("button", { type: "button", hidden: !example, on: { click: () => facts.fill(example) } }, "Fill in an example");
  form.append(fill, facts.node, houseReadings(readings), buttons(slug));
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

function houseReadings(readings) {
  const rows = readings.map(([{ title, rule_id }, { node }]) => el("label", {}, el("span", {}, `${title} (${rule_id})`), node));
  return el("details", {}, el("summary", {}, `House readings: ${readings.length}, as usual unless you say otherwise`), ...rows);
}

function buttons(slug) {
  const press = (text, act, className = "") => el("button", { type: "button", className, on: { click: () => shown(act(slug)) } }, text);
  return el("div", { className: "buttons" }, press("Rule, with my dice", (one) => rule(one, []), "main"), press("Rule, and throw for me", (one) => rule(one)), press("What are the odds?", odds));
}

const question = (slug) => ({ facts: { [slug]: facts.read() }, settings: { [slug]: settings() } });

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
  const show = () => {
    const side = sides[now.length];
    const name = sides.length > 1 ? `die ${now.length + 1} of ${sides.length}, a d${side}` : `a d${side}`;
    const face = (n) => el("button", { type: "button", on: { click: () => shown(take(n)) } }, `${n}`);
    const back = el("button", { type: "button", disabled: !faces.length && !now.length, on: { click: () => shown(takeBack()) } }, "Back");
    panel.replaceChildren(
      el("h2", {}, `Throw ${purpose.replaceAll("-", " ")}: ${name}`),
      el("small", {}, `${rule_id}: ${reading}. So far: ${[...faces, ...now].join(" ") || "nothing"}`),
      el("div", { className: "faces" }, ...Array.from({ length: side }, (_, n) => face(n + 1)), back),
    );
  };
  const take = async (n) => {
    now.push(n);
    if (now.length < sides.length) show();
    else await again([...faces, ...now]);
  };
  /** The buttons go first: a second tap would be a die that nobody threw. */
  const again = (said) => (panel.replaceChildren(), rule(slug, said));
  const takeBack = async () => (now.length ? (now.pop(), show()) : again(faces.slice(0, -1)));
  show();
  panel.scrollIntoView?.({ block: "nearest" });
}

// ---- What is told

const LINES = {
  roll_line: ({ purpose, faces, total }) => `${purpose}: ${faces.join(", ")}${faces.length > 1 ? ` make ${total}` : ""}`,
  modifier_line: ({ name, amount, why }) => `${name} ${amount < 0 ? amount : `+${amount}`}${why ? ` (${why})` : ""}`,
  sum_line: ({ name, base, total }) => (base === total ? `${words(name)}: ${total}` : `${words(name)}: ${base} becomes ${total}`),
  look_up_line: ({ table, row, column, cell }) => `table ${table}, row ${row}, column ${column}: ${cell}`,
  clamp_line: ({ name, before, low, high, after }) => `${words(name)}: ${before}, held between ${low} and ${high}, is ${after}`,
  setting_line: ({ name, value }) => `house reading ${name}: ${value}`,
  finding_line: ({ name, value, why }) => `${words(name)}: ${value}${why ? ` (${why})` : ""}`,
};
const SOURCES = { DICE_SOURCE_SUPPLIED: "By your own dice", DICE_SOURCE_DRAWN: "By the service's dice" };

function told({ summary, trace, rolls, dice_source, rules_version }) {
  const by = rolls.length ? `${SOURCES[dice_source]}: ${rolls.map(({ faces }) => faces.join(" ")).join(" · ")}. ` : "";
  return el("div", { className: "ruling" }, el("h2", {}, summary), el("ol", {}, ...trace.map(line)), el("small", {}, `${by}${game.title}, rules version ${rules_version}.`));
}

function line(one) {
  const [[kind, said]] = Object.entries(one);
  const { title, summary, source } = rules[said.rule_id] ?? {};
  if (!title) return el("li", {}, LINES[kind](said));
  const why = el("details", {}, el("summary", {}, said.rule_id), `${title}. ${summary} `, el("small", {}, source));
  return el("li", {}, `${LINES[kind](said)} `, why);
}

async function odds(slug) {
  const { facts, settings } = question(slug);
  const { fields } = await call("v1:computeOdds", { [verb]: facts, settings, max_outcomes: 1 });
  const rows = fields.flatMap(({ field, values }) => values.map(({ value, likelihood: { fraction, probability } }) => [words(field), words(value) || "—", `${(probability * 100).toFixed(1)} % (${fraction})`]));
  const table = el("table", {}, ...rows.map((cells) => el("tr", {}, ...cells.map((cell) => el("td", {}, cell)))));
  tell(el("div", { className: "ruling" }, el("h2", {}, "The odds"), el("div", { className: "wide" }, table)));
}

if (spec) await start();
