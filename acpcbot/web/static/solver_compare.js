// Two solutions at the same decision: side by side in the view of the study, and their differences.

import { make, signed } from "./dom.js";
import { drawHandGrid, percent } from "./hand_grid.js";
import { findDecision } from "./solver_data.js";
import { findStudy } from "./solver_solutions.js";
import { studyGrid } from "./study_view.js";

/** @import {Cell, HandGrid, LegendItem} from "./grid_types.js" */
/** @import {RangeRow, StudyData, StudyView} from "./study_types.js" */
/** @import {Solution, SolvedDecision} from "./solver_types.js" */

/**
 * Fills of differences with their bounds from below, in shares of a unit: the pot, all equity, or the
 * reach of the hand most in the range.
 * @type {[fill: string, least: number, text: string][]}
 */
const CHANGES = [
  ["win3", 0.1, "+10 % UNIT and more"],
  ["win2", 0.05, "+5 %"],
  ["win1", 0.02, "+2 %"],
  ["win0", 0.001, "+0.1 %"],
  ["none", -0.001, "alike"],
  ["loss1", -0.02, "−0.1 %"],
  ["loss2", -0.05, "−2 %"],
  ["loss3", Number.NEGATIVE_INFINITY, "−5 % and less"],
];
/** Probabilities have four significant digits, so that smaller differences are roundings. */
const LEAST_SHARE = 2e-4;
const UNITS = { range: "of the most frequent hand", equity: "of equity", value: "of the pot" };

/**
 * Draw the comparison at a decision, in the view that its study has.
 * @param {Solution} one
 * @param {Solution} other
 * @param {string[]} words
 * @param {StudyView} view
 */
export function drawComparison(one, other, words, view) {
  const [first, second] = [findDecision(one, words), findDecision(other, words)];
  const [study, against] = [findStudy(one, words), findStudy(other, words)];
  const title = make("h3", "", "Comparison");
  const where = words.join(", ") || "the start";
  if (!first || !second || !study || !against) {
    const lacks = `${second && against ? one.name : other.name} has no decision after ${where}`;
    return [title, make("p", "note", `${lacks}, or it was not read.`)];
  }
  if (first.seat !== second.seat) {
    const acts = `seat ${first.seat} acts in one and seat ${second.seat} in the other`;
    return [title, make("p", "note", `After ${where} ${acts}.`)];
  }
  const differences = drawHandGrid(differenceGrid(study, against, view));
  differences.classList.add("differences");
  return [
    title,
    valueTable(one, other),
    actionTable(first, second),
    make(
      "div",
      "side-by-side",
      side(`Shown: ${one.name}`, first, study, view),
      side(`Compared with: ${other.name}`, second, against, view),
      make("div", "", make("h4", "", `Differences in ${view.what}, ${view.who}`), differences),
    ),
  ];
}

/**
 * Draw the grid of one of the solutions, with its actions as its legend: their colours differ from
 * those of the other one where its sizes do.
 * @param {string} title
 * @param {SolvedDecision} decision
 * @param {StudyData} study
 * @param {StudyView} view
 */
function side(title, { frequencies }, study, view) {
  const strategy = { ...study.strategy, label: `${title}, ${study.strategy.label}`, frequencies };
  const grid = studyGrid({ ...study, strategy }, view);
  return make("div", "", make("h4", "", title), drawHandGrid(grid));
}

/**
 * @param {Solution} one
 * @param {Solution} other
 */
function valueTable(one, other) {
  const [first, second] = [one.streets[0].data, other.streets[0].data];
  const rows = [0, 1].map((seat) => {
    const [mine, theirs] = [first.values_chips[seat], second.values_chips[seat]];
    return [`seat ${seat + 1} wins`, signed(mine), signed(theirs), signed(mine - theirs)];
  });
  const found = [first, second].map((data) => `${data.exploitability_percent.toPrecision(2)} %`);
  return table(
    ["chips", "shown", "compared", "difference"],
    [...rows, ["exploitable, of the pot", ...found, ""]],
    "values",
  );
}

/**
 * @param {SolvedDecision} first
 * @param {SolvedDecision} second
 */
