// Data of the grids of the solver's page: strategies, values, equities, and their differences.

import { signed } from "./dom.js";
import { percent, strategyGrid } from "./hand_grid.js";
import { classSums } from "./solver_data.js";

/** @import {Cell, HandGrid} from "./grid_types.js" */
/** @import {ClassSums, GridKind, SolvedDecision} from "./solver_types.js" */

const NUM_RAISE_FILLS = 12;
/** @type {Record<string, string>} */
const WORD_FILLS = { fold: "fold", check: "call", call: "call", "all-in": "all-in" };

/** Steps of values in pots, and of equities, each with its fill: the first that is not below. */
/** @type {[least: number, fill: string, text: string][]} */
const VALUE_STEPS = [
  [1, "win3", "a pot or more"],
  [0.5, "win2", "half a pot"],
  [0.25, "win1", "a quarter"],
  [0, "win0", "nothing"],
  [-0.1, "loss0", "less than nothing"],
  [-0.25, "loss1", "−10 %"],
  [-0.5, "loss2", "−25 %"],
  [Number.NEGATIVE_INFINITY, "loss3", "−50 % of the pot"],
];
/** @type {[least: number, fill: string, text: string][]} */
const EQUITY_STEPS = [
  [0.875, "win3", "from 87.5 %"],
  [0.75, "win2", "75 %"],
  [0.625, "win1", "62.5 %"],
  [0.5, "win0", "50 %"],
  [0.375, "loss0", "37.5 %"],
  [0.25, "loss1", "25 %"],
  [0.125, "loss2", "12.5 %"],
  [Number.NEGATIVE_INFINITY, "loss3", "below"],
];
const CHANGE_STEPS = VALUE_STEPS.map(
  ([, fill], place) =>
    /** @type {[number, string]} */ ([
      [0.1, 0.05, 0.02, 0.001, -0.001, -0.02, -0.05, Number.NEGATIVE_INFINITY][place],
      place === 4 ? "none" : fill,
    ]),
);

/**
 * Return the fill of each action; sizes are spread over the colours of raises.
 * @param {string[]} words
 */
export function wordFills(words) {
  const raises = words.filter((word) => !(word in WORD_FILLS));
  return words.map((word) => {
    if (word in WORD_FILLS) return WORD_FILLS[word];
    const share = raises.length > 1 ? raises.indexOf(word) / (raises.length - 1) : 0.5;
    return `raise${halfToEven(share * (NUM_RAISE_FILLS - 1))}`;
  });
}

/** Round as Python does. @param {number} value */
function halfToEven(value) {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 ? below + 1 : below;
}

/** @param {number | null} chips */
export const chipsText = (chips) => (chips === null ? "–" : signed(chips));

/** @param {number | null} chips */
function shortChips(chips) {
  if (chips === null) return "";
  return Math.abs(chips) < 100 ? (Math.round(chips * 10) / 10 || 0).toFixed(1) : chips.toFixed(0);
}

/**
 * @param {[least: number, fill: string, ...rest: unknown[]][]} steps
 * @param {number} value
 */
const stepFill = (steps, value) => (steps.find(([least]) => value >= least) ?? steps[0])[1];

/**
 * Return the grid of one seat at a decision.
 * @param {SolvedDecision} decision
 * @param {number} seat
 * @param {GridKind} kind
 * @param {string} name
 * @returns {HandGrid}
 */
export function decisionGrid(decision, seat, kind, name = "") {
  const sums = classSums(decision, seat);
  const label = `${name}${name ? ": " : ""}seat ${seat + 1}, ${kind} by hand`;
  if (kind === "strategy" && seat === decision.seat - 1) return actorGrid(decision, sums, label);
  const most = Math.max(0, ...[...sums.values()].map(({ reach }) => reach));
  const steps = kind === "value" ? VALUE_STEPS : EQUITY_STEPS;
  /** @type {(sum: ClassSums) => string} */
  const fill = ({ ev, equity }) => {
    const value = kind === "value" ? ev && ev / decision.pot_chips : equity;
    if (kind === "strategy") return "call";
    return value === null ? "none" : stepFill(steps, value);
  };
  const cells = [...sums].map(([hand, sum]) => {
    /** @type {Cell} */
    const cell = {
      parts: [[fill(sum), 1, ""]],
      height: most > 0 ? sum.reach / most : 0,
      facts: facts(sum),
      small:
        kind === "value"
          ? shortChips(sum.ev)
          : sum.equity === null
            ? ""
            : `${(100 * sum.equity).toFixed(0)} %`,
    };
    return [hand, cell];
  });
  const legend =
    kind === "strategy" ? [] : steps.map(([, stepName, text]) => ({ fill: stepName, text }));
  return {
    label,
    title: kind === "value" ? "worth, in pots:" : "equity:",
    legend,
    cells: Object.fromEntries(cells),
    note: "Heights are how often the seat holds these hands, relative to the most frequent.",
    absent: "not in the range",
  };
}

