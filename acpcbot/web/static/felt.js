// The felt: one view at a time, as the server drew it up. Views that come together are shown one
// after another. Seats stand on an oval, the person's own at the bottom, the others clockwise.

import { cards, make, part } from "./dom.js";
import { play } from "./sound.js";
import { amount, signedAmount, words } from "./units.js";

/** @import {Seat, View} from "./types.js" */

const PAUSE_MS = 650;
/** Heights of the seats on one side of the oval, from the bottom up, by how many there are: 0 is
 * the top, 1 the bottom. None is as high as the board, which needs the width of a phone. */
const SIDE_HEIGHTS = [[], [0.25], [0.75, 0.25], [0.75, 0.34, 0.1], [0.9, 0.66, 0.34, 0.1]];
/** How far seats on the sides stand from the edge, near the corners and elsewhere. */
const CORNER_INSET = 0.04;
const SIDE_INSET = 0.02;
const MANY_POTS = 10;

/** @type {View | null} */
let shown = null;
/** @type {View[]} */
let waiting = [];
/** @type {number | undefined} */
let timer;
let whenDone = () => {};

/**
 * @param {View[]} views
 * @param {{ pauses: boolean, onDone: () => void }} how
 */
export function showViews(views, { pauses, onDone }) {
  waiting.push(...views);
  whenDone = onDone;
  if (!pauses || !shown) {
    stopTimer();
    const last = waiting.at(-1);
    waiting = [];
    if (last) draw(last);
    onDone();
  } else if (timer === undefined) {
    next();
  }
}

function next() {
  const view = waiting.shift();
  timer = undefined;
  if (view) draw(view);
  if (waiting.length) timer = setTimeout(next, PAUSE_MS);
  else whenDone();
}

function stopTimer() {
  clearTimeout(timer);
  timer = undefined;
}

export function clearViews() {
  stopTimer();
  waiting = [];
  shown = null;
}

/** Draw what is shown once more, as after a change of the unit. */
export function redraw() {
  if (shown) paint(shown, () => false);
}

export function clearFelt() {
  for (const id of /** @type {const} */ (["board", "pot", "said", "seats"])) {
    part(id).replaceChildren();
  }
}

/** @param {View} view */
export function draw(view) {
  const before = shown ? shown.board.length / 2 : 0;
  const isSame = shown?.board !== undefined && view.board.startsWith(shown.board);
  sound(shown, view);
  paint(view, (place) => isSame && place >= before);
  shown = view;
}

/**
 * @param {View | null} before
 * @param {View} view
 */
function sound(before, view) {
  const own = view.seats[0].won;
  if (own !== null && own > 0) play("won");
  else if (before && view.board.length > before.board.length) play("deal");
  else if (before && view.pot > before.pot) play("bet");
}

/**
 * @param {View} view
 * @param {(place: number) => boolean} isNew
 */
function paint(view, isNew) {
  const isLifted = lifting(view);
  part("board").replaceChildren(...cards(view.board, { isNew, isLifted }));
  part("pot").textContent = `Pot ${amount(view.pot, view.bigBlind)}`;
  part("said").textContent = words(view.caption, view.bigBlind);
  const count = view.seats.length;
  const drawn = view.seats.map((seat, number) => drawPlace(seat, view, number));
  part("seats").dataset["count"] = String(count);
  part("seats").replaceChildren(...drawn);
}

/**
 * Return which cards belong to the winning hand, undefined where no hand was compared.
 * @param {View} view
 */
function lifting({ lifted }) {
  const winning = lifted.match(/../g);
  return winning ? (/** @type {string} */ card) => winning.includes(card) : undefined;
}

/**
 * Draw a seat and what lies in front of it; seats are numbered clockwise from the bottom.
 * @param {Seat} seat
 * @param {View} view
 * @param {number} number
 */
function drawPlace(seat, view, number) {
  const place = make("li", number ? "others" : "me", drawSeat(seat, view));
  if (seat.bet && seat.won === null) place.append(drawWager(seat, view));
  const { x, y } = onOval(number, view.seats.length);
  place.classList.toggle("corner", isCorner(y) && x !== 0.5);
  place.style.setProperty("--x", String(x));
  place.style.setProperty("--y", String(y));
  return place;
}

/** @param {number} height */
const isCorner = (height) => Math.abs(height - 0.5) > 0.35;

/**
 * Return where a seat stands, from the left and from the top, 0 to 1.
 * @param {number} number
 * @param {number} count
 */
function onOval(number, count) {
  const heights = SIDE_HEIGHTS[Math.floor((count - 1) / 2)];
  const isLeft = number <= heights.length;
  if (number === 0 || number * 2 === count) return { x: 0.5, y: number ? 0 : 1 };
  const y = heights[(isLeft ? number : count - number) - 1];
  const inset = isCorner(y) ? CORNER_INSET : SIDE_INSET;
  return { x: isLeft ? inset : 1 - inset, y };
}

/**
 * Draw the chips of this street, and the share of the pot that they bet.
 * @param {Seat} seat
 * @param {View} view
 */
function drawWager({ bet, share }, { bigBlind }) {
  const drawn = make("div", "wager", make("span", "bet", amount(bet, bigBlind)));
  if (share !== null) drawn.append(make("span", "share", shareText(share)));
  return drawn;
}

/**
 * Return a share of the pot in percent, from ten pots on as a multiple.
 * @param {number} share
 */
export function shareText(share) {
  if (share < MANY_POTS) return `${Math.round(100 * share)} % pot`;
  return `${share.toLocaleString("en-US", { maximumFractionDigits: 1 })} × pot`;
}

/**
 * @param {Seat} seat
 * @param {View} view
 */
function drawSeat(seat, view) {
  const { bigBlind } = view;
  const left =
    seat.left === null
      ? `${amount(seat.spent, bigBlind)} in`
      : `${amount(seat.left, bigBlind)} left`;
  const chips = make("div", "chips", make("span", "left", left));
  if (seat.won !== null) {
    const tone = seat.won > 0 ? "won" : seat.won < 0 ? "lost" : "even";
    chips.append(make("span", `result ${tone}`, signedAmount(seat.won, bigBlind)));
  }
  const hidden = seat.folded && !seat.cards ? 0 : seat.numCards;
  const isLifted = seat.made ? lifting(view) : undefined;
  const drawn = make(
    "div",
    "seat",
    make("div", "head", make("span", "name", seat.name), label(seat)),
    make("div", "cards", ...cards(seat.cards, { hidden, isLifted })),
    chips,
    make("div", "did", seat.made || words(seat.lastAction, bigBlind)),
  );
  drawn.classList.toggle("acting", view.actor === seat.place);
  drawn.classList.toggle("folded", seat.folded);
  drawn.classList.toggle("winner", seat.won !== null && seat.won > 0);
  return drawn;
}

/** @param {Seat} seat */
function label({ label: position, isButton }) {
  const drawn = make("span", "label", make("span", "position", position));
  if (isButton) {
    const disc = make("span", "dealer", "D");
    disc.title = "dealer";
    disc.setAttribute("role", "img");
    disc.setAttribute("aria-label", "dealer button");
    drawn.append(disc);
  }
  return drawn;
}
