// Foundry as far as the module of docs/vtt.md touches it: two hooks, settings, one chat.

const [base, session, token] = process.argv.slice(2);
const hooks = {};
const scopes = {};
const settings = { base, session, token, key: "" };
const chat = [];
const written = [];
const module = {};
let enough;
const wrote = new Promise((done) => (enough = done));

globalThis.Hooks = { once: (name, does) => (hooks[name] = does) };
globalThis.game = {
  modules: { get: () => module },
  users: { activeGM: { isSelf: true } },
  settings: {
    register: (_, name, { scope, default: value }) => {
      scopes[name] = scope;
      settings[name] ||= value;
    },
    get: (_, name) => settings[name],
    set: async (_, name, value) => {
      settings[name] = value;
      written.push(name);
      enough();
    },
  },
};
globalThis.ChatMessage = { create: async ({ content }) => chat.push(content) };

await import("./foundry.js");
hooks.init();
hooks.ready(); // watches for as long as the page is open
// Only what is given after the stream stands is told: orders are given until one is.
while (!chat.length) {
  const [order] = await module.api.orders();
  await module.api.give(order);
  await Promise.race([wrote, new Promise((go) => setTimeout(go, 500))]);
}
await wrote;
process.stdout.write(JSON.stringify({ scopes, chat, seen: settings.seen }), () => process.exit());
