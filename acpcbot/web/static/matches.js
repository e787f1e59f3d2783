// The matches that are watched, side by side: a card each, with its score, its pace and its end.
// Cards stay where they are, so that a finger or the focus keeps its place while numbers change.

import { FEW_HANDS, make, number, part, signed, TOO_FEW, tone } from "./dom.js";

/** @import {MatchScore, WatchedMatch} from "./types.js" */

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * The card of each match by its number.
 * @type {Map<number, HTMLLIElement>}
 */
const cards = new Map();
/** @type {number | null} */
let chosen = null;
/** @param {number} _match */
let whenChosen = (_match) => {};

/** @param {(match: number) => void} onChoose */
export function startMatches(onChoose) {
  whenChosen = onChoose;
  part("only-live").addEventListener("change", hideOthers);
}

export function clearMatches() {
  cards.clear();
  part("match-list").replaceChildren();
}

/** @param {WatchedMatch} match */
export function drawMatch(match) {
  let card = cards.get(match.match);
  if (!card) {
    card = newCard(match.match);
    cards.set(match.match, card);
    part("match-list").append(card);
    part("only-live-field").hidden = cards.size < 2;
  }
  const [head, bar, state, scores] = card.children;
  head.textContent = title(match);
  /** @type {HTMLProgressElement} */ (bar).max = match.planned || 1;
  /** @type {HTMLProgressElement} */ (bar).value = match.planned ? match.hands : 0;
  /** @type {HTMLProgressElement} */ (bar).hidden = !match.planned;
  state.replaceChildren(...lines(match).map((text) => make("span", "", text)));
  state.classList.toggle("pain", match.problem !== "");
  scores.replaceChildren(make("tbody", "", ...match.scores.map((won) => score(won, match.hands))));
  card.classList.toggle("over", match.state === "over");
  hideOthers();
}

/** @param {number} match */
function newCard(match) {
  const head = make("button", "match-title");
  head.type = "button";
  head.setAttribute("aria-pressed", String(match === chosen));
  const bar = make("progress");
  bar.setAttribute("aria-label", "Hands played");
  const card = make("li", "match", head, bar, make("p", "note"), make("table", "numbers"));
  card.addEventListener("click", () => whenChosen(match));
  card.classList.toggle("chosen", match === chosen);
  return card;
}

/** @param {number} match */
export function markMatch(match) {
  chosen = match;
  for (const [place, card] of cards) {
    card.classList.toggle("chosen", place === match);
    card.querySelector("button")?.setAttribute("aria-pressed", String(place === match));
  }
  hideOthers();
  const list = part("match-list");
  const card = cards.get(match);
  const isBelow = card && card.offsetTop + card.offsetHeight > list.scrollTop + list.clientHeight;
  if (card && (isBelow || card.offsetTop < list.scrollTop)) list.scrollTop = card.offsetTop;
}

// Leave out matches that are over, if only the others are wanted; the chosen one stays.
function hideOthers() {
  const onlyLive = part("only-live").checked;
  for (const [place, card] of cards) {
    card.hidden = onlyLive && card.classList.contains("over") && place !== chosen;
  }
}

/**
 * Return the number of the match that many cards further on, none at either end.
 * @param {number} steps
 */
export function matchAfter(steps) {
  const shown = [...cards].filter(([, card]) => !card.hidden).map(([place]) => place);
  return shown[chosen === null ? 0 : shown.indexOf(chosen) + steps];
}

/** @param {number} match */
export function focusMatch(match) {
  const head = cards.get(match)?.querySelector("button");
  head?.focus();
}

/** @param {WatchedMatch} match */
export function title({ players, name }) {
  return players.length ? players.join(" – ") : name;
}

/** @param {WatchedMatch} match */
function lines(match) {
  const { players, name, game, hands, planned, deals, problem } = match;
  const of = planned ? ` of ${number(planned)}` : "";
  const count = `${number(hands)}${of} hands${deals < hands ? ` (${number(deals)} deals)` : ""}`;
  const place = players.length ? [name, game].filter(Boolean).join(" · ") : game;
  return [place, `${count} · ${state(match)}`, problem].filter(Boolean);
}

/** @param {WatchedMatch} match */
function state({ state, quietS, perMinute, secondsLeft }) {
  if (state === "reading") return "reading …";
  if (state === "waiting") return "waiting for the first hand …";
  if (state === "over") return "finished";
  if (quietS) return `no hand for ${duration(quietS)}`;
  if (perMinute === null) return "being played";
  const end = secondsLeft === null ? "" : ` · ends in ${duration(secondsLeft)}`;
  return `${number(perMinute)} a minute${end}${secondsLeft === null ? "" : at(secondsLeft)}`;
}

/**
 * Return the time of the day in so many seconds, for ends that are near.
 * @param {number} seconds
 */
function at(seconds) {
  if (seconds > DAY_S) return "";
  const when = new Date(Date.now() + 1000 * seconds);
  return ` (${when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })})`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 100 * MINUTE_S) return `${Math.round(seconds / MINUTE_S)} min`;
  if (seconds < 2 * DAY_S) return `${Math.round(seconds / HOUR_S)} h`;
  return `${Math.round(seconds / DAY_S)} days`;
}

/**
 * Return a row with the mean and its interval, which says nothing after a few hands.
 * @param {MatchScore} won
 * @param {number} hands
 */
function score({ name, chips, mbb, halfWidth }, hands) {
  const width = halfWidth === null ? "" : ` ± ${wide(halfWidth)}`;
  const mean = hands < FEW_HANDS ? TOO_FEW : `${signed(mbb, 1)}${width}`;
  const head = make("th", "", name);
  head.scope = "row";
  return make(
    "tr",
    "",
    head,
    make("td", `number ${tone(chips)}`, mean),
    make("td", "number", signed(chips)),
  );
}

/** @param {number} halfWidth */
const wide = (halfWidth) =>
  halfWidth.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
