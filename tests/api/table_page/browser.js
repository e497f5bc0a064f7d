// A browser as far as the page at /table needs one.
export class Node {
  constructor(tag, text = "") {
    Object.assign(this, { tag, text, children: [], listeners: {}, value: "", checked: false });
  }
  setAttribute(name, value) { this[name] = value; }
  removeAttribute(name) { delete this[name]; }
  focus() { globalThis.focused = this; }
  addEventListener(type, act) { (this.listeners[type] ??= []).push(act); }
  fire(type) { for (const act of this.listeners[type] ?? []) act(); }
  made(inside) { return inside.map((one) => (one instanceof Node ? one : new Node("#text", `${one}`))); }
  take(nodes) { for (const one of nodes) { one.remove(); one.parent = this; } return nodes; }
  append(...inside) { this.children.push(...this.take(this.made(inside))); }
  prepend(...inside) { this.children.unshift(...this.take(this.made(inside))); }
  replaceChildren(...inside) { for (const one of [...this.children]) one.remove(); this.append(...inside); }
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
    this.parent = undefined;
  }
  get all() { return this.children.flatMap((one) => [one, ...one.all]); }
  set textContent(text) { this.replaceChildren(text); }
  get textContent() { return this.tag === "#text" ? this.text : this.children.map((one) => one.textContent).join(""); }
}
const ids = {};
globalThis.document = {
  createElement: (tag) => new Node(tag),
  getElementById: (id) => (ids[id] ??= new Node("div")),
};
export const until = async (is_so, what) => {
  for (let tries = 0; tries < 3000; tries++) {
    if (is_so()) return;
    await new Promise((go) => setTimeout(go, 10));
  }
  throw new Error(`never: ${what}`);
};
