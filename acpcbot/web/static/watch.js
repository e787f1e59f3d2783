// Watching logs: the newest hand as it comes, or any hand that was asked for. Hands are asked for by their places in
// the log; people know them by the numbers that stand there.

import { make, number, part, signed, tone } from "./dom.js";
import { isPlaying, openReplay } from "./replayer.js";

let send = () => {};
let current = null;
let seen = 0;
let wanted = null;

export function startWatch(onRequest) {
  send = onRequest;
  part("log").addEventListener("change", () => chooseLog(Number(part("log").value)));
  part("hand").addEventListener("change", find);
  part("hand-back").addEventListener("click", () => ask(wanted - 1));
  part("hand-forward").addEventListener("click", () => ask(wanted + 1));
}

export function listLogs(names) {
  const chosen = part("log").value;
  part("log").replaceChildren(...names.map((name, place) => new Option(name, place)));
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

function chooseLog(log) {
  current = log;
  seen = 0;
  wanted = null;
  send({ type: "watch", log });
}

function find() {
  part("live").checked = false;
  if (current !== null && part("hand").value !== "") send({ type: "find", log: current, number: Number(part("hand").value) });
}

function ask(place) {
  part("live").checked = false;
  show(Math.max(0, Math.min(seen - 1, place)));
}

function show(place) {
  if (current === null || seen === 0) return;
  wanted = place;
  send({ type: "show", log: current, hand: place });
}

export function hearLog(message) {
  if (message.log !== current) return;
  const isFirst = seen === 0;
  seen = message.hands;
  const [first, last] = message.numbers;
  part("hand-count").textContent = seen ? `of ${first} to ${last}` : "";
  part("log-state").textContent = state(message);
  part("log-totals").replaceChildren(...message.totals.map(total));
  if (seen && (isFirst || (part("live").checked && !isPlaying()))) show(part("live").checked ? seen - 1 : 0);
}

function state({ problem, game, hands, isScored }) {
  if (problem) return problem;
  if (!hands) return "waiting for the first hand …";
  return `${game}, ${number(hands)} hands, ${isScored ? "finished" : "being played"}`;
}

function total({ name, chips, mbb }) {
  return make("tr", "", make("td", "", name), make("td", `number ${tone(chips)}`, signed(chips)), make("td", "number", `${signed(mbb, 1)} mbb/hand`));
}

export function hearHand(message) {
  if (message.log !== current) return;
  wanted = message.hand;
  part("hand").value = message.number;
  openReplay(message.title, message.views, { plays: part("live").checked, onOver: follow, isClosable: false });
}

function follow() {
  if (part("live").checked && wanted < seen - 1) show(seen - 1);
}

export function watchKey(key) {
  if (key === "n") part("hand-forward").click();
  else if (key === "b") part("hand-back").click();
  else return false;
  return true;
}
