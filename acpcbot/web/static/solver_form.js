// The form of a spot: board, pot, stacks, bets and ranges, and the line that says what it takes.

import { button, number } from "./dom.js";
import { drawCardPicker, markCards } from "./solver_cards.js";
import { sizeText } from "./solver_progress.js";
import { RangePainter } from "./solver_range.js";
import { ask, messageOf, part } from "./solver_requests.js";

/** @import {Spot, SpotSize} from "./solver_types.js" */

const SIZE_MS = 600;
/** @type {[name: string, bets: string][]} */
const BET_PRESETS = [
  ["All-in only", "all-in"],
  ["75 %, all-in", "0.75,all-in;all-in"],
  ["50 %, pot, all-in", "0.5,1,all-in;1,all-in"],
  ["33 %, 75 %, 150 %", "0.33,0.75,1.5;1,all-in"],
];
const NUMBERS = /** @type {const} */ (["pot", "stack1", "stack2", "target", "seconds"]);

let isFilled = false;
let isBusy = false;

const painters = [
  new RangePainter(part("range1"), "Seat 1", measureLater),
  new RangePainter(part("range2"), "Seat 2", measureLater),
];
const boardPicker = drawCardPicker("Cards of the board", (card) => {
  const board = part("board");
  const chosen = boardCards();
  if (chosen.includes(card)) board.value = chosen.filter((one) => one !== card).join("");
  else if (chosen.length < 5) board.value = chosen.join("") + card;
  whenBoardChanges();
});
part("board-cards").append(boardPicker);
part("board").addEventListener("input", whenBoardChanges);
for (const [name, bets] of BET_PRESETS) {
  const made = button(name, () => {
    part("bets").value = bets;
    measureLater();
  });
  part("bet-presets").append(made);
}
for (const id of /** @type {const} */ (["pot", "stack1", "stack2", "bets", "target", "int16"])) {
  part(id).addEventListener("input", measureLater);
}
for (const id of /** @type {const} */ (["stack1", "stack2"])) {
  part(id).addEventListener("input", showStacks);
}
markCards(boardPicker, boardCards().join(""));
showStacks();

/** @returns {string[]} */
function boardCards() {
  return part("board").value.match(/[2-9TJQKA][cdhs]/g) ?? [];
}

function whenBoardChanges() {
  markCards(boardPicker, boardCards().join(""));
  measureLater();
}

/** Say how many chips of the stacks can be bet. */
function showStacks() {
  const [first, second] = [Number(part("stack1").value), Number(part("stack2").value)];
  const words = `The smaller stack counts: neither seat can lose more than ${number(Math.min(first, second))} beyond the pot.`;
  part("stacks-help").textContent = first > 0 && second > 0 && first !== second ? words : "";
}

/** Return what the form holds; numbers that are none are left to the server to refuse. */
export function spot() {
  /** @type {(text: string) => number | string} */
  const numeric = (text) =>
    text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  const numbers = Object.fromEntries(NUMBERS.map((id) => [id, numeric(part(id).value)]));
  return {
    ...numbers,
    board: part("board").value.trim(),
    range1: painters[0].text,
    range2: painters[1].text,
    bets: part("bets").value.trim(),
    int16: part("int16").checked,
  };
}

/**
 * Fill the form, unless somebody has written in it.
 * @param {Spot} found
 */
export function fillForm(found) {
  if (isFilled) return;
  isFilled = true;
  for (const id of /** @type {const} */ ([...NUMBERS, "board", "bets"])) {
    part(id).value = String(found[id]);
  }
  part("int16").checked = found.int16;
  painters[0].setText(found.range1);
  painters[1].setText(found.range2);
  markCards(boardPicker, boardCards().join(""));
  showStacks();
}

/**
 * Say whether a spot is being solved: no other can begin then.
 * @param {boolean} isSolving
 */
export function setBusy(isSolving) {
  isBusy = isSolving;
  part("solve").disabled = isBusy;
  part("solve").textContent = isBusy ? "The solver is busy …" : "Solve";
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let sizeTimer;
let sizeQuestion = 0;

function measureLater() {
  isFilled = true;
  clearTimeout(sizeTimer);
  sizeTimer = setTimeout(measure, SIZE_MS);
}

/** Say what the spot would take; only the answer to the last question counts. */
export async function measure() {
  if (isBusy) return;
  sizeQuestion += 1;
  const question = sizeQuestion;
  const place = part("size");
  try {
    /** @type {SpotSize} */
    const size = JSON.parse(await ask("size", spot()));
    if (question !== sizeQuestion) return;
    place.textContent = sizeText(size);
    place.classList.remove("fault");
  } catch (error) {
    if (question !== sizeQuestion) return;
    place.textContent = messageOf(error);
    place.classList.add("fault");
  }
}