function actionTable(first, second) {
  const rows = allActions(first.actions, second.actions).map((word) => {
    const [mine, theirs] = [first, second].map(({ actions, frequencies }) =>
      probabilityOf(actions, frequencies, word),
    );
    const shares = [mine, theirs].map((share) => `${(100 * share).toFixed(1)} %`);
    return [word, ...shares, `${signed(100 * (mine - theirs), 1)} %`];
  });
  return table(["action", "shown", "compared", "difference"], rows, "actions");
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {string} name
 */
function table(head, rows, name) {
  const titles = head.map((text, place) => {
    const made = make("th", place ? "number" : "", text);
    made.scope = "col";
    return made;
  });
  const lines = rows.map(([first, ...numbers]) => {
    const title = make("th", "", first);
    title.scope = "row";
    return make("tr", "", title, ...numbers.map((text) => make("td", "number", text)));
  });
  const made = make(
    "table",
    "numbers compared",
    make("thead", "", make("tr", "", ...titles)),
    make("tbody", "", ...lines),
  );
  made.dataset["table"] = name;
  return made;
}

/**
 * Return the grid of the differences between two studies of one decision.
 * @param {StudyData} one
 * @param {StudyData} other
 * @param {StudyView} view
 * @returns {HandGrid}
 */
function differenceGrid(one, other, { what, who }) {
  const cells = what === "strategy" ? strategyChanges(one, other) : changes(one, other, what, who);
  /** @type {LegendItem[]} */
  const legend =
    what === "strategy"
      ? [{ fill: "raise6", text: "height: share of the hand that is played otherwise" }]
      : CHANGES.map(([fill, , text]) => ({ fill, text: text.replace("UNIT", UNITS[what]) }));
  return {
    label: `${who}: differences in ${what} by hand`,
    legend,
    cells: Object.fromEntries(cells),
    note: "The solution that is shown less the one it is compared with.",
    absent: "not in both ranges",
  };
}

/**
 * @param {StudyData} one
 * @param {StudyData} other
 * @returns {[string, Cell][]}
 */
function strategyChanges(one, other) {
  const [first, second] = [one, other].map(({ strategy }) =>
    strategy.actions.map(({ text }) => text),
  );
  const words = allActions(first, second);
  return Object.entries(one.strategy.rows).flatMap(([name, [, ...mine]]) => {
    if (!(name in other.strategy.rows)) return [];
    const [, ...theirs] = other.strategy.rows[name];
    const differences = words.map(
      (word) => probabilityOf(first, mine, word) - probabilityOf(second, theirs, word),
    );
    const sum = differences.reduce((total, change) => total + Math.abs(change), 0) / 2;
    const share = sum < LEAST_SHARE ? 0 : sum;
    const texts = words.map((word, place) => `${word} ${signed(100 * differences[place], 1)} %`);
    /** @type {Cell} */
    const cell = {
      parts: [["raise6", 1, ""]],
      height: share,
      facts: `played otherwise ${percent(share)}: ${texts.join(", ")}`,
    };
    return [[name, cell]];
  });
}

/**
 * Return the differences in reach, equity or value of the hands of a player.
 * @param {StudyData} one
 * @param {StudyData} other
 * @param {"range" | "equity" | "value"} what
 * @param {string} who
 * @returns {[string, Cell][]}
 */
function changes(one, other, what, who) {
  const [mine, theirs] = [one, other].map(
    ({ ranges }) => ranges.find(({ name }) => name === who)?.classes ?? {},
  );
  const reaches = [mine, theirs].flatMap((rows) => Object.values(rows).map(([reach]) => reach));
  const unit = { range: Math.max(...reaches), equity: 1, value: one.pot }[what];
  return Object.entries(mine)
    .filter(([name]) => name in theirs)
    .map(([name, row]) => [name, changeCell(row, theirs[name], what, unit)]);
}

/**
 * @param {RangeRow} row
 * @param {RangeRow} against
 * @param {"range" | "equity" | "value"} what
 * @param {number} unit
 * @returns {Cell}
 */
function changeCell(row, against, what, unit) {
  const column = { range: 0, equity: 1, value: 2 }[what];
  const [mine, theirs] = [row[column], against[column]];
  if (mine === null || theirs === null) {
    return { parts: [["none", 1, ""]], height: 0, facts: "not known in one of them" };
  }
  const change = mine - theirs;
  const fill = CHANGES.find(([, least]) => change / unit >= least) ?? CHANGES[0];
  // A reach is small on late streets: it needs more digits than an equity.
  const digits = what === "range" ? 3 : 1;
  const text = what === "value" ? signed(change) : `${signed(100 * change, digits)} %`;
  return { parts: [[fill[0], 1, ""]], height: 1, facts: `${what} ${text}` };
}

/**
 * Return the actions of either decision, those of the first one first.
 * @param {string[]} first
 * @param {string[]} second
 */
const allActions = (first, second) => [...new Set([...first, ...second])];

/**
 * Return the probability of an action, 0 where there is no such action.
 * @param {string[]} words
 * @param {number[]} probabilities
 * @param {string} word
 */
const probabilityOf = (words, probabilities, word) => probabilities[words.indexOf(word)] ?? 0;
