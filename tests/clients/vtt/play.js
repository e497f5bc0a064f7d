// A game master's tool, two players and a spectator, each by the samples of docs/vtt.md.

import { call, card, give, legalOrders, newId, watch } from "./guncamera.js";
import { spectate } from "./spectate.js";
import { openTable } from "./table.js";

const [base, game] = process.argv.slice(2);
const { session, tokens } = await openTable(base, undefined, JSON.parse(game));
const [first, second] = Object.values(tokens);

// The network fails the player once, before the first connection stands; the watch must go on.
const truly = globalThis.fetch;
let failures = 0;
globalThis.fetch = (url, ...rest) => {
  if (String(url).includes(":watch") && failures++ === 0) throw new TypeError("Failed to fetch");
  return truly(url, ...rest);
};

const [look] = await legalOrders(base, session, first);
const id = newId();
const ruling = await give(base, session, first, look, id);
const seen = [];
const watching = (async () => {
  const cursor = (await call(base, "GET", `${session}/actions?page_size=1`, { token: second })).cursor;
  for await (const { action } of watch(base, session, { token: second, cursor })) {
    if (action) seen.push(action.revision);
    if (seen.length === 2) return;
  }
})();

let refused;
try {
  await give(base, session, first, look);
} catch (error) {
  refused = error.problem;
}

const sealed = [];
for (const token of [first, second]) {
  const [plot] = await legalOrders(base, session, token);
  sealed.push(await give(base, session, token, plot));
}
await watching;

const spectated = await new Promise((done) => {
  const all = [];
  const events = spectate(base, session, (summary) => {
    if (all.push(summary) === 3) {
      events.close();
      done(all);
    }
  });
});

console.log(
  JSON.stringify({
    session, card: card(ruling), seen, failures, refused, spectated, id,
    revealed: sealed.map((answer) => answer.revealed),
    escaped: card({ summary: "<b>&", trace: [] }),
    more: card({ summary: "", trace: [{ modifier_line: { name: "long_burst", amount: 1, rule_id: "CIR-9.14" } }] }),
  }),
);
