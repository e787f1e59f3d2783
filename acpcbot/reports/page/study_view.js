// The study of a decision: the actor's strategy, both ranges, equities and values in the grid of
// hands, and the hands of one class with their numbers. What is shown stays when a reader steps on
// to another decision.
import { drawHandGrid, element, fillItem, percent, reachText, strategyGrid } from "./hand_grid.js";

/** @import {Cell, HandGrid, LegendItem} from "./grid_types.js" */
/** @import {RangeData, RangeRow, StudyData, StudyView, StudyWhat} from "./study_types.js" */

const PIPS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** @type {[StudyWhat, string][]} */
const VIEWS = [
  ["strategy", "Strategy"],
  ["range", "Range"],
  ["equity", "Equity"],
  ["value", "Value"],
];
const UNKNOWN = "–";
/**
 * Fills of equities and of values with their bounds from below: shares of the pot.
 * @type {[fill: string, least: number, text: string][]}
 */
const EQUITIES = [
  ["loss3", 0, "equity under 12.5 %"],
  ["loss2", 0.125, "to 25 %"],
  ["loss1", 0.25, "to 37.5 %"],
  ["loss0", 0.375, "to 50 %"],
  ["win0", 0.5, "to 62.5 %"],
  ["win1", 0.625, "to 75 %"],
  ["win2", 0.75, "to 87.5 %"],
  ["win3", 0.875, "above"],
];
/** @type {typeof EQUITIES} */
const VALUES = [
  ["loss1", Number.NEGATIVE_INFINITY, "value under 0"],
  ["win0", 0, "to 25 % of the pot"],
  ["win1", 0.25, "to 50 %"],
  ["win2", 0.5, "to 100 %"],
  ["win3", 1, "above"],
];

/**
 * What a reader has chosen: a view, a player by name, and a class of hands.
 * @type {{ what: StudyWhat, who: string, hand: string }}
 */
const chosen = { what: "strategy", who: "", hand: "" };

/**
 * Draw the study of a decision; *onView* hears of the view that is shown, and of each other one that
 * a reader chooses.
 * @param {StudyData} data
 * @param {(view: StudyView) => void} onView
 */
export function drawStudy(data, onView = () => {}) {
  const place = element("div", "study-view");
  const redraw = () => {
    const focused = document.activeElement;
    const label = focused && place.contains(focused) ? focused.textContent : null;
    onView(fillStudy(place, data, redraw));
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = place.querySelectorAll(".study-switches button");
    for (const one of buttons) if (one.textContent === label) one.focus();
  };
  onView(fillStudy(place, data, redraw));
  return place;
}

/**
 * Return the grid of a view.
 * @param {StudyData} data
 * @param {StudyView} view
 */
export function studyGrid(data, { what, who }) {
  const range = data.ranges.find(({ name }) => name === who) ?? data.ranges[0];
  return what === "strategy" ? strategyGrid(data.strategy) : rangeGrid(data, range, what);
}

/**
 * Draw what a reader has chosen, as far as it is known here; return the view that is shown.
 * @param {HTMLElement} place
 * @param {StudyData} data
 * @param {() => void} redraw
 * @returns {StudyView}
 */
function fillStudy(place, data, redraw) {
  const [actor] = data.ranges;
  const range = data.ranges.find(({ name }) => name === chosen.who) ?? actor;
  const isPossible = chosen.what === "strategy" ? range === actor : isKnown(range, chosen.what);
  const shown = isPossible ? chosen.what : range === actor ? "strategy" : "range";
  const hands = element("div", "study-hands");
  /** @param {string} name */
  const choose = (name) => {
    chosen.hand = name;
    hands.replaceChildren(...handParts(data, range, name));
  };
  const drawn = [hands];
  if (data.isChart) {
    drawn.unshift(drawHandGrid(studyGrid(data, { what: shown, who: range.name }), choose));
    hands.replaceChildren(...handParts(data, range, firstHand(data, range)));
  } else {
    hands.replaceChildren(...handParts(data, range, ""));
  }
  place.replaceChildren(
    switches(data, range, shown, redraw),
    element("div", "study-parts", ...drawn),
    ...data.notes.map((note) => element("p", "note", note)),
  );
  return { what: shown, who: range.name };
}

/**
 * Return the class whose hands are listed first: the one that was chosen, that is held, or that is
 * most in the range.
 * @param {StudyData} data
 * @param {RangeData} range
 */
