// The person's own decisions beside the strategy that judges them: of a hand, and of the session.

import { button, make, number, part, smallCards } from "./dom.js";
import { fillBars, fillItem, percent } from "./hand_grid.js";

/** @import {CostRow, Costs, Judged, JudgedDecision, Spot} from "./types.js" */

const EXPLAINED =
  "Behind each action: how often the strategy takes it with your hand, and what it is worth.";
/** Costs below this are shown as 0.00. */
const LEAST = 0.005;

/**
 * Return a number of big blinds.
 * @param {number} amount
 */
function bigBlinds(amount) {
  const rounded = Math.abs(amount) < LEAST ? 0 : amount;
  return `${rounded < 0 ? "−" : ""}${Math.abs(rounded).toFixed(2)}`;
}

/**
 * Return a cost with its interval, where it has one.
 * @param {number} cost
 * @param {number} halfWidth
 */
export const costText = (cost, halfWidth) =>
  `${bigBlinds(cost)}${halfWidth ? ` ± ${halfWidth.toFixed(2)}` : ""} bb`;

/**
 * Return the class of a cost: a loss, a gain, or neither for certain.
 * @param {number} cost
 * @param {number} halfWidth
 */
function costTone(cost, halfWidth) {
  if (cost - halfWidth >= LEAST) return "pain";
  return cost + halfWidth <= -LEAST ? "gain" : "";
}

/** Make the place for the decisions of a hand that has ended, which are not judged yet. */
export function judgedPlace() {
  const total = make("p", "note judged-total", "Judging your decisions …");
  total.setAttribute("role", "status");
  return make("div", "judged-place", make("h3", "", "Your decisions"), total);
}

/**
 * Show the person's decisions in the panel of their hand.
 * @param {Judged} message
 */
export function showJudged({ hand, by, isDone, decisions, note }) {
  const place = part("after").querySelector(".judged-place");
  const total = place?.querySelector(".judged-total");
  if (!place || !total || !isDone || Number(part("after").dataset["hand"]) !== hand) return;
  place.querySelector(".judged")?.remove();
  if (note || !decisions.length) {
    total.textContent = note ? sentence(note) : "You had nothing to decide.";
    return;
  }
  total.textContent = `${totalText(decisions)}, judged by ${by}. ${EXPLAINED}`;
  place.append(
    make("ol", "judged", ...decisions.map((one) => make("li", "", ...judgedParts(one)))),
  );
}

/** @param {JudgedDecision[]} decisions */
function totalText(decisions) {
  const known = decisions.filter(({ cost }) => cost !== null);
  const cost = known.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  const error = Math.sqrt(known.reduce((sum, one) => sum + one.halfWidth ** 2, 0));
  const count = known.length === 1 ? "Your decision" : `Your ${known.length} decisions`;
  return `${count} cost ${costText(cost, error)}`;
}

/**
 * Return the parts of a judged decision.
 * @param {JudgedDecision} one
 */
export function judgedParts(one) {
  const said = make(
    "span",
    "",
    make("strong", "", capital(one.street)),
    " ",
    ...(one.board ? [smallCards(one.board), " "] : []),
    "with ",
    smallCards(one.cards),
    `: ${one.lastAction}`,
  );
  const line = make("p", "judged-line", said);
  if (one.cost === null) return [line, make("p", "note", sentence(one.note))];
  const cost = make(
    "strong",
    `cost ${costTone(one.cost, one.halfWidth)}`,
    `cost ${costText(one.cost, one.halfWidth)}`,
  );
  line.append(" ", cost);
  const items = one.actions.map(({ text, fill }, place) => {
    const numbers = `${percent(one.probabilities[place])}: ${bigBlinds(one.values[place])} bb`;
    return fillItem("span", { fill, text: `${text} ${numbers}`, isTaken: place === one.taken });
  });
  if (one.taken < 0) {
    const lacking = `${one.lastAction}, which the strategy lacks: ${bigBlinds(one.takenValue)} bb`;
    items.push(make("span", "taken", `${lacking} (taken)`));
  }
  const bar = make("div", "bar", ...fillBars(shares(one)));
  bar.setAttribute("aria-hidden", "true");
  const source = one.isExact ? "exact" : `from ${number(one.numDeals)} deals`;
  const preferred = `The strategy prefers: ${one.actions[one.preferred].text}; values are ${source}.`;
  const notes = one.note ? [make("p", "note", sentence(one.note))] : [];
  return [line, bar, make("p", "key", ...items), make("p", "note", preferred), ...notes];
}

/**
 * @param {JudgedDecision} one
 * @returns {[string, number][]}
 */
const shares = ({ actions, probabilities }) =>
  probabilities.map((probability, place) => [actions[place].fill, probability]);

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** @param {string} text */
const sentence = (text) => `${capital(text)}.`;

/**
 * Show what the decisions of the session cost; *onDrill* hears of the spot that is to be dealt.
 * @param {Costs} message
 * @param {(place: number) => void} onDrill
 */
export function showCosts({ by, hands, waiting, unjudged, total, groups, spots }, onDrill) {
  const words = [
    by === null
      ? "No stored strategy of this game judges your decisions."
      : `${number(total.decisions)} decisions in ${number(hands)} hands cost ` +
        `${costText(total.cost, total.halfWidth)}, judged by ${by}.`,
  ];
  if (waiting) words.push(`${number(waiting)} more hands are being judged.`);
  if (unjudged) words.push(`${number(unjudged)} decisions have no answer of the strategy.`);
  part("costs-total").textContent = words.join(" ");
  part("cost-tables").replaceChildren(...(hands ? groups.map(costTable) : []));
  part("spots-title").hidden = part("drill-all").hidden = spots.length === 0;
  part("cost-spots").replaceChildren(...spots.map((spot, place) => spotItem(spot, place, onDrill)));
}

/** @param {Costs["groups"][number]} group */
function costTable({ title, rows }) {
  const head = make(
    "tr",
    "",
    heading(title, ""),
    heading("decisions", "number"),
    heading("cost, bb", "number"),
  );
  const table = make(
    "table",
    "numbers",
    make("caption", "", `By ${title}`),
    make("thead", "", head),
    make("tbody", "", ...rows.map(costRow)),
  );
  return table;
}

/**
 * @param {string} text
 * @param {string} className
 */
function heading(text, className) {
  const made = make("th", className, text);
  made.scope = "col";
  return made;
}

/** @param {CostRow} row */
function costRow({ label, decisions, cost, halfWidth }) {
  const title = make("th", "", label);
  title.scope = "row";
  const text = costText(cost, halfWidth).replace(" bb", "");
  const amount = make("td", `number ${costTone(cost, halfWidth)}`, text);
  return make("tr", "", title, make("td", "number", number(decisions)), amount);
}

/**
 * @param {Spot} spot
 * @param {number} place
 * @param {(place: number) => void} onDrill
 */
function spotItem(spot, place, onDrill) {
  const again = button("Play it again", () => onDrill(place));
  again.append(make("span", "hidden", `: spot ${place + 1}, of hand ${spot.hand}`));
  const title = make("p", "note", `Hand ${spot.hand}, position ${spot.position}`);
  return make("li", "", title, ...judgedParts(spot), again);
}
