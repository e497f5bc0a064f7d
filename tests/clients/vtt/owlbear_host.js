// Owlbear Rodeo as far as the extension of docs/vtt.md touches it, with a player who has a token.

const [base, session, token] = process.argv.slice(2);
let ready;
const notified = [];

globalThis.localStorage = { getItem: (name) => (name === session ? token : null) };
globalThis.OBR = {
  onReady: (does) => (ready = does),
  room: { getMetadata: async () => ({ "example.guncamera/table": { base, session } }) },
  notification: { show: async (message, variant) => notified.push([message, variant]) },
};

await import("./owlbear.js");
const { give, legalOrders } = await import("./guncamera.js");
ready();
while (!notified.length) {
  const [order] = await legalOrders(base, session, token);
  await give(base, session, token, order);
  await new Promise((go) => setTimeout(go, 500));
}
process.stdout.write(JSON.stringify({ notified }), () => process.exit());