function firstHand({ strategy, ranges }, range) {
  if (chosen.hand in range.classes) return chosen.hand;
  if (range === ranges[0] && strategy.own) return strategy.own;
  const entries = Object.entries(range.classes);
  return entries.reduce(
    (best, one) => (one[1][0] > best[1][0] ? one : best),
    entries[0] ?? [""],
  )[0];
}

/**
 * Return the switches between views and between players.
 * @param {StudyData} data
 * @param {RangeData} range
 * @param {StudyWhat} shown
 * @param {() => void} redraw
 */
function switches(data, range, shown, redraw) {
  /** @type {(label: string, buttons: HTMLElement[]) => HTMLElement} */
  const group = (label, buttons) => {
    const made = element("div", "", ...buttons);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    return made;
  };
  /** @type {(text: string, isPressed: boolean, choose: () => void) => HTMLElement} */
  const choice = (text, isPressed, choose) => {
    const made = element("button", "", text);
    made.setAttribute("type", "button");
    made.setAttribute("aria-pressed", String(isPressed));
    made.addEventListener("click", () => {
      choose();
      redraw();
    });
    return made;
  };
  const views = VIEWS.filter(([what]) => what === "strategy" || isKnown(range, what)).map(
    ([what, text]) =>
      choice(text, what === shown, () => {
        chosen.what = what;
        // Only the actor has a strategy at a decision.
        if (what === "strategy") chosen.who = data.ranges[0].name;
      }),
  );
  const players = data.ranges.map((one, place) =>
    choice(place ? one.name : `${one.name} (to act)`, one === range, () => {
      chosen.who = one.name;
      if (one !== data.ranges[0] && shown === "strategy") chosen.what = "range";
    }),
  );
  const groups = [group("What the grid shows", views), group("Whose hands", players)];
  const made = element("div", "study-switches");
  made.append(...(data.isChart ? groups : groups.slice(1)));
  return made;
}

/**
 * Return whether anything is known of a range that a view shows.
 * @param {RangeData} range
 * @param {StudyWhat} what
 */
const isKnown = ({ rows }, what) =>
  what === "range" || rows.some((row) => row[what === "equity" ? 1 : 2] !== null);

/**
 * Return the grid of a range: its heights, and in their fill equities or values.
 * @param {StudyData} data
 * @param {RangeData} range
 * @param {StudyWhat} shown
 * @returns {HandGrid}
 */
function rangeGrid(data, range, shown) {
  const most = Math.max(...Object.values(range.classes).map(([reach]) => reach), 0);
  const levels = shown === "equity" ? EQUITIES : shown === "value" ? VALUES : [];
  const cells = Object.entries(range.classes).map(([name, row]) => {
    const [reach, equity, value] = row;
    const known = shown === "equity" ? equity : shown === "value" ? value : null;
    const share = known !== null && shown === "value" ? known / Math.max(data.pot, 1) : known;
    const fill = share === null ? "held" : levelOf(levels, share);
    /** @type {Cell} */
    const cell = {
      parts: [[fill, 1, ""]],
      height: most > 0 ? reach / most : 0,
      facts: rowWords(data, row, range.classHalfWidths?.[name] ?? 0).join(", "),
      small:
        known === null ? "" : shown === "equity" ? (100 * known).toFixed(0) : shortChips(known),
    };
    return [name, cell];
  });
  const words = { strategy: "", range: "range", equity: "equity by hand", value: "value by hand" };
  return {
    label: `${range.name}: ${words[shown]}`,
    legend: levels.map(([fill, , text]) => ({ fill, text })),
    cells: Object.fromEntries(cells),
    note: "Heights are relative to the hand most in the range.",
    absent: "not in the range",
    ...(range === data.ranges[0] && data.strategy.own ? { own: data.strategy.own } : {}),
  };
}

/**
 * Return the fill of the last level that begins at or below *share*.
 * @param {typeof EQUITIES} levels
 * @param {number} share
 */
const levelOf = (levels, share) =>
  (levels.filter((level) => share >= level[1]).at(-1) ?? levels[0])[0];

/** @param {number} chips */
const chipText = (chips) => {
  const text = chips.toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero",
  });
  return text.replace("-", "−");
};

/**
 * Return a value, of an estimate with half the width of its interval.
 * @param {number} chips
 * @param {number | null} halfWidth
 */
const valueText = (chips, halfWidth) =>
  halfWidth ? `${chipText(chips)} ± ${halfWidth.toFixed(2)}` : chipText(chips);

/** @param {number} chips */
const shortChips = (chips) =>
  (Math.abs(chips) < 99.95 ? chips.toFixed(1) : chips.toFixed(0)).replace(/^-0(\.0)?$/, "0.0");

