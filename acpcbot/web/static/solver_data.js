// Solutions as files hold them: reading, finding decisions, and sums over classes of hands.

/** @import {ClassSums, Follow, Solution, SolvedDecision, SolvedStreet} from "./solver_types.js" */

const FORMAT = 1;
const RANKS = "AKQJT98765432";
const SUITS = "cdhs";
const EXPECTED = "expected a file that acpcbot solve --format json wrote";

/** The names of all classes of hands, high cards first, as ranges list them. */
export const CLASSES = [...RANKS].flatMap((high, place) => [
  high + high,
  ...[...RANKS].slice(place + 1).flatMap((low) => [`${high}${low}s`, `${high}${low}o`]),
]);

/**
 * Return the class of two cards, the higher one first.
 * @param {string} hand
 */
export function classOf(hand) {
  const [high, highSuit, low, lowSuit] = hand;
  if (high === low) return high + low;
  return high + low + (highSuit === lowSuit ? "s" : "o");
}

/**
 * Return how many hands of a class the board leaves.
 * @param {string} name
 * @param {string} board
 */
export function numHands(name, board) {
  const dead = new Set(board.match(/../g) ?? []);
  /** @type {(rank: string) => string[]} */
  const free = (rank) => [...SUITS].filter((suit) => !dead.has(rank + suit));
  const [high, low] = [free(name[0]), free(name[1])];
  if (name.length === 2) return (high.length * (high.length - 1)) / 2;
  const numSuited = high.filter((suit) => low.includes(suit)).length;
  return name[2] === "s" ? numSuited : high.length * low.length - numSuited;
}

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

/**
 * Return the classes of hands that a seat, 0 or 1, may hold at a decision, by name.
 * @param {SolvedDecision} decision
 * @param {number} seat
 * @returns {Map<string, ClassSums>}
 */
export function classSums(decision, seat) {
  const isActor = seat === decision.seat - 1;
  /** @type {Map<string, number[]>} */
  const places = new Map();
  decision.hands.forEach((hand, place) => {
    const name = classOf(hand);
    if (decision.weights[seat][place] > 0) places.set(name, [...(places.get(name) ?? []), place]);
  });
  const sums = new Map();
  for (const name of CLASSES) {
    const hands = places.get(name);
    if (!hands) continue;
    const weights = decision.weights[seat];
    const weight = hands.reduce((sum, place) => sum + weights[place], 0);
    /** @type {(of: (place: number) => number | null | undefined) => number | null} */
    const mean = (of) => {
      const known = hands.filter((place) => typeof of(place) === "number");
      const total = known.reduce((sum, place) => sum + weights[place], 0);
      if (!total) return null;
      return known.reduce((sum, place) => sum + weights[place] * Number(of(place)), 0) / total;
    };
    sums.set(name, {
      reach: weight / numHands(name, decision.board),
      weight,
      probabilities: isActor
        ? decision.actions.map(
            (_, action) => mean((place) => decision.probabilities[place][action]) ?? 0,
          )
        : [],
      ev: mean((place) => decision.ev_chips[seat][place]),
      equity: mean((place) => decision.equities?.[seat][place]),
      hands,
    });
  }
  return sums;
}
