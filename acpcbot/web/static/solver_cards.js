// A picker of cards: a button for each card of the deck, a row for each suit.

import { button, make, smallCards } from "./dom.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

/**
 * Draw a picker; *onChosen* hears of the card that is clicked.
 * @param {string} label
 * @param {(card: string) => void} onChosen
 */
export function drawCardPicker(label, onChosen) {
  const buttons = [...SUITS].flatMap((suit) =>
    [...RANKS].map((rank) => {
      const made = button("", () => onChosen(rank + suit), "card-choice");
      made.append(smallCards(rank + suit));
      made.dataset["card"] = rank + suit;
      return made;
    }),
  );
  const picker = make("div", "card-picker", ...buttons);
  picker.setAttribute("role", "group");
  picker.setAttribute("aria-label", label);
  return picker;
}

/**
 * Mark the cards that are chosen, and those that cannot be.
 * @param {HTMLElement} picker
 * @param {string} chosen
 * @param {string} dead
 */
export function markCards(picker, chosen, dead = "") {
  /** @type {(text: string) => Set<string>} */
  const cardsOf = (text) => new Set(text.match(/../g) ?? []);
  const [isChosen, isDead] = [cardsOf(chosen), cardsOf(dead)];
  for (const one of picker.querySelectorAll("button")) {
    const card = one.dataset["card"] ?? "";
    if (chosen || !dead) one.setAttribute("aria-pressed", String(isChosen.has(card)));
    one.disabled = isDead.has(card);
  }
}
