// The felt: one view at a time, as the server drew it up. Views that come together are shown one
// after another.

import { cards, make, number, part, signed } from "./dom.js";

/** @import {Seat, View} from "./types.js" */

const PAUSE_MS = 650;
const CROWD = 3;

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

export function clearFelt() {
  for (const id of /** @type {const} */ (["board", "pot", "said", "seats"])) {
    part(id).replaceChildren();
  }
}

/** @param {View} view */
export function draw(view) {
  const before = shown ? shown.board.length / 2 : 0;
  const isSame = shown !== null && view.board.startsWith(shown.board);
  const board = cards(view.board, { isNew: (place) => isSame && place >= before });
  part("board").replaceChildren(...board);
  part("pot").textContent = `Pot ${number(view.pot)}`;
  part("said").textContent = view.caption;
  const [me, ...others] = view.seats;
  const drawn = others.map((seat) => drawSeat(seat, view));
  const row = make("li", `others${others.length >= CROWD ? " crowd" : ""}`, ...drawn);
  part("seats").replaceChildren(row, make("li", "me", drawSeat(me, view)));
  shown = view;
}

/**
 * @param {Seat} seat
 * @param {View} view
 */
function drawSeat(seat, view) {
  const left = seat.left === null ? `${number(seat.spent)} in` : `${number(seat.left)} left`;
  const bet = seat.bet && seat.won === null ? number(seat.bet) : "";
  const did = make("div", "did", seat.won === null ? seat.lastAction : signed(seat.won));
  if (seat.won !== null) did.classList.add(seat.won > 0 ? "won" : seat.won < 0 ? "lost" : "even");
  const hidden = seat.folded && !seat.cards ? 0 : seat.numCards;
  const drawn = make(
    "div",
    "seat",
    make("div", "head", make("span", "name", seat.name), make("span", "label", seat.label)),
    make("div", "cards", ...cards(seat.cards, { hidden })),
    make("div", "chips", make("span", "", left), make("span", "bet", bet)),
    did,
  );
  drawn.classList.toggle("acting", view.actor === seat.place);
  drawn.classList.toggle("folded", seat.folded);
  drawn.classList.toggle("winner", seat.won !== null && seat.won > 0);
  return drawn;
}
