// A decision of a solution: the way to it, its actions, the grid, and single hands.

import { button, make, number, smallCards } from "./dom.js";
import { drawHandGrid, fillItem, percent } from "./hand_grid.js";
import { drawCardPicker, markCards } from "./solver_cards.js";
import { classSums, findDecision, followsOf } from "./solver_data.js";
import { chipsText, decisionGrid, wordFills } from "./solver_grids.js";

/** @import {GridKind, Solution, SolvedDecision} from "./solver_types.js" */

/** @type {[GridKind, string][]} */
export const KINDS = [
  ["strategy", "Strategy"],
  ["value", "Value"],
  ["equity", "Equity"],
];
const NEXT_CARDS = { preflop: 3, flop: 1, turn: 1 };

/**
 * What is seen of a solution: the decision after *words*, a *seat* (-1: who acts), a *kind* of grid,
 * the class of *hands* that is listed, and the *action* after which a card is to be chosen.
 * @typedef {{ words: string[], seat: number, kind: GridKind, hands: string, action: string }} Look
 */

/**
 * Draw the decision that is looked at; *go* hears of the words that are chosen, *change* of another
 * look at the same decision.
 * @param {Solution} solution
 * @param {Look} look
 * @param {(words: string[]) => void} go
 * @param {(look: Partial<Look>) => void} change
 */
export function drawDecision(solution, look, go, change) {
  const decision = findDecision(solution, look.words);
  if (!decision) return [make("p", "note", "This solution has no such decision.")];
  const seat = look.seat < 0 ? decision.seat - 1 : look.seat;
  const facts = make("p", "note", `${decision.street} `, smallCards(decision.board));
  facts.append(` · pot ${number(decision.pot_chips)}`);
  if (decision.to_call_chips) facts.append(` · ${number(decision.to_call_chips)} to call`);
  const grid = drawHandGrid(decisionGrid(decision, seat, look.kind));
  const list = make("div", "hands-place");
  /** @param {string} name */
  const listHands = (name) => {
    look.hands = name;
    list.replaceChildren(handTable(decision, seat, name));
  };
  grid.addEventListener("focusin", (event) => {
    const cell = event.target instanceof Element && event.target.closest(".cell");
    if (cell instanceof HTMLElement) listHands(cell.dataset["hand"] ?? "");
  });
  listHands(look.hands || mostHeld(decision, seat));
  return [
    path(solution, look.words, go),
    make("h3", "", `Seat ${decision.seat} to act`),
    facts,
    actions(solution, decision, go, change),
    ...(look.action ? [nextCards(decision, look.action, go)] : []),
    make("div", "looks", seats(decision, seat, change), kinds(look.kind, change)),
    make("div", "grid-and-hands", grid, list),
  ];
}

/**
 * @param {SolvedDecision} decision
 * @param {number} seat
 */
function mostHeld(decision, seat) {
  const sums = [...classSums(decision, seat)].sort(([, a], [, b]) => b.weight - a.weight);
  return sums[0]?.[0] ?? "AA";
}

/**
 * @param {Solution} solution
 * @param {string[]} words
 * @param {(words: string[]) => void} go
 */
function path(solution, words, go) {
  const steps = ["start", ...words].map((word, place) => {
    const before = words.slice(0, place);
    const isHere = place === words.length;
    if (isHere || (!findDecision(solution, before) && solution.job === null)) {
      const text = make("span", "step", word);
      if (isHere) text.setAttribute("aria-current", "step");
      return make("li", "", text);
    }
    return make(
      "li",
      "",
      isStop(solution, before) ? button(word, () => go(before)) : make("span", "step", word),
    );
  });
  const list = make("ol", "path-steps", ...steps);
  list.setAttribute("aria-label", "Way to this decision");
  return list;
}

/**
 * Return whether a decision comes after these words; before a card falls there is none.
 * @param {Solution} solution
 * @param {string[]} words
 */
const isStop = (solution, words) =>
  findDecision(solution, words) !== undefined ||
  (solution.job !== null &&
    (!words.length || /^([2-9TJQKA][cdhs])+$/.test(words[words.length - 1])));

/**
 * @param {Solution} solution
 * @param {SolvedDecision} decision
 * @param {(words: string[]) => void} go
 * @param {(look: Partial<Look>) => void} change
 */
