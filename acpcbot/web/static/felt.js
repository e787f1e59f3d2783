// The felt: one view at a time, as the server drew it up. Views that come together are shown one
// after another. Seats stand on an oval, the person's own at the bottom, the others clockwise.

import { cards, make, part } from "./dom.js";
import { play } from "./sound.js";
import { amount, signedAmount, words } from "./units.js";

/** @import {Seat, View} from "./types.js" */

const PAUSE_MS = 650;
/** Below one, so that seats come closer to the corners than on an ellipse. */
const ROUNDNESS = 0.6;

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
  const drawn = view.seats.map((seat, number) => drawPlace(seat, view, number / count));
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
 * Draw a seat and what lies in front of it, at this share of the way round from the bottom.
 * @param {Seat} seat
 * @param {View} view
 * @param {number} turn
 */
function drawPlace(seat, view, turn) {
  const angle = Math.PI * (0.5 + 2 * turn);
  const place = make("li", turn ? "others" : "me", drawSeat(seat, view));
  if (seat.bet && seat.won === null) place.append(drawWager(seat, view));
  place.style.setProperty("--x", String(onOval(Math.cos(angle))));
  place.style.setProperty("--y", String((1 + Math.sin(angle)) / 2));
  return place;
}

/** @param {number} cosine */
const onOval = (cosine) => (1 + Math.sign(cosine) * Math.abs(cosine) ** ROUNDNESS) / 2;

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

/** @param {number} share */
export const shareText = (share) => `${Math.round(100 * share)} % pot`;

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