/** @param {number | null} share */
const equityText = (share) => (share === null ? UNKNOWN : `${(100 * share).toFixed(1)} %`);

/**
 * @param {StudyData} data
 * @param {RangeRow} row
 * @param {number} halfWidth
 */
function rowWords({ reachWords }, [reach, equity, value], halfWidth) {
  const held =
    reachWords === "held"
      ? `each hand held ${reachText(reach)}`
      : `${reachText(reach)} in the range`;
  return [
    held,
    ...(equity === null ? [] : [`equity ${equityText(equity)}`]),
    ...(value === null ? [] : [`value ${valueText(value, halfWidth)}`]),
  ];
}

/**
 * Return the list of the hands of a class, or of all hands without one.
 * @param {StudyData} data
 * @param {RangeData} range
 * @param {string} name
 */
function handParts(data, range, name) {
  const places = [...range.hands.keys()].filter(
    (place) => !name || handClass(range.hands[place]) === name,
  );
  const count = places.length === 1 ? "1 hand" : `${places.length} hands`;
  const title = name ? `${range.name}: ${name}, ${count}` : `${range.name}: ${count}`;
  const heading = element("p", "study-title", element("strong", "", title));
  if (!places.length) return [heading, element("p", "note", "None of them is in the range.")];
  const isActor = range === data.ranges[0];
  const held = isActor ? data.held : undefined;
  const hasValue = places.some((place) => range.rows[place][2] !== null);
  const head = [
    header("hand", ""),
    header(data.reachWords, "number"),
    header("equity", "number"),
    ...(hasValue ? [header("value", "number")] : []),
    ...(isActor ? data.strategy.actions.map((item) => actionHeader(item)) : []),
  ];
  const lines = places.map((place) => {
    const [reach, equity, value] = range.rows[place];
    const halfWidth = range.halfWidths?.[place] ?? 0;
    const title = element("th", "", ...suited(range.hands[place]));
    title.setAttribute("scope", "row");
    const line = element(
      "tr",
      "",
      title,
      element("td", "number", reachText(reach)),
      element("td", "number", equityText(equity)),
      ...(hasValue
        ? [element("td", "number", value === null ? UNKNOWN : valueText(value, halfWidth))]
        : []),
      ...(isActor ? actionCells(data, place) : []),
    );
    line.dataset["combo"] = range.hands[place];
    if (held === range.hands[place]) line.className = "own";
    return line;
  });
  const table = element("table", "", element("thead", "", element("tr", "", ...head)));
  table.append(element("tbody", "", ...lines));
  const scroll = element("div", "scroll", table);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", title);
  return [heading, scroll];
}

/**
 * Return the probability of each action with a hand, above its value where that is known. Below an
 * estimate stands by how much it is less than that of the best action.
 * @param {StudyData} data
 * @param {number} place
 */
function actionCells({ probabilities, actionValues, actionHalfWidths, leadHalfWidths }, place) {
  const values = actionValues[place] ?? [];
  const best = Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY));
  return probabilities[place].map((probability, action) => {
    const value = values[action] ?? null;
    const cell = element("td", "number", percent(probability));
    if (value === null) return cell;
    const halfWidth = actionHalfWidths?.[place]?.[action] ?? 0;
    cell.append(element("span", "value", valueText(value, halfWidth)));
    if (leadHalfWidths) {
      const lead = leadHalfWidths[place]?.[action] ?? 0;
      const text = value === best ? "best" : valueText(value - best, lead);
      cell.append(element("span", "value lead", text));
    }
    return cell;
  });
}

/**
 * @param {string} text
 * @param {string} style
 */
function header(text, style) {
  const made = element("th", style, text);
  made.setAttribute("scope", "col");
  return made;
}

/** @param {LegendItem} item */
function actionHeader(item) {
  const made = element("th", "number", fillItem("span", item));
  made.setAttribute("scope", "col");
  return made;
}

/**
 * Return a hand with the pips of its suits.
 * @param {string} hand
 */
function suited(hand) {
  return (hand.match(/../g) ?? []).map(([rank, suit]) =>
    element("span", `suit-${suit}`, rank + PIPS[/** @type {keyof typeof PIPS} */ (suit)]),
  );
}

/**
 * Return the class of a hand of two cards, the higher one first.
 * @param {string} hand
 */
function handClass(hand) {
  const [first, suit, second, other] = hand;
  return first + second + (first === second ? "" : suit === other ? "s" : "o");
}
