// A table of keys, `{ keys, action, text }`: what a pressed key does, and how the keys of an action are written.

export function keyName(key) {
  return key === " " ? "space" : key;
}

export function keysIn(table, action) {
  return table.find((row) => row.action === action).keys.map(keyName).join(" ");
}

// The action of a keyboard event; null where the key belongs to the focused element or to the browser.
export function actionIn(table, event) {
  if (event.altKey || event.metaKey) return null;
  const key = event.key === "Escape" ? "Esc" : event.key;
  const name = event.ctrlKey ? `Ctrl-${key}` : key;
  if (!event.ctrlKey && key !== "Esc" && isTyping(event.target)) return null;
  if (key === " " && isPressed(event.target)) return null;
  return table.find((row) => row.keys.includes(name))?.action ?? null;
}

function isTyping(target) {
  const tag = target?.tagName;
  return tag === "TEXTAREA" || tag === "SELECT" || (tag === "INPUT" && ["text", "search", "file"].includes(target.type));
}

function isPressed(target) {
  const tag = target?.tagName;
  const isBox = tag === "INPUT" && target.type !== "range";
  return tag === "BUTTON" || tag === "A" || isBox || Boolean(target?.hasAttribute?.("aria-checked"));
}
