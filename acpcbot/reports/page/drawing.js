// Plots of a report: means on their intervals, and curves of winnings. They look as those that
// reports/plots.py makes.
import { element } from "./hand_grid.js";
import { chipsText, meanText } from "./texts.js";

/** @import {Curve, Winnings} from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";
const [PLOT_WIDTH, PLOT_HEIGHT] = [640, 230];
const [LEFT, RIGHT, TOP, BOTTOM] = [80, 12, 10, 32];
const LONG_LEVEL = 10_000;
const [RANGE_WIDTH, RANGE_HEIGHT] = [160, 16];

/** @typedef {(value: number) => number} Scale */

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} words
 * @param {string} style
 * @param {number} width
 * @param {number} height
 * @param {Node[]} children
 */
function plot(words, style, width, height, ...children) {
  const box = { class: style, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words };
  return shape("svg", box, shape("title", {}, words), ...children);
}

/**
 * Return the linear map of numbers from *low* to *high* to coordinates.
 * @param {number} low
 * @param {number} high
 * @param {number} start
 * @param {number} end
 * @returns {Scale}
 */
function scaled(low, high, start, end) {
  const factor = (end - start) / (high - low || 1);
  return (value) => start + (value - low) * factor;
}

/**
 * Return about *wanted* round numbers between *low* and *high*.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted
 */
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((one) => unit * one >= rough * 0.99) ?? 10);
  const found = [];
  for (let place = Math.ceil(low / step); place <= Math.floor(high / step); place++) {
    found.push(place * step || 0);
  }
  return found;
}

/** @param {number} width */
const finite = (width) => (Number.isFinite(width) ? width : 0);

/**
 * Return a scale that shows the intervals of all rows, and zero.
 * @param {Winnings[]} rows
 */
export function rangeScale(rows) {
  const ends = rows.flatMap(({ mean, halfWidth }) => [
    mean - finite(halfWidth),
    mean + finite(halfWidth),
  ]);
  return scaled(Math.min(0, ...ends), Math.max(0, ...ends), 4, RANGE_WIDTH - 4);
}

/**
 * Return a mean as a dot on its interval, beside a line at zero; nothing without a hand.
 * @param {Winnings} row
 * @param {Scale} scale
 */
export function rangePlot(row, scale) {
  if (!row.numHands) return "";
  const { mean, halfWidth } = row;
  const kind = Math.abs(mean) <= halfWidth ? "even" : mean > 0 ? "win" : "loss";
  const [zero, middle, half] = [scale(0), RANGE_HEIGHT / 2, finite(halfWidth)];
  const [x1, x2] = [scale(mean - half), scale(mean + half)];
  return plot(
    `${meanText(row)} mbb a hand`,
    "range",
    RANGE_WIDTH,
    RANGE_HEIGHT,
    shape("line", { class: "axis", x1: zero, x2: zero, y1: 0, y2: RANGE_HEIGHT }),
    shape("line", { class: `whisker ${kind}`, x1, x2, y1: middle, y2: middle }),
    shape("circle", { class: kind, cx: scale(mean), cy: middle, r: 3.5 }),
  );
}

/**
 * Return curves in big blinds over hands, the first with its band.
 * @param {{ style: string, curve: Curve }[]} lines
 * @param {number} unitChips
 * @param {string} name
 */
export function curvePlot(lines, unitChips, name) {
  const [first] = lines;
  const edges = [-1, 1].map((sign) =>
    first.curve.chips.map((won, at) => (won + sign * first.curve.halfWidth[at]) / unitChips),
  );
  const values = [...edges.flat(), ...lines.flatMap(({ curve }) => curve.chips.map(toUnits))];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const numHands = Math.max(...lines.map(({ curve }) => curve.numHands.at(-1) ?? 0));
  const across = scaled(0, numHands, LEFT, PLOT_WIDTH - RIGHT);
  const up = scaled(low, high, PLOT_HEIGHT - BOTTOM, TOP);
  /** @param {number} chips */
  function toUnits(chips) {
    return chips / unitChips;
  }
  /** @type {(numHands: number[], heights: number[]) => string[]} */
  const points = (hands, heights) =>
    hands.map((count, at) => `${across(count).toFixed(1)} ${up(heights[at]).toFixed(1)}`);
  const [lower, upper] = edges.map((edge) => points(first.curve.numHands, edge));
  const band = `M${[...lower, ...upper.reverse()].join("L")}Z`;
  const drawn = lines.map(({ style, curve }) =>
    shape("path", {
      class: `curve ${style}`,
      d: `M${points(curve.numHands, curve.chips.map(toUnits)).join("L")}`,
    }),
  );
  const won = chipsText(toUnits(first.curve.chips.at(-1) ?? 0));
  return plot(
    `Big blinds won by ${name} over ${numHands.toLocaleString("en-US")} hands: ${won}`,
    "plot",
    PLOT_WIDTH,
    PLOT_HEIGHT,
    ...axes(across, up, numHands, low, high),
    shape("path", { class: "band", d: band }),
    ...drawn.reverse(),
  );
}

/**
 * @param {Scale} across
 * @param {Scale} up
 * @param {number} numHands
 * @param {number} low
 * @param {number} high
 */
function axes(across, up, numHands, low, high) {
  const levels = ticks(low, high, 6).flatMap((value) => {
    const [y, style] = [up(value), value === 0 ? "axis" : "grid"];
    const text = levelText(value);
    return [
      shape("line", { class: style, x1: LEFT, x2: PLOT_WIDTH - RIGHT, y1: y, y2: y }),
      shape("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, text),
    ];
  });
  const counts = ticks(0, numHands, 4).map((value) => {
    const x = across(value);
    const anchor = x > PLOT_WIDTH - LEFT ? "end" : "middle";
    return shape(
      "text",
      { x, y: PLOT_HEIGHT - 10, "text-anchor": anchor },
      value.toLocaleString("en-US"),
    );
  });
  return [...levels, ...counts];
}

/**
 * Return a number beside an axis, where there is little room.
 * @param {number} value
 */
function levelText(value) {
  const isLong = Math.abs(value) >= LONG_LEVEL;
  const form = isLong ? { notation: /** @type {const} */ ("compact") } : {};
  return value.toLocaleString("en-US", { ...form, maximumSignificantDigits: 4 });
}

/**
 * Return the row of a table: the first cell is its heading.
 * @param {(Node | string)[][]} cells
 * @param {string[]} styles
 */
export function tableRow([heading, ...cells], styles) {
  const head = element("th", "", ...heading);
  head.setAttribute("scope", "row");
  return element("tr", "", head, ...cells.map((cell, at) => element("td", styles[at], ...cell)));
}

/**
 * @param {string} href
 * @param {string} text
 * @param {string} label
 */
export function link(href, text, label = "") {
  const made = element("a", "", text);
  made.setAttribute("href", href);
  if (label) made.setAttribute("aria-label", label);
  return made;
}
