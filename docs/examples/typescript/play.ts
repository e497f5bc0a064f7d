// Plays the start of a dogfight over REST, as the browsers of a game master and two players would.
//
//   npm ci && npm run types && npm run check
//   npm start http://localhost:8080 [KEY]
//
// Every type comes from docs/openapi.json; what the service sends and takes is checked by tsc.

import createClient, { type Client } from "openapi-fetch";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { components, paths } from "./schema.ts";

type Action = components["schemas"]["Action"];
type Message = components["schemas"]["WatchSessionResponse"];
type Problem = components["schemas"]["ProblemDocument"];

// Typed by itself: openapi-fetch lets members pass in a body that its type does not have.
const SETUP: components["schemas"]["SessionSetupInput"] = {
  circus: {
    aircraft: [
      {
        id: "richthofen", side: "CIRCUS_SIDE_FIRST", aeroplane: "fokker_dr_i",
        hex: "1013", facing: "HEX_DIRECTION_EAST", altitude_feet: 6500,
      },
      {
        id: "brown", side: "CIRCUS_SIDE_SECOND", aeroplane: "sopwith_camel",
        hex: "3013", facing: "HEX_DIRECTION_WEST", altitude_feet: 6000,
      },
    ],
    turns: 20,
  },
};

/** One who calls: whoever holds this key or seat's token, or nobody known. */
function caller(baseUrl: string, token?: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: token ? { Authorization: `Bearer ${token}` } : {} });
}

/** A refusal, as an exception. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.reason}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** What a call answered. Throws Refused if that is a problem. */
function answered<T>(result: { data?: T; error?: Problem }): T {
  if (result.error !== undefined) throw new Refused(result.error);
  if (result.data === undefined) throw new Error("an answer without content");
  return result.data;
}

/** The modifiers of a ruling, each with its rule, as a chat card shows them. */
function card(action: Action): string {
  const lines = action.trace.flatMap(({ modifier_line: it }) =>
    it ? [`  ${it.name} ${it.amount > 0 ? "+" : ""}${it.amount} (${it.rule_id})`] : [],
  );
  return [action.summary, ...lines].join("\n");
}

/** What a watch of the session says, from its first action on. */
async function* watch(player: Client<paths>, session: string): AsyncGenerator<Message> {
  const { response } = await player.GET("/v1/sessions/{session}:watch", {
    params: { path: { session }, query: { start_revision: 1 } },
    headers: { Accept: "text/event-stream" },
    parseAs: "stream",
  });
  if (!response.ok || response.body === null) throw new Error(`no stream: ${response.status}`);
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const event of events) yield JSON.parse(event.data) as Message;
}

/** A session, and each player's browser with the token of its seat and nothing else. */
async function openTable(baseUrl: string, key?: string) {
  const master = caller(baseUrl, key);
  const body = { setup: SETUP, dice_seed: "1918", request_id: crypto.randomUUID() };
  const created = answered(await master.POST("/v1/sessions", { body }));
  const path = { session: created.name.replace("sessions/", "") };
  const players: Client<paths>[] = [];
  for (const { id: seat } of created.seats) {
    const body = { seat, request_id: crypto.randomUUID() };
    const claim = await master.POST("/v1/sessions/{session}:claim", { params: { path }, body });
    players.push(caller(baseUrl, answered(claim).token));
  }
  return { path, etag: created.etag, players };
}

async function main(baseUrl: string, key?: string): Promise<void> {
  const { path, etag, players } = await openTable(baseUrl, key);
  const [first, second] = players;
  if (first === undefined || second === undefined) throw new Error("a fight has two sides");

  // Look out: the first legal order there is.
  const listing = { params: { path, query: { page_size: 1 } } };
  const listed = answered(await first.GET("/v1/sessions/{session}:legalOrders", listing));
  const order = listed.orders[0]?.spot;
  if (order === undefined) throw new Error("this game begins with looking");
  const spotting = { params: { path, header: { "If-Match": etag } }, body: { order } };
  const looked = await first.POST("/v1/sessions/{session}:spot", spotting);
  console.log(card(answered(looked)));

  // The same again is refused, for the session has gone on since.
  const { error } = await first.POST("/v1/sessions/{session}:spot", spotting);
  if (error?.reason === "ETAG_MISMATCH") {
    console.log(`${error.status} ${error.reason}: it is ${error.metadata["etag"]} now`);
  }

  // All choose at once: each seals a plot, and the last one reveals them all.
  for (const player of players) {
    const drawing = { params: { path, query: { sample_count: 1, sample_seed: "1918" } } };
    const drawn = answered(await player.GET("/v1/sessions/{session}:legalOrders", drawing));
    const move = drawn.orders[0]?.move;
    if (move === undefined) throw new Error("no plot");
    const sealing = { params: { path }, body: { move } };
    answered(await player.POST("/v1/sessions/{session}:sealOrder", sealing));
  }

  for await (const { action } of watch(second, path.session)) {
    if (action === undefined) continue;
    console.log(`${action.revision} ${action.seat}: ${action.summary}`);
    if (action.revision === 3) break; // a page would watch on, to the message `end`
  }
}

await main(process.argv[2] ?? "http://localhost:8080", process.argv[3]);
