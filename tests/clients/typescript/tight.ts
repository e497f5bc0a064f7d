// What the generated types must refuse. A line that compiles after all is an error by itself, so
// this fails as soon as one of these types becomes wider, or `any`.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

const client = createClient<paths>();
const params = { path: { session: "s" } };
const fire: components["schemas"]["FireOrderInput"] = { kettering: {} };

// @ts-expect-error: an order is required
await client.POST("/v1/sessions/{session}:fire", { params, body: {} });
// @ts-expect-error: and so is the body
await client.POST("/v1/sessions/{session}:fire", { params });
// @ts-expect-error: the path names a session
await client.POST("/v1/sessions/{session}:fire", { body: { order: fire } });
// @ts-expect-error: which the body does not repeat
const named: components["schemas"]["FireRequest"] = { order: fire, name: "sessions/s" };
// @ts-expect-error: a call in a batch has no path, and must name it
await client.POST("/v1/sessions:batchPlay", { body: { items: [{ fire: { order: fire } }] } });
// @ts-expect-error: whose seat?
await client.POST("/v1/sessions/{session}:claim", { params, body: {} });
// @ts-expect-error: nothing to play
await client.POST("/v1/sessions", { body: {} });
// @ts-expect-error: no such rule set
const setup: components["schemas"]["SessionSetupInput"] = { chess: {} };
// @ts-expect-error: no such call
await client.POST("/v1/sessions/{session}:pray", { params });

type Deploy = components["schemas"]["KetteringDeployInput"];
const facing: components["schemas"]["HexDirection"] = "HEX_DIRECTION_NORTHWEST";
// @ts-expect-error: no such direction
const direction: components["schemas"]["HexDirection"] = "NORTHWEST";
// @ts-expect-error: a number is no text
const deploy: Deploy = { hex: "A-35", facing, altitude_metres: 1900, speed_mp: "9" };
// @ts-expect-error: how high?
const nowhere: Deploy = { hex: "A-35", facing, speed_mp: 9 };

const { data, error } = await client.GET("/v1/sessions/{session}/actions/{action}", {
  params: { path: { session: "s", action: "1" } },
});
// @ts-expect-error: there may be no answer
data.summary;
// @ts-expect-error: a line is a modifier or something else
data?.trace[0]?.modifier_line.amount;
// @ts-expect-error: an action has no such member
data?.damage_done;
// @ts-expect-error: no refusal has such a reason
if (error?.reason === "OUT_OF_LUCK") throw error;

// And what they must take.
const batch: components["schemas"]["BatchPlayRequest"] = {
  items: [{ fire: { name: "sessions/s", order: fire } }],
};
if (error?.reason === "ROLL_REQUIRED") error.roll_required?.sides.map((die: number) => die);
const low: Deploy = { hex: "A-35", facing, altitude_metres: 0, speed_mp: 9 };
const height = (aircraft: components["schemas"]["KetteringAircraft"]): number => aircraft.altitude_metres;
console.log(named, setup, deploy, nowhere, low, height, direction, batch);
