// The bots' thoughts: their whole ranges at each decision, and the person's luck and skill.

import { judgedPlace } from "./decisions.js";
import { button, make, part, smallCards, tone } from "./dom.js";
import { fillBars, fillItem, percent } from "./hand_grid.js";
import { drawStudy } from "./study_view.js";
import { signedOwn } from "./units.js";

/** @import {Decision, Split} from "./types.js" */
/** @import {Estimated, HandSplit, Thoughts, UnansweredDecision} from "./types.js" */
/** @import {StrategyData} from "./grid_types.js" */

const RANKS = [..."AKQJT98765432"];

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
  panel.replaceChildren(
    make("h2", "", `Hand ${hand}`),
    make("div", "verdict-place"),
    judgedPlace(),
    asking,
  );
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
    make("span", "", `${name} `, make("strong", tone(chips), signedOwn(chips)));
  const rows = split.lucks.map(({ what, chips }) =>
    make("tr", "", make("td", "", what), make("td", `number ${tone(chips)}`, signedOwn(chips))),
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

/**
 * The decisions of the hand whose thoughts are shown, the one that is open, and what happened in the
 * hand step by step.
 * @type {{ hand: number, decisions: (Decision | UnansweredDecision)[], place: number, line: string[] }}
 */
let shown = { hand: -1, decisions: [], place: 0, line: [] };
/**
 * What hears of decisions: *onChosen* by their steps, *onEstimate* by the places of those whose
 * values are to be estimated.
 * @typedef {{ onChosen: (step: number) => void, onEstimate: (place: number) => void }} Hearing
 */
/** @type {Hearing} */
let hearing = { onChosen: () => {}, onEstimate: () => {} };
/** The place whose estimate is awaited: the server is asked for one after another. */
let awaited = -1;

/**
 * Show the thoughts of a hand at a step of its replay.
 * @param {Thoughts} message
 * @param {number} step
 * @param {Hearing} listeners
 */
export function showThoughts(message, step, listeners) {
  const panel = openPanel(message.hand);
  shown = { ...message, place: 0 };
  hearing = listeners;
  awaited = -1;
  const silent = message.silent.map((name) =>
    make("p", "note", `${name} cannot say what it would do with other hands.`),
  );
  panel.replaceChildren(
    make("h2", "", `Hand ${message.hand}: strategies of the bots`),
    make("div", "verdict-place"),
    judgedPlace(),
    ...(shown.decisions.length ? studyParts() : []),
    ...silent,
  );
  if (!message.decisions.length && !silent.length) {
    panel.append(make("p", "note", "No bot had anything to decide."));
  }
  showSplit(message);
  if (shown.decisions.length) openDecision(placeAt(step));
}

/**
 * Show the decision that belongs to a step of the replay of a hand.
 * @param {number} hand
 * @param {number} step
 */
export function followStep(hand, step) {
  if (shown.hand !== hand || !shown.decisions.length || !isShown(hand)) return;
  const place = placeAt(step);
  if (place !== shown.place && part("after").querySelector(".study")) openDecision(place);
}

/**
 * Return the place of the last decision that a bot had faced by a step: of the first one before.
 * @param {number} step
 */
const placeAt = (step) => Math.max(0, shown.decisions.filter((one) => one.step <= step).length - 1);

/** Make a tab for each street, a button for each decision on it, and the place of the decision. */
function studyParts() {
  const tabs = make("div", "tabs streets");
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Streets");
  tabs.addEventListener("keydown", stepTabs);
  const streets = [...new Set(shown.decisions.map(({ street }) => street))];
  tabs.append(...streets.map(streetTab));
  const choices = make("div", "tabs choices");
  choices.setAttribute("role", "group");
  choices.setAttribute("aria-label", "Decisions on this street");
  const line = make("nav", "", make("ol", "line-so-far"));
  line.setAttribute("aria-label", "Betting of the hand");
  const study = make("div", "study", choices, line, make("div", "decision-place"));
  study.id = "study";
  study.setAttribute("role", "tabpanel");
  return [tabs, study];
}

/** @param {string} street */
function streetTab(street) {
  const first = shown.decisions.findIndex((one) => one.street === street);
  const tab = button(capital(street), () => choose(first));
  tab.id = `street-${street}`;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", "study");
  return tab;
}

/** @param {number} place */
function choose(place) {
  openDecision(place);
  hearing.onChosen(shown.decisions[place].step);
}

/** Ask for the values of the decision that is open, if they are to be estimated. */
function askForValues() {
  const open = shown.decisions[shown.place];
  if (awaited >= 0 || !("study" in open) || !open.study?.canEstimate) return;
  awaited = shown.place;
  hearing.onEstimate(shown.place);
}

/**
 * Show estimated values, where the reader still is at their decision.
 * @param {Estimated} message
 */
export function showEstimated({ hand, place, study }) {
  if (hand !== shown.hand) return;
  awaited = -1;
  const decision = shown.decisions[place];
  if ("study" in decision) decision.study = study;
  if (!isShown(hand) || !part("after").querySelector(".study")) return;
  if (place === shown.place) redrawDecision(decision);
  askForValues();
}

/**
 * Draw the decision that is open anew; the focus stays on what it was on.
 * @param {Decision | UnansweredDecision} decision
 */
function redrawDecision(decision) {
  const place = part("after").querySelector(".decision-place");
  const focused = document.activeElement;
  const isWithin = focused instanceof HTMLElement && place?.contains(focused);
  const { hand } = (isWithin && focused.dataset) || {};
  const text = isWithin ? focused.textContent : null;
  place?.replaceChildren(drawDecision(decision));
  if (!isWithin || !place) return;
  /** @type {HTMLElement[]} */
  const drawn = [...place.querySelectorAll("[data-hand], button, summary")].filter(
    (one) => one instanceof HTMLElement,
  );
  drawn.find((one) => (hand ? one.dataset["hand"] === hand : one.textContent === text))?.focus();
}

/** @param {number} place */
function openDecision(place) {
  shown.place = place;
  const panel = part("after");
  const decision = shown.decisions[place];
  /** @type {NodeListOf<HTMLElement>} */
  const tabs = panel.querySelectorAll("[role=tab]");
  for (const tab of tabs) {
    const isOpen = tab.id === `street-${decision.street}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    if (isOpen) panel.querySelector("#study")?.setAttribute("aria-labelledby", tab.id);
  }
  const places = [...shown.decisions.keys()].filter(
    (one) => shown.decisions[one].street === decision.street,
  );
  const choices = places.map((one) => {
    const { name, lastAction } = shown.decisions[one];
    const made = button(`${name} ${lastAction}`, () => choose(one));
    made.setAttribute("aria-pressed", String(one === place));
    return made;
  });
  panel.querySelector(".choices")?.replaceChildren(...(choices.length > 1 ? choices : []));
  panel.querySelector(".line-so-far")?.replaceChildren(...lineItems(decision));
  panel.querySelector(".decision-place")?.replaceChildren(drawDecision(decision));
  askForValues();
}

/**
 * Return what happened in the hand, with a button for each decision that can be opened.
 * @param {Decision | UnansweredDecision} open
 */
function lineItems(open) {
  return shown.line.slice(1).map((caption, step) => {
    const place = shown.decisions.findIndex((one) => one.step === step);
    const text = caption.replace(/\.$/, "");
    if (place < 0) return make("li", "", make("span", "who", text));
    const link = button(text, () => {
      choose(place);
      focusLine();
    });
    if (open.step === step) link.setAttribute("aria-current", "step");
    return make("li", "", link);
  });
}

/** Give the focus back to the step that is open: its button was drawn anew. */
function focusLine() {
  const current = part("after").querySelector(".line-so-far [aria-current]");
  if (current instanceof HTMLElement) current.focus();
}

/**
 * Move between tabs by the arrow keys, which the replayer does not get then.
 * @param {KeyboardEvent} event
 */
function stepTabs(event) {
  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  const move = moves[/** @type {keyof typeof moves} */ (event.key)];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation();
  /** @type {HTMLElement[]} */
  const tabs = [...part("after").querySelectorAll("[role=tab]")].filter(
    (tab) => tab instanceof HTMLElement,
  );
  const open = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const next = tabs[(open + move + tabs.length) % tabs.length];
  next.click();
  next.focus();
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
    drawn.append(key(decision), ...rangeParts(decision));
  } else {
    drawn.append(make("p", "note", "The strategy has no answer here."));
  }
  return drawn;
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * Say what the bot would do with the hand that it held.
 * @param {Decision} decision
 */
function key({ actions, probabilities, taken, cards }) {
  const items = actions.map(({ text, fill }, place) => {
    const said = `${text} ${percent(probabilities[place])}`;
    return fillItem("span", { fill, text: said, isTaken: place === taken });
  });
  return make("p", "key", make("span", "note", "with ", smallCards(cards), ":"), ...items);
}

/**
 * Return the study of a decision with the classes as a list below it, or the list alone.
 * @param {Decision} decision
 */
function rangeParts(decision) {
  const { study, actions, frequencies, classes, taken, own, name, street } = decision;
  if (study === null) return [list(decision)];
  /** @type {StrategyData} */
  const strategy = {
    label: `${name}, ${street}: action probabilities by hand`,
    actions,
    frequencies,
    rows: classes,
    own,
    taken,
  };
  const words = make("details", "", make("summary", "", "In words"));
  words.addEventListener("toggle", () => {
    if (words.children.length === 1) words.append(list(decision));
  });
  return [drawStudy({ ...study, strategy }), words];
}

/** @param {Decision} decision */
function list({ classes, actions, own }) {
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
      make("td", "", make("div", "bar", ...fillBars(fills(probabilities, actions)))),
    );
  });
  const table = make("table", "numbers", make("thead", "", head), make("tbody", "", ...rows));
  const scroll = make("div", "scroll", table);
  scroll.tabIndex = 0;
  return scroll;
}

/**
 * @param {number[]} probabilities
 * @param {Decision["actions"]} actions
 * @returns {[string, number][]}
 */
const fills = (probabilities, actions) =>
  probabilities.map((probability, place) => [actions[place].fill, probability]);

/**
 * Return the place of a class in a list: high cards first, of two cards the pair before the others.
 * @param {string} name
 */
function rank(name) {
  const [first, second] = [RANKS.indexOf(name[0]), RANKS.indexOf(name[1])];
  return first * 100 + second * 3 + (name[2] === "o" ? 1 : 0);
}
