// Two solutions at the same decision, side by side, and their differences by class of hands.

import { make, signed } from "./dom.js";
import { drawHandGrid } from "./hand_grid.js";
import { findDecision } from "./solver_data.js";
import {
  allActions,
  chipsText,
  decisionGrid,
  differenceGrid,
  probabilityOf,
} from "./solver_grids.js";

/** @import {GridKind, Solution, SolvedDecision} from "./solver_types.js" */

/**
 * Draw the comparison at a decision.
 * @param {Solution} one
 * @param {Solution} other
 * @param {string[]} words
 * @param {GridKind} kind
 */
export function drawComparison(one, other, words, kind) {
  const [first, second] = [findDecision(one, words), findDecision(other, words)];
  const title = make("h3", "", "Comparison");
  const where = words.join(", ") || "the start";
  if (!first || !second) {
    return [
      title,
      make(
        "p",
        "note",
        `${second ? one.name : other.name} has no decision after ${where}, or that street of it was not read.`,
      ),
    ];
  }
  if (first.seat !== second.seat) {
    return [
      title,
      make(
        "p",
        "note",
        `After ${where} seat ${first.seat} acts in one and seat ${second.seat} in the other.`,
      ),
    ];
  }
  /** @type {(solution: Solution, decision: SolvedDecision, name: string) => HTMLElement} */
  const side = (solution, decision, name) => {
    const grid = drawHandGrid(decisionGrid(decision, decision.seat - 1, kind, name));
    return make("div", "", make("h4", "", `${name}: ${solution.name}`), grid);
  };
  const differences = drawHandGrid(differenceGrid(first, second, kind));
  differences.classList.add("differences");
  return [
    title,
    valueTable(one, other),
    actionTable(first, second),
    make(
      "div",
      "side-by-side",
      side(one, first, "Shown"),
      side(other, second, "Compared with"),
      make("div", "", make("h4", "", `Differences in ${kind}`), differences),
    ),
  ];
}

/**
 * @param {Solution} one
 * @param {Solution} other
 */
function valueTable(one, other) {
  const [first, second] = [one.streets[0].data, other.streets[0].data];
  const rows = [0, 1].map((seat) => {
    const [mine, theirs] = [first.values_chips[seat], second.values_chips[seat]];
    return [`seat ${seat + 1} wins`, chipsText(mine), chipsText(theirs), chipsText(mine - theirs)];
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
  const rows = allActions(first, second).map((word) => {
    const [mine, theirs] = [first, second].map((one) => probabilityOf(one, one.frequencies, word));
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
