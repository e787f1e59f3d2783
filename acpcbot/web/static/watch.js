// Watching matches: one of them is chosen, and of it the newest hand as it comes, any hand that is
// asked for, or one of the largest pots. Hands are asked for by their places in a log; people know
// them by the numbers that stand there.

import { button, make, number, part, signed, smallCards } from "./dom.js";
import {
  clearMatches,
  drawMatch,
  focusMatch,
  markMatch,
  matchAfter,
  startMatches,
  title,
} from "./matches.js";
import { clearReplay, isPlaying, openReplay } from "./replayer.js";

/** @import {LogReplay, Matches, Pot, Pots, Send, WatchedMatch} from "./types.js" */

const POTS_AT_ONCE = 25;
const MOST_POTS = 500;

/** @type {Send} */
let send = () => {};
/**
 * What is known of each match by its number.
 * @type {Map<number, WatchedMatch>}
 */
const matches = new Map();
/** @type {number | null} */
let current = null;
let log = 0;
/** @type {number | null} */
let wanted = null;
let isOpened = false;
let numPots = POTS_AT_ONCE;
/** The number of hands of which the pots were asked for last. */
let potsOf = 0;
let shownPots = "";

/** @param {Send} onRequest */
export function startWatch(onRequest) {
  send = onRequest;
  startMatches(choose);
  part("log").addEventListener("change", () => chooseLog(Number(part("log").value)));
  part("hand").addEventListener("change", find);
  part("hand-back").addEventListener("click", () => step(-1));
  part("hand-forward").addEventListener("click", () => step(1));
  part("live").addEventListener("change", follow);
  part("more-pots").addEventListener("click", () => {
    numPots += POTS_AT_ONCE;
    askForPots();
  });
}

export function enterWatch() {
  if (matches.size === 0) send({ type: "watch" });
  else if (current !== null) show(wanted ?? 0);
}

/** Ask for everything again: the server is another one, or came back. */
export function forgetWatch() {
  const isWatching = matches.size > 0;
  matches.clear();
  clearMatches();
  if (isWatching) send({ type: "watch" });
}

/** @param {Matches} message */
export function hearMatches({ matches: found, count, note }) {
  for (const match of found) {
    matches.set(match.match, match);
    drawMatch(match);
  }
  part("watch-note").textContent = count ? note : note || "no match has begun …";
  if (current === null) chooseFirst();
  else if (found.some(({ match }) => match === current)) hearOfCurrent();
}

// Begin with a match that is being played, if there is one.
function chooseFirst() {
  const known = [...matches.values()];
  if (known.some(({ state }) => state === "reading")) return;
  const first = known.find(({ state }) => state === "playing") ?? known[0];
  if (first) choose(first.match);
}

/** @param {number} match */
function choose(match) {
  if (match === current) return;
  current = match;
  log = 0;
  wanted = null;
  isOpened = false;
  numPots = POTS_AT_ONCE;
  potsOf = 0;
  shownPots = "";
  part("log").replaceChildren();
  part("pots").replaceChildren();
  clearReplay();
  markMatch(match);
  hearOfCurrent();
}

const chosen = () => (current === null ? undefined : matches.get(current));

/** The hands of the chosen log. */
const numHands = () => chosen()?.logs[log]?.hands ?? 0;

function hearOfCurrent() {
  const match = chosen();
  if (!match) return;
  part("watched").textContent = title(match);
  fillLogs(match);
  const [first, last] = match.logs[log]?.numbers ?? [];
  part("hand-count").textContent = numHands() ? `of ${first} to ${last}` : "";
  if (match.hands && match.state !== "reading") {
    if (match.hands !== potsOf) askForPots();
    if (!isOpened || (part("live").checked && !isPlaying())) follow();
  }
}

/** @param {WatchedMatch} match */
function fillLogs({ logs }) {
  const select = part("log");
  for (let place = select.options.length; place < logs.length; place += 1) {
    select.add(new Option(logs[place].name, String(place)));
  }
  part("log-field").hidden = logs.length < 2;
  select.value = String(log);
}

/** @param {number} place */
function chooseLog(place) {
  log = place;
  part("live").checked = false;
  show(Math.max(0, numHands() - 1));
}

