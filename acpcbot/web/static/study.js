// The bots' thoughts: their whole ranges at each decision, and the person's luck and skill.

import { button, make, part, signed, smallCards, tone } from "./dom.js";

/** @import {ActionText, ClassRow, Decision, Split} from "./types.js" */
/** @import {HandSplit, Thoughts, UnansweredDecision} from "./types.js" */

const RANKS = [..."AKQJT98765432"];
const FOLD = 0;
const CALL = 1;
const LAST_TONE = 4;

/**
 * Show the panel of a hand that has ended.
 * @param {number} hand
 * @param {() => void} ask
 */
export function showOver(hand, ask) {
  const panel = openPanel(hand);
  const asking = button("What did the bots think?", () => {
    asking.disabled = true;
    ask();
  });
  asking.id = "explain";
  panel.replaceChildren(make("h2", "", `Hand ${hand}`), make("div", "verdict-place"), asking);
}

/** @param {number} hand */
function openPanel(hand) {
  const panel = part("after");
  panel.hidden = false;
  panel.dataset["hand"] = String(hand);
  return panel;
}

/** @param {number} hand */
export const isShown = (hand) =>
  !part("after").hidden && Number(part("after").dataset["hand"]) === hand;

export function hideOver() {
  part("after").hidden = true;
  part("after").replaceChildren();
}

/** @param {HandSplit | Thoughts} message */
export function showSplit({ hand, split, note }) {
  const place = part("after").querySelector(".verdict-place");
  if (!place || Number(part("after").dataset["hand"]) !== hand) return;
  place.replaceChildren(...(split ? verdict(split) : [make("p", "note", note)]));
}

/** @param {Split} split */
function verdict(split) {
  /** @type {(name: string, chips: number) => HTMLElement} */
  const figure = (name, chips) =>
    make("span", "", `${name} `, make("strong", tone(chips), signed(chips)));
  const rows = split.lucks.map(({ what, chips }) =>
    make("tr", "", make("td", "", what), make("td", `number ${tone(chips)}`, signed(chips))),
  );
  const table = make("table", "numbers", make("tbody", "", ...rows));
  return [
    make(
      "p",
      "verdict",
      figure("won", split.chips),
      figure("skill", split.skill),
      figure("luck", split.luck),
    ),
    make("details", "luck", make("summary", "", "Where the luck was"), table),
  ];
}

/** @param {Thoughts} message */
export function showThoughts(message) {
  const panel = openPanel(message.hand);
  const silent = message.silent.map((name) =>
    make("p", "note", `${name} cannot say what it would do with other hands.`),
  );
  panel.replaceChildren(
    make("h2", "", `Hand ${message.hand}: strategies of the bots`),
    make("div", "verdict-place"),
    ...message.decisions.map((decision) => drawDecision(decision)),
    ...silent,
  );
  if (!message.decisions.length && !silent.length) {
    panel.append(make("p", "note", "No bot had anything to decide."));
  }
  showSplit(message);
}