/**
 * @param {SolvedDecision} decision
 * @param {Map<string, ClassSums>} sums
 * @param {string} label
 */
function actorGrid(decision, sums, label) {
  const fills = wordFills(decision.actions);
  const entries = [...sums];
  return strategyGrid({
    label,
    actions: decision.actions.map((text, place) => ({ text, fill: fills[place] })),
    rows: Object.fromEntries(
      entries.map(([name, { reach, probabilities }]) => [name, [reach, ...probabilities]]),
    ),
    facts: Object.fromEntries(entries.map(([name, sum]) => [name, facts(sum)])),
    small: Object.fromEntries(entries.map(([name, { ev }]) => [name, shortChips(ev)])),
  });
}

/** @param {ClassSums} sum */
function facts({ weight, ev, equity }) {
  const parts = [`held ${(100 * weight).toFixed(2)} %`];
  if (ev !== null) parts.push(`EV ${chipsText(ev)}`);
  if (equity !== null) parts.push(`equity ${(100 * equity).toFixed(1)} %`);
  return parts.join(", ");
}

/**
 * Return the grid of the differences between two solutions at one decision, for the actor.
 * @param {SolvedDecision} one
 * @param {SolvedDecision} other
 * @param {GridKind} kind
 * @returns {HandGrid}
 */
export function differenceGrid(one, other, kind) {
  const seat = one.seat - 1;
  const [first, second] = [classSums(one, seat), classSums(other, seat)];
  const words = allActions(one, other);
  const cells = [...first].flatMap(([name, sum]) => {
    const against = second.get(name);
    if (!against) return [];
    const cell =
      kind === "strategy"
        ? strategyDifference(words, one, sum, other, against)
        : changeCell(one, sum, against, kind);
    return [[name, cell]];
  });
  const units = kind === "value" ? "of the pot" : "of equity";
  return {
    label: `Differences in ${kind} by hand`,
    title: kind === "strategy" ? "" : "more or less:",
    legend:
      kind === "strategy"
        ? [{ fill: "raise6", text: "height: share of the hand that is played otherwise" }]
        : [
            { fill: "win3", text: `+10 % ${units} and more` },
            { fill: "win0", text: "+0.1 %" },
            { fill: "none", text: "alike" },
            { fill: "loss1", text: "−0.1 %" },
            { fill: "loss3", text: "−5 % and less" },
          ],
    cells: Object.fromEntries(cells),
    note: "The solution that is shown less the one it is compared with.",
    absent: "not in both ranges",
  };
}

/**
 * Return the actions of either decision, those of the first one first.
 * @param {SolvedDecision} one
 * @param {SolvedDecision} other
 */
export const allActions = (one, other) => [...new Set([...one.actions, ...other.actions])];

/**
 * Return the probability of an action, 0 where there is no such action.
 * @param {SolvedDecision} decision
 * @param {number[]} probabilities
 * @param {string} word
 */
export const probabilityOf = (decision, probabilities, word) =>
  probabilities[decision.actions.indexOf(word)] ?? 0;

/**
 * @param {string[]} words
 * @param {SolvedDecision} one
 * @param {ClassSums} sum
 * @param {SolvedDecision} other
 * @param {ClassSums} against
 * @returns {Cell}
 */
function strategyDifference(words, one, sum, other, against) {
  const changes = words.map(
    (word) =>
      probabilityOf(one, sum.probabilities, word) -
      probabilityOf(other, against.probabilities, word),
  );
  const share = changes.reduce((total, change) => total + Math.abs(change), 0) / 2;
  const texts = words.map((word, place) => `${word} ${signed(100 * changes[place], 1)} %`);
  return {
    parts: [["raise6", 1, ""]],
    height: share,
    facts: `played otherwise ${percent(share)}: ${texts.join(", ")}`,
    small: share < 0.005 ? "" : `${(100 * share).toFixed(0)} %`,
  };
}

/**
 * @param {SolvedDecision} one
 * @param {ClassSums} sum
 * @param {ClassSums} against
 * @param {GridKind} kind
 * @returns {Cell}
 */
function changeCell(one, sum, against, kind) {
  const [mine, theirs] = kind === "value" ? [sum.ev, against.ev] : [sum.equity, against.equity];
  if (mine === null || theirs === null) {
    return { parts: [["none", 1, ""]], height: 0, facts: "no value in one of them" };
  }
  const change = mine - theirs;
  const scaled = kind === "value" ? change / one.pot_chips : change;
  const text = kind === "value" ? signed(change) : `${signed(100 * change, 1)} %`;
  return {
    parts: [[stepFill(CHANGE_STEPS, scaled), 1, ""]],
    height: 1,
    facts: kind === "value" ? `EV ${text}` : `equity ${text}`,
    small: kind === "value" ? shortChips(change) : (100 * change).toFixed(1),
  };
}