function find() {
  part("live").checked = false;
  if (current === null || part("hand").value === "") return;
  send({ type: "find", match: current, log, number: Number(part("hand").value) });
}

/** @param {number} places */
function step(places) {
  part("live").checked = false;
  show(Math.max(0, Math.min(numHands() - 1, (wanted ?? 0) + places)));
}

/** @param {number} place */
function show(place) {
  if (current === null || numHands() === 0) return;
  wanted = place;
  isOpened = true;
  send({ type: "show", match: current, log, hand: place });
}

/** Show the newest hand, unless it is there already; without following, the first one at first. */
function follow() {
  const newest = chosen()?.newest;
  if (!newest || (isOpened && !part("live").checked)) return;
  if (isOpened && newest.log === log && newest.hand === wanted) return;
  log = part("live").checked ? newest.log : 0;
  part("log").value = String(log);
  show(part("live").checked ? newest.hand : 0);
}

/** @param {LogReplay} message */
export function hearHand(message) {
  if (message.match !== current || message.log !== log) return;
  wanted = message.hand;
  part("hand").value = String(message.number);
  const plays = part("live").checked && chosen()?.state === "playing";
  openReplay(message.title, message.views, { plays, onOver: follow, isClosable: false });
  markPot();
}

// The largest pots

function askForPots() {
  const match = chosen();
  if (!match) return;
  potsOf = match.hands;
  send({ type: "largest", match: match.match, count: numPots });
}

/** @param {Pots} message */
export function hearPots({ match, pots }) {
  if (match !== current) return;
  const found = JSON.stringify(pots);
  if (found !== shownPots) {
    const focused = focusedPot();
    shownPots = found;
    part("pots").replaceChildren(...pots.map(potRow));
    if (focused) potButton(focused)?.focus();
    markPot();
  }
  part("more-pots").hidden = pots.length < numPots || numPots >= MOST_POTS;
}

/** @param {Pot} pot */
function potRow(pot) {
  const { won, chips, board, number: ofLog } = pot;
  const bigBlind = chosen()?.bigBlind ?? 0;
  const again = button(number(chips), () => openPot(pot));
  again.setAttribute("data-hand", `${pot.log} ${pot.hand}`);
  const winners = won.map(({ name, chips }) => `${name} ${signed(chips)}`).join(", ");
  again.setAttribute("aria-label", `Pot of ${number(chips)}, hand ${ofLog}: ${winners || "split"}`);
  const blinds = bigBlind ? `${number(Math.round((10 * chips) / bigBlind) / 10)} bb` : "";
  return make(
    "li",
    "pot-row",
    again,
    make("span", "note", blinds),
    make("span", "board", smallCards(board)),
    make("span", "won-by", winners || "split"),
    make("span", "note", `hand ${ofLog}`),
  );
}

/** @param {Pot} pot */
function openPot(pot) {
  part("live").checked = false;
  log = pot.log;
  part("log").value = String(log);
  show(pot.hand);
  part("table").scrollIntoView({ block: "nearest" });
}

/** @param {string} hand */
function potButton(hand) {
  /** @type {HTMLElement | null} */
  const found = part("pots").querySelector(`[data-hand="${hand}"]`);
  return found;
}

function focusedPot() {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && part("pots").contains(focused)
    ? focused.getAttribute("data-hand")
    : null;
}

// Mark the row of the hand that is shown.
function markPot() {
  part("pots").querySelector("[aria-current]")?.removeAttribute("aria-current");
  potButton(`${log} ${wanted}`)?.setAttribute("aria-current", "true");
}

/**
 * Press the button of a key; return whether there is one.
 * @param {string} key
 */
export function watchKey(key) {
  if (key === "n") part("hand-forward").click();
  else if (key === "b") part("hand-back").click();
  else if (key === "j") chooseNext(1);
  else if (key === "k") chooseNext(-1);
  else return false;
  return true;
}

/** @param {number} steps */
function chooseNext(steps) {
  const match = matchAfter(steps);
  if (match === undefined) return;
  choose(match);
  focusMatch(match);
}
