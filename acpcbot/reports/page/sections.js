// The section of one player: curves, statistics and winnings by group, over the rows that are left.
import { curvePlot, link, rangePlot, rangeScale, tableRow } from "./drawing.js";
import { groupedRows, measureTotals } from "./estimates.js";
import { drawHandGrid, element } from "./hand_grid.js";
import { chipsText, countText, fixed, handsText, meanText, rateText } from "./texts.js";

/** @import {Behind, Report, View, Winnings} from "./types.js" */
/** @import {Cell, HandGrid, LegendItem} from "./grid_types.js" */
/** @typedef {ReturnType<typeof import("./estimates.js").makeEstimator>} Estimator */

const NUM_LEVELS = 4;
const NUM_OWN_STYLES = 4;
const THOUSAND = 1000;

/**
 * @typedef {object} SectionParts
 * @property {Report} report
 * @property {Estimator} estimator
 * @property {View} view
 * @property {Int32Array} rows
 * @property {(behind: Behind) => string} linkTo The address of the hands behind a number.
 * @property {(player: number) => Int32Array} rowsOf The rows of another player, filtered alike.
 * @property {(player: number) => void} toggleCurve Draw another player's curve, or do not.
 */

/**
 * Fill the section of the chosen player.
 * @param {HTMLElement} section
 * @param {SectionParts} parts
 */
export function drawSection(section, parts) {
  const { report, estimator, rows } = parts;
  const results = report.results.map(({ values }) => estimator.winnings(rows, values));
  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector));
  find("h2").textContent = report.data.players[parts.view.player];
  find(".won-over").textContent = rows.length
    ? `${meanText(results[0])} mbb/hand over ${handsText(rows.length)}`
    : "No hand is left by these filters.";
  find(".blocks").hidden = rows.length === 0;
  drawCurves(find(".curves figure"), parts);
  find(".rates tbody").replaceChildren(...rateRows(parts));
  const places = section.querySelectorAll(".group");
  for (const [place, block] of places.entries()) drawGroup(block, place, parts);
}

/**
 * @param {HTMLElement} figure
 * @param {SectionParts} parts
 */
function drawCurves(figure, parts) {
  const { report, estimator, rows, view, rowsOf } = parts;
  const { players, unitChips, order } = report.data;
  const own = report.results.map(({ name, values }, place) => ({
    style: `curve${place % NUM_OWN_STYLES}`,
    curve: estimator.curve(rows, values),
    name,
  }));
  const others = order.filter((player) => player !== view.player);
  const drawn = others.flatMap((player, place) =>
    view.curves.includes(player)
      ? [
          {
            style: `other${place}`,
            curve: estimator.curve(rowsOf(player), report.results[0].values),
          },
        ]
      : [],
  );
  const band = element("span", "", element("span", "key band"), " 95 % interval of chips");
  const keys = own.map(({ style, name }) =>
    element("span", "", element("span", `key ${style}`), ` ${name} `),
  );
  const caption = element("figcaption", "", ...keys, band);
  const boxes = others.map((player, place) => curveBox(player, `other${place}`, parts));
  if (boxes.length) caption.append(element("span", "compared", "compare: ", ...boxes));
  figure.replaceChildren(curvePlot([...own, ...drawn], unitChips, players[view.player]), caption);
}

/**
 * @param {number} player
 * @param {string} style
 * @param {SectionParts} parts
 */
function curveBox(player, style, { report, view, toggleCurve }) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = view.curves.includes(player);
  box.dataset["player"] = String(player);
  box.addEventListener("change", () => toggleCurve(player));
  const name = report.data.players[player];
  return element("label", "check", box, element("span", `key ${style}`), ` ${name}`);
}

/** @param {SectionParts} parts */
function rateRows({ report, rows, linkTo }) {
  const totals = measureTotals(report, rows);
  return report.data.statistics.map(({ name, meaning, count, chances, is_factor }, place) => {
    const [done, of] = [totals[count], totals[chances]];
    /** @type {(part: "count" | "chances", value: number) => Node | string} */
    const linked = (part, value) =>
      value
        ? link(
            linkTo({ kind: "statistic", place, part }),
            countText(value),
            `${name}: ${countText(value)} ${part === "count" ? "counted" : "opportunities"}, show hands`,
          )
        : "0";
    const counts = of ? [linked("count", done), "/", linked("chances", of)] : ["–"];
    const made = tableRow(
      [[name], [rateText(done, of, is_factor)], counts, [meaning]],
      ["number", "number", "meaning"],
    );
    made.title = meaning;
    return made;
  });
}

