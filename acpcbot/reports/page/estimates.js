// Sums over rows: of measures, of winnings with intervals, and curves of winnings. Intervals are
// those of matches/intervals.py, curves those of reports/summary.py.

/** @import {Curve, Numbers, Report, Winnings} from "./types.js" */

const NORMAL_95 = 1.959964;
const MAX_UNSEEN_EVENTS = 3.688879;
const SKEWNESS_WEIGHT = 0.6;
const MAX_POINTS = 300;
const MILLI = 1000;
const NUM_BITS = 32;
/**
 * Student's quantile about the normal one: a term for each power of 1 / degrees, as a divisor and
 * the factors of z, z ** 3, z ** 5 and so on.
 * @type {[number, number[]][]}
 */
const STUDENT_TERMS = [
  [1, [1]],
  [4, [1, 1]],
  [96, [3, 16, 5]],
  [384, [-15, 17, 19, 3]],
  [92160, [-945, -1920, 1482, 776, 79]],
  [368640, [17955, -765, -1782, 930, 339, 27]],
];
const STUDENT_FACTORS = STUDENT_TERMS.map(
  ([divisor, factors]) =>
    factors.reduce((sum, factor, place) => sum + factor * NORMAL_95 ** (2 * place + 1), 0) /
    divisor,
);

/**
 * Return the sums of the measures over *rows*, by name.
 * @param {Report} report
 * @param {Int32Array} rows
 */
export function measureTotals({ data, columns }, rows) {
  const flags = columns["flags"];
  const bits = new Float64Array(NUM_BITS);
  for (const row of rows) {
    for (let left = flags[row]; left !== 0; left &= left - 1) {
      bits[NUM_BITS - 1 - Math.clz32(left & -left)]++;
    }
  }
  /** @type {Record<string, number>} */
  const totals = {};
  for (const [bit, name] of data.flags.entries()) totals[name] = bits[bit];
  for (const [place, name] of data.sums.entries()) {
    const column = columns[`sum${place}`];
    let sum = 0;
    for (const row of rows) sum += column[row];
    totals[name] = sum;
  }
  return totals;
}

/** @param {number} degrees */
const student95 = (degrees) =>
  STUDENT_FACTORS.reduce((sum, factor, power) => sum + factor / degrees ** power, 0);

/**
 * Return half the width of the interval of a mean over samples, from the sums of the second and
 * third powers of their residuals.
 * @param {number} squares
 * @param {number} cubes
 * @param {number} numSamples
 * @param {number} numHands
 * @param {number} handRms
 */
function halfWidth(squares, cubes, numSamples, numHands, handRms) {
  if (numSamples < 2) return Number.POSITIVE_INFINITY;
  const seconds = squares + handRms ** 2;
  const skewness = seconds > 0 ? Math.min(cubes ** 2 / seconds ** 3, 1) : 0;
  const degrees = 1 / (1 / (numSamples - 1) + SKEWNESS_WEIGHT * skewness);
  const seen = student95(degrees) * Math.sqrt((numSamples / (numSamples - 1)) * seconds);
  return Math.max(seen, MAX_UNSEEN_EVENTS * handRms) / numHands;
}

/**
 * Return a function that computes winnings in rows, with memory for all deals that it keeps.
 * @param {Report} report
 */
