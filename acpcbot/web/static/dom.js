// Elements, numbers and cards: what every part of the page draws with. All text of others goes in
// as text, never as HTML.

/** @import {Parts} from "./types.js" */

/** With fewer hands a win rate says nothing, and none is shown. */
export const FEW_HANDS = 30;
export const TOO_FEW = "too few hands";
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/**
 * Return the element of index.html with this id.
 * @template {keyof Parts} Id
 * @param {Id} id
 */
export const part = (id) => /** @type {Parts[Id]} */ (document.getElementById(id));

/**
 * Make an element around these children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {(Node | string)[]} children
 */
export function make(tag, className = "", ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
export function button(text, onClick, className = "") {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

/** @param {number} chips */
export const number = (chips) => chips.toLocaleString("en-US", { maximumFractionDigits: 2 });

/** @param {number} chips */
export function signed(chips, digits = 2) {
  const rounded = Math.abs(chips).toLocaleString("en-US", { maximumFractionDigits: digits });
  return Number(rounded.replaceAll(",", "")) === 0 ? "±0" : `${chips > 0 ? "+" : "−"}${rounded}`;
}

/** @param {number} chips */
export const tone = (chips) => (chips > 0 ? "gain" : chips < 0 ? "pain" : "");

/**
 * Draw the cards of a text, and backs up to the number of those that are hidden. Where some are
 * lifted, the others step back.
 * @param {string} text
 * @param {{ hidden?: number, isNew?: (place: number) => boolean,
 *   isLifted?: ((card: string) => boolean) | undefined }} how
 */
export function cards(text, { hidden = 0, isNew = () => false, isLifted } = {}) {
  const pairs = text.match(/../g) || [];
  const drawn = pairs.map((pair, place) => {
    const made = card(pair, isNew(place));
    if (isLifted) made.classList.add(isLifted(pair) ? "lifted" : "lower");
    return made;
  });
  for (let missing = pairs.length; missing < hidden; missing += 1) drawn.push(back());
  return drawn;
}

/**
 * @param {string} text
 * @param {boolean} isNew
 */
function card([rank, suit], isNew) {
  const classes = `card${"dh".includes(suit) ? " red" : ""}${isNew ? " new" : ""}`;
  return picture(make("span", classes, rank + SUITS[suit]), `${rank} of ${SUIT_NAMES[suit]}`);
}

function back() {
  return picture(make("span", "card back"), "hidden card");
}

/**
 * @param {HTMLElement} drawn
 * @param {string} label
 */
function picture(drawn, label) {
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", label);
  return drawn;
}

/** @param {string} text */
export function smallCards(text) {
  return make("span", "cards small", ...cards(text));
}
