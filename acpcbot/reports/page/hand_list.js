// The list of the hands that are left: sorted, a part of it at a time.
import { link, tableRow } from "./drawing.js";
import { element } from "./hand_grid.js";
import { drawCards, holeCards } from "./replayer.js";
import { fixed } from "./texts.js";

/** @import {Report} from "./types.js" */

export const PART_SIZE = 100;
/** @type {Record<string, string>} */
export const ORDERS = {
  "": "as played",
  pot: "biggest pots",
  won: "most won",
  lost: "most lost",
};

/**
 * Return rows in an order of ``ORDERS``; equal ones stay as they were played.
 * @param {Report} report
 * @param {Int32Array} rows
 * @param {string} order
 */
export function orderedRows({ columns, numSeats }, rows, order) {
  const { pot, chips } = columns;
  /** @type {Record<string, (row: number) => number>} */
  const keys = {
    pot: (row) => -pot[Math.floor(row / numSeats)],
    won: (row) => -chips[row],
    lost: (row) => chips[row],
  };
  const key = keys[order];
  if (!key) return rows;
  const values = Float64Array.from(rows, key);
  const places = Int32Array.from(rows, (_, place) => place);
  places.sort((one, other) => values[one] - values[other] || one - other);
  return places.map((place) => rows[place]);
}

/**
 * Return the name of a hand, which is the dealer's number of it.
 * @param {Report} report
 * @param {number} hand
 */
export const handName = ({ columns }, hand) => `hand ${columns["id"][hand]}`;

/**
 * Return the place of a hand in the logs.
 * @param {Report} report
 * @param {number} hand
 */
export const lineName = ({ data, columns }, hand) =>
  `${data.sources[columns["source"][hand]]}:${columns["line"][hand]}`;

/**
 * Return the table of a part of the list.
 * @param {Report} report
 * @param {Int32Array} rows
 * @param {number} opened The hand that is open.
 * @param {ReadonlySet<number>} stars
 * @param {(hand: number) => string} linkTo
 */
export function drawList(report, rows, opened, stars, linkTo) {
  const { data, columns, numSeats } = report;
  const names = ["hand", "seat", "cards", "pot, bb", "won, bb"];
  if (data.sources.length > 1) names.push("line");
  const heading = names.map((name) => {
    const style = name.endsWith("bb") ? "number" : name === "line" ? "meaning" : "";
    const cell = element("th", style, name);
    cell.setAttribute("scope", "col");
    return cell;
  });
  const lines = Array.from(rows, (row) => {
    const hand = Math.floor(row / numSeats);
    const won = columns["chips"][row] / data.unitChips;
    const cells = [
      [link(linkTo(hand), handName(report, hand)), ...(stars.has(hand) ? [starSign()] : [])],
      [data.seats[row % numSeats]],
      [element("span", "cards", ...drawCards(holeCards(report, row)))],
      [fixed(columns["pot"][hand] / data.unitChips, 1)],
      [`${won > 0 ? "+" : ""}${fixed(won, 1)}`],
    ];
    if (data.sources.length > 1) cells.push([lineName(report, hand)]);
    const result = won > 0 ? "number won" : won < 0 ? "number lost" : "number";
    const drawn = tableRow(cells, ["", "", "number", result, "meaning"]);
    drawn.dataset["at"] = String(hand);
    if (hand === opened) drawn.setAttribute("aria-current", "true");
    return drawn;
  });
  return element(
    "table",
    "",
    element("thead", "", element("tr", "", ...heading)),
    element("tbody", "", ...lines),
  );
}

function starSign() {
  const sign = element("span", "star", " ★");
  sign.setAttribute("role", "img");
  sign.setAttribute("aria-label", "starred");
  return sign;
}