/**
 * @param {Element} block
 * @param {number} place
 * @param {SectionParts} parts
 */
function drawGroup(block, place, parts) {
  const { report, estimator, rows, linkTo } = parts;
  const { labels } = report.data.groupings[place];
  const groups = groupedRows(rows, report.columns[`group${place}`], labels.length);
  if (place === report.data.chart) {
    const cells = groups.map(([label, part]) => ({
      name: labels[label],
      found: estimator.winnings(part, report.results[0].values),
      href: linkTo({ kind: "group", place, label }),
    }));
    block.querySelector("figure")?.replaceChildren(drawHandGrid(winningsGrid(cells)));
    return;
  }
  const found = groups.map(([label, part]) => ({
    label,
    columns: report.results.map(({ values }) => estimator.winnings(part, values)),
  }));
  const scale = rangeScale(found.map(({ columns }) => columns[columns.length - 1]));
  const lines = found.map(({ label, columns }) =>
    tableRow(
      [
        [link(linkTo({ kind: "group", place, label }), labels[label])],
        [countText(columns[0].numHands)],
        [chipsText(columns[0].chips)],
        ...columns.map((one) => [meanText(one)]),
        [rangePlot(columns[columns.length - 1], scale)],
      ],
      ["number", "number chips", ...columns.map(() => "number"), "drawn"],
    ),
  );
  block.querySelector("tbody")?.replaceChildren(...lines);
}

/**
 * Return winnings by starting hand as a grid: darker where more was at stake. The fills have four
 * levels a side, up to the level that nine classes of ten stay below.
 * @param {{ name: string, found: Winnings, href: string }[]} classes
 * @returns {HandGrid}
 */
function winningsGrid(classes) {
  const means = classes.map(({ found }) => Math.abs(found.mean)).sort((one, other) => one - other);
  const strongest = means[Math.floor((9 * means.length) / 10)] || 1;
  const cells = classes.map(({ name, found, href }) => {
    const inBlinds = found.mean / THOUSAND;
    /** @type {Cell} */
    const cell = {
      parts: [[level(found.mean, strongest), 1, ""]],
      height: 1,
      facts: `${handsText(found.numHands)}, ${meanText(found)} mbb/hand`,
      small: `${inBlinds < 0 || Object.is(inBlinds, -0) ? "" : "+"}${fixed(inBlinds, 1)}`,
      link: href,
    };
    return [name, cell];
  });
  return {
    label: "Winnings by starting hand",
    legend: levels(strongest / THOUSAND),
    cells: Object.fromEntries(cells),
    note: "Big blinds won in a hand; suited hands stand above the diagonal. A cell leads to its hands.",
    absent: "not dealt",
  };
}

/**
 * @param {number} mean
 * @param {number} strongest
 */
function level(mean, strongest) {
  if (mean === 0) return "none";
  const raw = Math.ceil((NUM_LEVELS * Math.abs(mean)) / strongest);
  return `${mean > 0 ? "win" : "loss"}${Math.min(NUM_LEVELS, Math.max(1, raw)) - 1}`;
}

/**
 * Return the legend of winnings in big blinds: from the largest losses to the largest wins.
 * @param {number} strongest
 * @returns {LegendItem[]}
 */
function levels(strongest) {
  const digits = strongest >= 2 ? 1 : 2;
  const numbers = Array.from({ length: NUM_LEVELS }, (_, number) => number);
  const texts = numbers.map((number) => `over ${fixed((strongest * number) / NUM_LEVELS, digits)}`);
  const losses = numbers.map((n) => ({ fill: `loss${n}`, text: `lost ${texts[n]}` }));
  const wins = numbers.map((n) => ({ fill: `win${n}`, text: `won ${texts[n]}` }));
  return [...losses.reverse(), ...wins];
}