/** @param {Decision | UnansweredDecision} decision */
function drawDecision(decision) {
  const heading = make(
    "h3",
    "",
    `${capital(decision.street)}: ${decision.name} `,
    smallCards(decision.cards),
    ` ${decision.lastAction}`,
  );
  const toCall = decision.toCall ? `, ${decision.toCall.toLocaleString("en-US")} to call` : "";
  const facts = make("p", "note", `pot ${decision.pot.toLocaleString("en-US")}`, toCall);
  if (decision.board) facts.prepend(smallCards(decision.board), " · ");
  const drawn = make("article", "decision", heading, facts);
  if ("classes" in decision) {
    drawn.append(key(decision), decision.isChart ? chart(decision) : list(decision));
  } else {
    drawn.append(make("p", "note", "The strategy has no answer here."));
  }
  return drawn;
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** @param {number} probability */
const percent = (probability) =>
  `${(100 * probability).toFixed(probability > 0 && probability < 0.0995 ? 1 : 0)} %`;

/**
 * Return the tone of each action: raises get darker the larger they are, the only one is between.
 * @param {ActionText[]} actions
 */
function tones(actions) {
  const raises = actions.filter(({ kind }) => kind > CALL).length;
  let place = raises === 1 ? CALL + 2 : LAST_TONE + 1 - raises;
  return actions.map(({ kind }) =>
    kind === FOLD || kind === CALL ? kind : Math.max(CALL + 1, place++),
  );
}

/** @param {Decision} decision */
function key({ actions, probabilities, taken, own }) {
  const colours = tones(actions);
  const items = actions.map(({ text }, place) =>
    make(
      "span",
      place === taken ? "taken" : "",
      make("i", `kind${colours[place]}`),
      `${text}: ${percent(probabilities[place])}`,
    ),
  );
  return make("p", "key", make("span", "note", `with ${own}:`), ...items);
}

/**
 * @param {number[]} probabilities
 * @param {number[]} colours
 */
function bars(probabilities, colours) {
  return probabilities.map((probability, place) => {
    const bar = make("i", `kind${colours[place]}`);
    bar.style.width = `${100 * probability}%`;
    return bar;
  });
}

/**
 * @param {string} name
 * @param {ClassRow} row
 * @param {ActionText[]} actions
 */
function told(name, [weight, ...probabilities], actions) {
  const parts = actions.map(({ text }, place) => `${text} ${percent(probabilities[place])}`);
  return `${name} (${percent(weight)} of it in the range): ${parts.join(", ")}`;
}

/** @param {Decision} decision */
function chart(decision) {
  const look = make(
    "p",
    "note",
    "The height of a colour is how much of a hand is in the range. Hover or tap a hand.",
  );
  const grid = make("div", "chart");
  const colours = tones(decision.actions);
  const label = "Every hand and what is done with it; the list below says the same in words";
  grid.setAttribute("role", "img");
  grid.setAttribute("aria-label", label);
  for (const [row, first] of RANKS.entries()) {
    for (const [column, second] of RANKS.entries()) {
      const suited = row < column ? `${first}${second}s` : `${second}${first}o`;
      const name = row === column ? first + second : suited;
      grid.append(cell(name, decision, colours, look));
    }
  }
  const words = make("details", "", make("summary", "", "In words"));
  words.addEventListener("toggle", () => {
    if (words.children.length === 1) words.append(list(decision));
  });
  return make("div", "", grid, look, words);
}

/**
 * @param {string} name
 * @param {Decision} decision
 * @param {number[]} colours
 * @param {HTMLElement} look
 */
function cell(name, { classes, actions, own }, colours, look) {
  const found = classes[name];
  const drawn = make("div", name === own ? "cell own" : "cell");
  if (found) {
    const [weight, ...probabilities] = found;
    const stack = make("div", "bars", ...bars(probabilities, colours));
    stack.style.width = "100%";
    stack.style.height = `${100 * weight}%`;
    drawn.append(stack);
    drawn.classList.toggle("full", weight > 0.5);
    drawn.title = told(name, found, actions);
    const tell = () => {
      look.textContent = drawn.title;
    };
    drawn.addEventListener("pointerenter", tell);
    drawn.addEventListener("click", tell);
  }
  drawn.append(make("b", "", name));
  return drawn;
}

/** @param {Decision} decision */
function list({ classes, actions, own }) {
  const colours = tones(actions);
  const head = make(
    "tr",
    "",
    make("th", "", "hand"),
    make("th", "number", "in range"),
    ...actions.map(({ text }) => make("th", "number", text)),
    make("th", ""),
  );
  const ordered = Object.entries(classes).sort(([a], [b]) => rank(a) - rank(b));
  const rows = ordered.map(([name, [weight, ...probabilities]]) => {
    const title = make("th", "", name === own ? `${name} (held)` : name);
    title.scope = "row";
    return make(
      "tr",
      "",
      title,
      make("td", "number", percent(weight)),
      ...probabilities.map((probability) => make("td", "number", percent(probability))),
      make("td", "", make("div", "bar", ...bars(probabilities, colours))),
    );
  });
  const table = make("table", "numbers", make("thead", "", head), make("tbody", "", ...rows));
  return make("div", "scroll", table);
}

/**
 * Return the place of a class in a list: high cards first, of two cards the pair before the others.
 * @param {string} name
 */
function rank(name) {
  const [first, second] = [RANKS.indexOf(name[0]), RANKS.indexOf(name[1])];
  return first * 100 + second * 3 + (name[2] === "o" ? 1 : 0);
}
