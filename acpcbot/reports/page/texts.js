// Numbers as text, as the tables of reports have them (reports/tables.py).

const NOTHING = "–";

/**
 * Return a number with so many decimals and with separators of thousands. A number half way between
 * two goes to the even one, as in Python.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const doubled = Math.abs(value) * 2 ** digits;
  const isTie = !Number.isInteger(doubled) && Number.isInteger(2 * doubled);
  const lower = Math.floor(Math.abs(value) * 10 ** digits);
  const size = isTie ? (lower + (lower % 2)) / 10 ** digits : Math.abs(value);
  const [whole, ...decimals] = size.toFixed(digits).split(".");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return [sign + whole.replace(/\B(?=(\d{3})+$)/g, ","), ...decimals].join(".");
}

/** @param {number} count */
export const countText = (count) => count.toLocaleString("en-US");

/** @param {number} count */
export const handsText = (count) => (count === 1 ? "1 hand" : `${countText(count)} hands`);

/**
 * Return a mean and its interval.
 * @param {import("./types.js").Winnings} found
 */
export function meanText({ numHands, mean, halfWidth }) {
  if (!numHands) return NOTHING;
  const sign = mean < 0 || Object.is(mean, -0) ? "" : "+";
  const spread = Number.isFinite(halfWidth) ? ` ± ${fixed(halfWidth, 1)}` : "";
  return `${sign}${fixed(mean, 1)}${spread}`;
}

/**
 * Return chips won or lost, to the hundredth.
 * @param {number} chips
 */
export function chipsText(chips) {
  const sign = chips > 0 ? "+" : chips < 0 ? "-" : "";
  return `${sign}${fixed(Math.abs(chips), 2).replace(/\.?0+$/, "")}`;
}

/**
 * Return a rate as a percentage, or as a ratio with two decimals.
 * @param {number} count
 * @param {number} chances
 * @param {boolean} isFactor
 */
export function rateText(count, chances, isFactor) {
  if (!chances) return NOTHING;
  return isFactor ? fixed(count / chances, 2) : `${fixed((100 * count) / chances, 1)} %`;
}
