// What the bots thought: their whole ranges at each decision, and the person's luck and skill.

import { button, make, part, signed, smallCards, tone } from "./dom.js";

const RANKS = [..."AKQJT98765432"];
const FOLD = 0;
const CALL = 1;
const LAST_TONE = 4;

export function showOver(hand, ask) {
  const panel = part("after");
  panel.hidden = false;
  panel.dataset.hand = hand;
  const asking = button("What did the bots think?", () => {
    asking.disabled = true;
    ask();
  });
  asking.id = "explain";
  panel.replaceChildren(make("h2", "", `Hand ${hand}`), make("div", "verdict-place"), asking);
}

export function hideOver() {
  part("after").hidden = true;
  part("after").replaceChildren();
}

export function showSplit({ hand, split, note }) {
  const place = part("after").querySelector(".verdict-place");
  if (!place || Number(part("after").dataset.hand) !== hand) return;
  place.replaceChildren(...(split ? verdict(split) : [make("p", "note", note)]));
}

function verdict(split) {
  const figure = (name, chips) => {
    const value = make("strong", tone(chips), signed(chips));
    return make("span", "", `${name} `, value);
  };
  const rows = split.lucks.map(({ what, chips }) =>
    make("tr", "", make("td", "", what), make("td", `number ${tone(chips)}`, signed(chips))));
  const details = make("details", "luck", make("summary", "", "Where the luck was"), make("table", "numbers", make("tbody", "", ...rows)));
  return [make("p", "verdict", figure("won", split.chips), figure("skill", split.skill), figure("luck", split.luck)), details];
}

export function showThoughts(message) {
  const panel = part("after");
  panel.hidden = false;
  panel.dataset.hand = message.hand;
  const silent = message.silent.map((name) => make("p", "note", `${name} cannot say what it would do with other hands.`));
  panel.replaceChildren(
    make("h2", "", `Hand ${message.hand}: what the bots thought`),
    make("div", "verdict-place"),
    ...message.decisions.map((decision) => drawDecision(decision)),
    ...silent,
  );
  if (!message.decisions.length && !silent.length) panel.append(make("p", "note", "No bot had anything to decide."));
  showSplit(message);
}

function drawDecision(decision) {
  const heading = make("h3", "", `${capital(decision.street)}: ${decision.name} `, smallCards(decision.cards), ` ${decision.lastAction}`);
  const facts = make("p", "note", `pot ${decision.pot.toLocaleString("en-US")}`, decision.toCall ? `, ${decision.toCall.toLocaleString("en-US")} to call` : "");
  if (decision.board) facts.prepend(smallCards(decision.board), " · ");
  const drawn = make("article", "decision", heading, facts);
  if (!decision.actions.length) {
    drawn.append(make("p", "note", "The strategy has no answer here."));
    return drawn;
  }
  drawn.append(key(decision), decision.isChart ? chart(decision) : list(decision));
  return drawn;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const percent = (chance) => `${(100 * chance).toFixed(chance > 0 && chance < 0.0995 ? 1 : 0)} %`;

// Raises get darker the larger they are; the only one is in between.
function tones(actions) {
  const raises = actions.filter(({ kind }) => kind > CALL).length;
  let place = raises === 1 ? CALL + 2 : LAST_TONE + 1 - raises;
  return actions.map(({ kind }) => (kind === FOLD || kind === CALL ? kind : Math.max(CALL + 1, place++)));
}

function key({ actions, chances, taken, own }) {
  const colours = tones(actions);
  const items = actions.map(({ text }, place) =>
    make("span", place === taken ? "taken" : "", make("i", `kind${colours[place]}`), `${text}: ${percent(chances[place])}`));
  return make("p", "key", make("span", "note", `with ${own}:`), ...items);
}

function bars(chances, colours) {
  return chances.map((chance, place) => {
    const bar = make("i", `kind${colours[place]}`);
    bar.style.width = `${100 * chance}%`;
    return bar;
  });
}

function told(name, [weight, ...chances], actions) {
  const parts = actions.map(({ text }, place) => `${text} ${percent(chances[place])}`);
  return `${name} (${percent(weight)} of it in the range): ${parts.join(", ")}`;
}

function chart(decision) {
  const look = make("p", "note", "The height of a colour is how much of a hand is in the range. Hover or tap a hand.");
  const grid = make("div", "chart");
  const colours = tones(decision.actions);
  grid.setAttribute("role", "img");
  grid.setAttribute("aria-label", "Every hand and what is done with it; the list below says the same in words");
  RANKS.forEach((first, row) => RANKS.forEach((second, column) => {
    const name = row === column ? first + second : row < column ? `${first}${second}s` : `${second}${first}o`;
    grid.append(cell(name, decision, colours, look));
  }));
  const words = make("details", "", make("summary", "", "In words"));
  words.addEventListener("toggle", () => {
    if (words.children.length === 1) words.append(list(decision));
  });
  return group(grid, look, words);
}

function cell(name, { classes, actions, own }, colours, look) {
  const found = classes[name];
  const drawn = make("div", name === own ? "cell own" : "cell");
  if (found) {
    const [weight, ...chances] = found;
    const stack = make("div", "bars", ...bars(chances, colours));
    stack.style.width = "100%";
    stack.style.height = `${100 * weight}%`;
    drawn.append(stack);
    drawn.classList.toggle("full", weight > 0.5);
    drawn.title = told(name, found, actions);
    drawn.addEventListener("pointerenter", () => { look.textContent = drawn.title; });
    drawn.addEventListener("click", () => { look.textContent = drawn.title; });
  }
  drawn.append(make("b", "", name));
  return drawn;
}

function list({ classes, actions, own }) {
  const colours = tones(actions);
  const head = make("tr", "", make("th", "", "hand"), make("th", "number", "in range"), ...actions.map(({ text }) => make("th", "number", text)), make("th", ""));
  const ordered = Object.entries(classes).sort(([a], [b]) => rank(a) - rank(b));
  const rows = ordered.map(([name, [weight, ...chances]]) => {
    const drawn = make("div", "bar", ...bars(chances, colours));
    const row = make("tr", "", make("th", "", name === own ? `${name} (held)` : name), make("td", "number", percent(weight)),
      ...chances.map((chance) => make("td", "number", percent(chance))), make("td", "", drawn));
    row.firstChild.scope = "row";
    return row;
  });
  return make("div", "scroll", make("table", "numbers", make("thead", "", head), make("tbody", "", ...rows)));
}

// High cards first, and of two cards the pair before the others.
function rank(name) {
  const [first, second] = [RANKS.indexOf(name[0]), RANKS.indexOf(name[1])];
  return first * 100 + second * 3 + (name[2] === "o" ? 1 : 0);
}

function group(...children) {
  return make("div", "", ...children);
}
