// Spots of the person's own hands, dealt again one after another, each answer judged at once.

import { offer } from "./actions.js";
import { costText, judgedParts } from "./decisions.js";
import { make, part } from "./dom.js";
import { clearViews, draw } from "./felt.js";
import { words } from "./units.js";

/** @import {Send, Spot, SpotAgain, Verdict} from "./types.js" */

/** @type {Send} */
let send = () => {};
/** @type {Spot[]} */
let spots = [];
let place = 0;

/**
 * @param {Send} onRequest
 * @param {() => void} onClose
 */
export function startDrill(onRequest, onClose) {
  send = onRequest;
  part("drill-next").addEventListener("click", nextSpot);
  part("drill-close").addEventListener("click", onClose);
}

export const isDrilling = () => spots.length > 0;

/**
 * Deal spots again, from one of them on.
 * @param {Spot[]} found
 * @param {number} first
 */
export function openDrill(found, first) {
  spots = found;
  ask(first);
}

export function closeDrill() {
  spots = [];
  part("drill").hidden = true;
}

/** @param {number} wanted */
function ask(wanted) {
  place = wanted;
  const { hand, place: decision } = spots[place];
  send({ type: "drill", hand, place: decision });
}

function nextSpot() {
  ask((place + 1) % spots.length);
}

/** @param {SpotAgain} message */
export function hearSpot({ hand, view, captions, choices }) {
  if (!isDrilling()) return;
  clearViews();
  draw(view);
  part("drill").hidden = false;
  part("drill-title").textContent = `Spot ${place + 1} of ${spots.length}, of hand ${hand}`;
  part("drill-answer").replaceChildren(make("p", "", "Your turn again. What do you do?"));
  part("drill-next").hidden = true;
  part("actions").hidden = false;
  part("deal").hidden = true;
  part("notice").textContent = "";
  part("story").replaceChildren(
    ...captions.map((text) => make("li", "", words(text, view.bigBlind))),
  );
  offer(choices);
  part("call").focus();
}

/** @param {string} action */
export function answerSpot(action) {
  const { hand, place: decision } = spots[place];
  part("drill-answer").replaceChildren(make("p", "", "Judging your answer …"));
  send({ type: "answer", hand, place: decision, action });
}

/** @param {Verdict} message */
export function hearVerdict({ hand, decision }) {
  const before = spots[place];
  if (!before || before.hand !== hand || before.place !== decision.place) return;
  const last = `In the hand: ${before.lastAction}, cost ${costText(before.cost ?? 0, before.halfWidth)}.`;
  part("drill-answer").replaceChildren(...judgedParts(decision), make("p", "note", last));
  part("drill-next").hidden = false;
  part("drill-next").textContent = spots.length > 1 ? "Next spot" : "Again";
  part("drill-next").focus();
}

/**
 * Deal the next spot by a key; return whether it is one.
 * @param {string} key
 */
export function drillKey(key) {
  if (![" ", "Enter", "n"].includes(key) || part("drill-next").hidden) return false;
  nextSpot();
  return true;
}