export function makeEstimator({ data, columns, numSeats, plain }) {
  // The deal of each row: divisions would take longer than all sums.
  const deal = new Int32Array(columns["chips"].length);
  for (let row = 0; row < deal.length; row++) {
    deal[row] = columns["deal"][Math.floor(row / numSeats)];
  }
  let numDeals = 0;
  for (const at of deal) if (at >= numDeals) numDeals = at + 1;
  const sums = new Float64Array(numDeals);
  const sizes = new Int32Array(numDeals);
  const touched = new Int32Array(numDeals);

  /**
   * Return the number of rows that have a value, their sum, their mean, the root mean square of a
   * hand, and half the width of the mean's interval. The sums of residuals stay in *sums*, by the
   * deals in *touched*, as many as *numSamples*, with the numbers of their rows in *sizes*.
   * @param {Int32Array} rows
   * @param {Numbers} values
   */
  function summed(rows, values) {
    let [count, total, plainSquares] = [0, 0, 0];
    for (const row of rows) {
      const value = values[row];
      if (Number.isNaN(value)) continue;
      count++;
      total += value;
      plainSquares += plain[row] * plain[row];
    }
    const mean = count ? total / count : 0;
    let numSamples = 0;
    for (const row of rows) {
      const value = values[row];
      if (Number.isNaN(value)) continue;
      const at = deal[row];
      if (sizes[at]++ === 0) touched[numSamples++] = at;
      sums[at] += value - mean;
    }
    let [squares, cubes] = [0, 0];
    for (let place = 0; place < numSamples; place++) {
      const sum = sums[touched[place]];
      squares += sum * sum;
      cubes += sum * sum * sum;
    }
    const handRms = count ? Math.sqrt(plainSquares / count) : 0;
    const half = halfWidth(squares, cubes, numSamples, count, handRms);
    return { count, total, mean, handRms, numSamples, half };
  }

  /** @param {number} numSamples */
  function forget(numSamples) {
    for (let place = 0; place < numSamples; place++) {
      sums[touched[place]] = sizes[touched[place]] = 0;
    }
  }

  /**
   * @param {Int32Array} rows
   * @param {Numbers} values
   * @returns {Winnings}
   */
  function winnings(rows, values) {
    const { count, total, mean, numSamples, half } = summed(rows, values);
    forget(numSamples);
    const toMbb = MILLI / data.unitChips;
    return { numHands: count, chips: total, mean: mean * toMbb, halfWidth: half * toMbb };
  }

  /**
   * @param {Int32Array} rows
   * @param {Numbers} values
   * @returns {Curve}
   */
  function curve(rows, values) {
    const { count, mean, handRms, numSamples, half } = summed(rows, values);
    const deals = touched.slice(0, numSamples).sort();
    const residuals = new Float64Array(numSamples);
    const numbers = new Float64Array(numSamples);
    for (let place = 0; place < numSamples; place++) {
      residuals[place] = sums[deals[place]];
      numbers[place] = sizes[deals[place]];
    }
    forget(numSamples);
    return thinned(residuals, numbers, mean, numSamples > 1 ? half * count : 0, handRms);
  }

  return { winnings, curve };
}

/**
 * Return the points of a curve over deals, from the sums of their *residuals*, their *numbers* of
 * hands, the mean of a hand, and half the width of the interval of the sum.
 * @param {Float64Array} residuals
 * @param {Float64Array} numbers
 * @param {number} mean
 * @param {number} whole
 * @param {number} handRms
 */
function thinned(residuals, numbers, mean, whole, handRms) {
  const count = residuals.length;
  // The hand that intervals add to every sample belongs to all deals alike.
  const added = handRms ** 2 / Math.max(count, 1);
  let squares = 0;
  for (const sum of residuals) squares += sum ** 2 + added;
  const numPoints = Math.min(MAX_POINTS, count + 1);
  /** @type {Curve} */
  const curve = { numHands: [0], chips: [0], halfWidth: [0] };
  let [hands, won, seen, point] = [0, 0, 0, 1];
  for (let place = 0; place < count; place++) {
    hands += numbers[place];
    won += residuals[place] + numbers[place] * mean;
    seen += residuals[place] ** 2 + added;
    if (place + 1 < Math.floor((point * count) / (numPoints - 1))) continue;
    point++;
    curve.numHands.push(hands);
    curve.chips.push(won);
    curve.halfWidth.push(whole ? whole * Math.sqrt(seen / squares) : 0);
  }
  return curve;
}

/**
 * Return the rows of each group that occurs, by its number.
 * @param {Int32Array} rows
 * @param {Numbers} group
 * @param {number} numGroups
 * @returns {[number, Int32Array][]}
 */
export function groupedRows(rows, group, numGroups) {
  const counts = new Int32Array(numGroups);
  for (const row of rows) counts[group[row]]++;
  const parts = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (const row of rows) {
    const number = group[row];
    parts[number][counts[number]++] = row;
  }
  return [...parts.entries()].filter(([, part]) => part.length);
}
