// Elements, numbers and cards: what every part of the page draws with. All text of others goes in as text.

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

export const part = (id) => document.getElementById(id);

export function make(tag, className = "", ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

export function button(text, onClick, className = "") {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

export const number = (chips) => chips.toLocaleString("en-US", { maximumFractionDigits: 2 });

export function signed(chips, digits = 2) {
  const rounded = Math.abs(chips).toLocaleString("en-US", { maximumFractionDigits: digits });
  return Number(rounded.replaceAll(",", "")) === 0 ? "±0" : `${chips > 0 ? "+" : "−"}${rounded}`;
}

export const tone = (chips) => (chips > 0 ? "gain" : chips < 0 ? "pain" : "");

export function cards(text, { hidden = 0, isNew = () => false } = {}) {
  const pairs = text.match(/../g) || [];
  const drawn = pairs.map((pair, place) => card(pair, isNew(place)));
  for (let missing = pairs.length; missing < hidden; missing += 1) drawn.push(back());
  return drawn;
}

function card([rank, suit], isNew) {
  const drawn = make("span", `card${"dh".includes(suit) ? " red" : ""}${isNew ? " new" : ""}`, rank + SUITS[suit]);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", `${rank} of ${SUIT_NAMES[suit]}`);
  return drawn;
}

function back() {
  const drawn = make("span", "card back");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", "hidden card");
  return drawn;
}

export function smallCards(text) {
  return make("span", "cards small", ...cards(text));
}
