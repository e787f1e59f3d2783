// The felt: one view at a time, as the server drew it up. Views that come together are shown one after another.

import { cards, make, number, part, signed } from "./dom.js";

const PAUSE_MS = 650;
const CROWD = 3;

let shown = null;
let waiting = [];
let timer = null;
let whenDone = () => {};

export function showViews(views, { pauses, onDone }) {
  waiting.push(...views);
  whenDone = onDone;
  if (!pauses || !shown) {
    clearTimeout(timer);
    timer = null;
    const last = waiting.at(-1);
    waiting = [];
    if (last) draw(last);
    onDone();
  } else if (timer === null) {
    next();
  }
}

function next() {
  const view = waiting.shift();
  timer = null;
  if (view) draw(view);
  if (waiting.length) timer = setTimeout(next, PAUSE_MS);
  else whenDone();
}

export function clearScenes() {
  clearTimeout(timer);
  timer = null;
  waiting = [];
  shown = null;
}

export function draw(view) {
  const before = shown ? shown.board.length / 2 : 0;
  const isSame = shown !== null && view.board.startsWith(shown.board);
  part("board").replaceChildren(...cards(view.board, { isNew: (place) => isSame && place >= before }));
  part("pot").textContent = `Pot ${number(view.pot)}`;
  part("said").textContent = view.caption;
  const [me, ...others] = view.seats;
  const row = make("li", `others${others.length >= CROWD ? " crowd" : ""}`, ...others.map((seat) => drawSeat(seat, view)));
  part("seats").replaceChildren(row, make("li", "me", drawSeat(me, view)));
  shown = view;
}

function drawSeat(seat, view) {
  const left = seat.left === null ? `${number(seat.spent)} in` : `${number(seat.left)} left`;
  const did = make("div", "did", seat.won === null ? seat.lastAction : signed(seat.won));
  if (seat.won !== null) did.classList.add(seat.won > 0 ? "won" : seat.won < 0 ? "lost" : "even");
  const drawn = make(
    "div",
    "seat",
    make("div", "head", make("span", "name", seat.name), make("span", "label", seat.label)),
    make("div", "cards", ...cards(seat.cards, { hidden: seat.folded && !seat.cards ? 0 : seat.numCards })),
    make("div", "chips", make("span", "", left), make("span", "bet", seat.bet && seat.won === null ? number(seat.bet) : "")),
    did,
  );
  drawn.classList.toggle("acting", view.actor === seat.place);
  drawn.classList.toggle("folded", seat.folded);
  drawn.classList.toggle("winner", seat.won !== null && seat.won > 0);
  return drawn;
}