function actions(solution, decision, go, change) {
  const follows = followsOf(decision, solution);
  const fills = wordFills(decision.actions);
  const items = decision.actions.map((word, place) => {
    const share = percent(decision.frequencies[place]);
    const text = fillItem("span", { fill: fills[place], text: `${word} ${share}` });
    if (follows[place] === "end") {
      return make("li", "action-end", text, make("span", "note", " ends the betting"));
    }
    const chosen = button("", () => {
      if (follows[place] === "cards") change({ action: word });
      else go([...decision.after, word]);
    });
    chosen.append(text);
    chosen.dataset["action"] = word;
    return make("li", "", chosen);
  });
  const list = make("ul", "action-list", ...items);
  list.setAttribute("aria-label", "Actions, with their frequencies");
  return list;
}

/**
 * @param {SolvedDecision} decision
 * @param {string} action
 * @param {(words: string[]) => void} go
 */
function nextCards(decision, action, go) {
  const wanted = NEXT_CARDS[/** @type {keyof typeof NEXT_CARDS} */ (decision.street)] ?? 1;
  let chosen = "";
  const picker = drawCardPicker("Next cards of the board", (card) => {
    chosen = chosen.includes(card) ? chosen.replace(card, "") : chosen + card;
    markCards(picker, chosen, decision.board);
    if (chosen.length === 2 * wanted) go([...decision.after, action, chosen]);
  });
  markCards(picker, "", decision.board);
  const title = wanted > 1 ? `${wanted} cards` : "the next card";
  return make("div", "next-cards", make("h4", "", `After ${action}: choose ${title}`), picker);
}

/**
 * @param {SolvedDecision} decision
 * @param {number} seat
 * @param {(look: Partial<Look>) => void} change
 */
function seats(decision, seat, change) {
  const choices = [0, 1].map((one) => {
    const acts = one === decision.seat - 1 ? ", acts" : "";
    return choice(`Seat ${one + 1}${acts}`, one === seat, () => change({ seat: one, hands: "" }));
  });
  return group("Seat whose hands are shown", choices);
}

/**
 * @param {GridKind} kind
 * @param {(look: Partial<Look>) => void} change
 */
export function kinds(kind, change, label = "Numbers that are shown") {
  const choices = KINDS.map(([one, text]) =>
    choice(text, one === kind, () => change({ kind: one })),
  );
  return group(label, choices);
}

/**
 * @param {string} text
 * @param {boolean} isChosen
 * @param {() => void} onClick
 */
export function choice(text, isChosen, onClick) {
  const made = button(text, onClick);
  made.setAttribute("aria-pressed", String(isChosen));
  return made;
}

/**
 * @param {string} label
 * @param {HTMLElement[]} choices
 */
export function group(label, choices) {
  const made = make("div", "tabs", ...choices);
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", label);
  return made;
}

/**
 * Draw the hands of a class: how often each is held, what it does and what it is worth.
 * @param {SolvedDecision} decision
 * @param {number} seat
 * @param {string} name
 */
function handTable(decision, seat, name) {
  const sum = classSums(decision, seat).get(name);
  const heading = make("h4", "", `Hands of ${name}`);
  if (!sum) return make("div", "", heading, make("p", "note", "not in the range"));
  const isActor = seat === decision.seat - 1;
  const words = isActor ? decision.actions : [];
  const head = ["hand", "held", ...words, "EV", "equity"].map((text, place) =>
    make("th", place ? "number" : "", text),
  );
  for (const one of head) one.scope = "col";
  const rows = sum.hands.map((place) => {
    const title = make("th", "", smallCards(decision.hands[place]));
    title.scope = "row";
    const equity = decision.equities?.[seat][place] ?? null;
    const numbers = [
      `${(100 * decision.weights[seat][place]).toFixed(3)} %`,
      ...words.map((_, action) => `${(100 * decision.probabilities[place][action]).toFixed(1)} %`),
      chipsText(decision.ev_chips[seat][place]),
      equity === null ? "–" : `${(100 * equity).toFixed(1)} %`,
    ];
    const row = make("tr", "", title, ...numbers.map((text) => make("td", "number", text)));
    row.dataset["combo"] = decision.hands[place];
    return row;
  });
  const table = make(
    "table",
    "numbers",
    make("thead", "", make("tr", "", ...head)),
    make("tbody", "", ...rows),
  );
  const scroll = make("div", "scroll", table);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", `Hands of ${name}`);
  const note = make("p", "note", "EV: chips from here on, so that folding brings 0.");
  return make("div", "", heading, scroll, note);
}
