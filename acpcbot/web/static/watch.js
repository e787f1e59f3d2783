// Watching logs: the newest hand as it comes, or any hand that is asked for. Hands are asked for by
// their places in the log; people know them by the numbers that stand there.

import { FEW_HANDS, make, number, part, signed, TOO_FEW, tone } from "./dom.js";
import { isPlaying, openReplay } from "./replayer.js";

/** @import {Log, LogReplay, Send, Total} from "./types.js" */

/** @type {Send} */
let send = () => {};
/** @type {number | null} */
let current = null;
let seen = 0;
let isOpened = false;
/** @type {number | null} */
let wanted = null;

/** @param {Send} onRequest */
export function startWatch(onRequest) {
  send = onRequest;
  part("log").addEventListener("change", () => chooseLog(Number(part("log").value)));
  part("hand").addEventListener("change", find);
  part("hand-back").addEventListener("click", () => step(-1));
  part("hand-forward").addEventListener("click", () => step(1));
}

/** @param {string[]} names */
export function listLogs(names) {
  const chosen = part("log").value;
  const options = names.map((name, place) => new Option(name, String(place)));
  part("log").replaceChildren(...options);
  if (chosen !== "" && Number(chosen) < names.length) part("log").value = chosen;
}

export function enterWatch() {
  if (current === null) chooseLog(Number(part("log").value || 0));
  else show(wanted ?? Math.max(0, seen - 1));
}

export function forgetWatch() {
  const again = current;
  current = null;
  if (again !== null) chooseLog(again);
}

/** @param {number} log */
function chooseLog(log) {
  current = log;
  seen = 0;
  isOpened = false;
  wanted = null;
  send({ type: "watch", log });
}

function find() {
  part("live").checked = false;
  if (current === null || part("hand").value === "") return;
  send({ type: "find", log: current, number: Number(part("hand").value) });
}

/** @param {number} places */
function step(places) {
  part("live").checked = false;
  show(Math.max(0, Math.min(seen - 1, (wanted ?? 0) + places)));
}

/** @param {number} place */
function show(place) {
  if (current === null || seen === 0) return;
  wanted = place;
  send({ type: "show", log: current, hand: place });
}

/** @param {Log} message */
export function hearLog(message) {
  if (message.log !== current) return;
  seen = message.hands;
  const [first, last] = message.numbers;
  part("hand-count").textContent = seen ? `of ${first} to ${last}` : "";
  part("log-state").textContent = state(message);
  part("log-totals").replaceChildren(...message.totals.map((won) => total(won, message.hands)));
  const isLive = part("live").checked;
  if (!seen || !message.isRead || (isOpened && (!isLive || isPlaying()))) return;
  isOpened = true;
  show(isLive ? seen - 1 : 0);
}

/** @param {Log} log */
function state({ problem, game, hands, isRead, isScored }) {
  if (problem) return problem;
  if (!isRead) return `reading: ${number(hands)} hands so far …`;
  if (!hands) return "waiting for the first hand …";
  return `${game}, ${number(hands)} hands, ${isScored ? "finished" : "being played"}`;
}

/**
 * @param {Total} won
 * @param {number} hands
 */
function total({ name, chips, mbb }, hands) {
  return make(
    "tr",
    "",
    make("td", "", name),
    make("td", `number ${tone(chips)}`, signed(chips)),
    make("td", "number", hands < FEW_HANDS ? TOO_FEW : `${signed(mbb, 1)} mbb/hand`),
  );
}

/** @param {LogReplay} message */
export function hearHand(message) {
  if (message.log !== current) return;
  wanted = message.hand;
  part("hand").value = String(message.number);
  const plays = part("live").checked;
  openReplay(message.title, message.views, { plays, onOver: follow, isClosable: false });
}

function follow() {
  if (part("live").checked && wanted !== null && wanted < seen - 1) show(seen - 1);
}

/**
 * Press the button of a key; return whether there is one.
 * @param {string} key
 */
export function watchKey(key) {
  if (key === "n") part("hand-forward").click();
  else if (key === "b") part("hand-back").click();
  else return false;
  return true;
}
