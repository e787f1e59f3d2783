// Solutions as files hold them: reading and finding decisions.

/** @import {Follow, Solution, SolvedDecision, SolvedStreet} from "./solver_types.js" */

const FORMAT = 1;
const RANKS = "AKQJT98765432";
const EXPECTED = "expected a file that acpcbot solve --format json wrote";

/** The names of all classes of hands, high cards first, as ranges list them. */
export const CLASSES = [...RANKS].flatMap((high, place) => [
  high + high,
  ...[...RANKS].slice(place + 1).flatMap((low) => [`${high}${low}s`, `${high}${low}o`]),
]);

/**
 * Return the street of a file; throws an Error that says what was expected.
 * @param {string} text
 * @returns {SolvedStreet}
 */
export function parseStreet(text) {
  /** @type {SolvedStreet} */
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(`${EXPECTED}, found no JSON`);
  }
  if (found?.format !== FORMAT) {
    throw new Error(`${EXPECTED}, of format ${FORMAT}, found format ${String(found?.format)}`);
  }
  if (!Array.isArray(found.decisions) || !found.decisions.length) {
    throw new Error(`${EXPECTED}, found no decisions`);
  }
  for (const decision of found.decisions) verifyDecision(decision);
  const numbers = [found.pot_chips, found.exploitability_percent, found.num_iterations];
  if (!isRow(numbers, 3) || !isRow(found.values_chips, 2) || typeof found.game !== "string") {
    throw new Error(`${EXPECTED}, found one without its pot, values or exploitability`);
  }
  return found;
}

/** @param {SolvedDecision} decision */
function verifyDecision(decision) {
  const { after, actions, hands, weights, probabilities, ev_chips } = decision;
  const where = Array.isArray(after) ? `after ${after.join(", ") || "the start"}` : "";
  const isWhole =
    [after, actions, hands, weights, probabilities, ev_chips].every(Array.isArray) &&
    [weights, ev_chips].every((rows) => rows.length === 2 && isTable(rows, hands.length)) &&
    probabilities.length === hands.length &&
    isTable(probabilities, actions.length) &&
    isRow(decision.frequencies, actions.length) &&
    isRow([decision.pot_chips, decision.to_call_chips, decision.seat], 3) &&
    typeof decision.board === "string";
  if (!isWhole) {
    throw new Error(`${EXPECTED}, found a decision ${where} whose lists do not fit together`);
  }
  if (!hands.every((hand) => /^([2-9TJQKA][cdhs]){2}$/.test(hand))) {
    throw new Error(`${EXPECTED} of a game with two hole cards, found hands of another kind`);
  }
}

/**
 * @param {unknown} row
 * @param {number} length
 */
const isRow = (row, length) =>
  Array.isArray(row) &&
  row.length === length &&
  row.every((one) => one === null || typeof one === "number");

/**
 * @param {unknown[]} rows
 * @param {number} length
 */
const isTable = (rows, length) => rows.every((row) => isRow(row, length));

/**
 * Return the decision after these words, if a street that was read has it.
 * @param {Solution} solution
 * @param {string[]} words
 */
export function findDecision(solution, words) {
  const line = words.join(", ");
  return solution.streets
    .flatMap(({ data }) => data.decisions)
    .find(({ after }) => after.join(", ") === line);
}

/**
 * Return the street that has the decision after these words.
 * @param {Solution} solution
 * @param {string[]} words
 */
export const findStreet = (solution, words) =>
  solution.streets.find(({ data }) =>
    data.decisions.some(({ after }) => after.join(", ") === words.join(", ")),
  );

/**
 * Return what comes after each action; files of older versions do not say it.
 * @param {SolvedDecision} decision
 * @param {Solution} solution
 * @returns {Follow[]}
 */
export const followsOf = (decision, solution) =>
  decision.follows ??
  decision.actions.map((word) =>
    findDecision(solution, [...decision.after, word]) ? "decision" : "end",
  );
