// The grid of 13 x 13 classes of hands, on every page that has one: aces first, suited hands above
// the diagonal. A cell's numbers are shown by pointing at it, by a tap, and by the arrow keys.

/** @import {Cell, HandGrid, LegendItem, StrategyData} from "./grid_types.js" */

const RANKS = [..."AKQJT98765432"];
const SIZE = RANKS.length;
const DEFAULT_NOTE = "Point at a hand, tap it, or use the arrow keys.";

/**
 * Return the name of the class in a row and a column.
 * @param {number} row
 * @param {number} column
 */
function className(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high + low + (row < column ? "s" : row > column ? "o" : "");
}

/**
 * Return a probability as text.
 * @param {number} probability
 */
export function percent(probability) {
  const value = 100 * probability;
  if (value <= 0) return "0 %";
  if (value < 0.05) return "under 0.1 %";
  return `${value.toFixed(value < 9.95 || (value > 99 && value < 100) ? 1 : 0)} %`;
}

/**
 * Return a reach as text: small ones, which late streets are full of, keep two digits.
 * @param {number} reach
 */
export const reachText = (reach) =>
  reach > 0 && reach < 0.0005 ? `${Number((100 * reach).toPrecision(2))} %` : percent(reach);

/**
 * Return an element of the classes *style* with its children.
 * @param {string} tag
 * @param {string} style
 * @param {(Node | string)[]} children
 */
export function element(tag, style, ...children) {
  const made = document.createElement(tag);
  if (style) made.className = style;
  made.append(...children);
  return made;
}

/**
 * Return a text behind a sample of its fill.
 * @param {string} tag
 * @param {LegendItem} item
 */
export function fillItem(tag, { fill, text, isTaken = false }) {
  return element(
    tag,
    isTaken ? "fill-item taken" : "fill-item",
    element("i", `fill-${fill}`),
    isTaken ? `${text} (taken)` : text,
  );
}

/**
 * Return fills side by side, as wide as their shares.
 * @param {[fill: string, share: number, ...rest: unknown[]][]} parts
 */
export function fillBars(parts) {
  return parts
    .filter(([, share]) => share > 0)
    .map(([fill, share]) => {
      const bar = element("i", `fill-${fill}`);
      bar.style.width = `${100 * share}%`;
      return bar;
    });
}

/**
 * Return the grid of a strategy: colours side by side are actions, and heights are relative to the
 * hand that is most in the range, so that late streets can be read.
 * @param {StrategyData} data
 * @returns {HandGrid}
 */
export function strategyGrid(data) {
  const { label, actions, frequencies, rows, facts, small, own, taken = -1 } = data;
  const entries = Object.entries(rows);
  const [fullest, [most]] = entries.reduce(
    (best, entry) => (entry[1][0] > best[1][0] ? entry : best),
    entries[0] ?? ["", [0]],
  );
  const cells = entries.map(([name, [reach, ...probabilities]]) => {
    /** @type {Cell} */
    const cell = {
      parts: actions.map(({ text, fill }, place) => [
        fill,
        probabilities[place],
        `${text} ${percent(probabilities[place])}`,
      ]),
      height: most > 0 ? reach / most : 0,
      facts: facts?.[name] ?? `${reachText(reach)} in the range`,
      small: small?.[name] ?? "",
    };
    return [name, cell];
  });
  const legend = (frequencies ?? []).map((frequency, place) => ({
    fill: actions[place].fill,
    text: `${actions[place].text} ${percent(frequency)}`,
    isTaken: place === taken,
  }));
  const share = facts ? "" : `, with ${reachText(most)}`;
  return {
    label,
    title: "all hands:",
    legend,
    cells: Object.fromEntries(cells),
    note: `Heights are relative to the hand most in the range: ${fullest}${share}.`,
    absent: "not in the range",
    ...(own === undefined ? {} : { own }),
  };
}

/**
 * Return the text of a cell, as screen readers say it.
 * @param {string} name
 * @param {Cell | undefined} cell
 * @param {HandGrid} grid
 */
function cellText(name, cell, { absent, own }) {
  const title = name === own ? `${name}, held` : name;
  if (!cell) return `${title}: ${absent}`;
  const texts = cell.parts.map(([, , text]) => text).filter((text) => text);
  return `${title}: ${[cell.facts, ...texts].filter((text) => text).join(", ")}`;
}

/**
 * @param {string} name
 * @param {Cell | undefined} cell
 * @param {HandGrid} grid
 */
function drawCell(name, cell, grid) {
  const drawn = element(cell?.link ? "a" : "div", name === grid.own ? "cell own" : "cell");
  drawn.dataset["hand"] = name;
  if (cell?.link) drawn.setAttribute("href", cell.link);
  else drawn.setAttribute("role", "gridcell");
  drawn.setAttribute("aria-label", cellText(name, cell, grid));
  if (grid.isEditable) drawn.setAttribute("aria-selected", String(cell !== undefined));
  drawn.tabIndex = -1;
  if (cell && cell.height > 0) {
    const bars = element("div", "bars", ...fillBars(cell.parts));
    bars.style.height = `${100 * cell.height}%`;
    drawn.append(bars);
  }
  drawn.append(element("b", "", name));
  // The style shows the second line, which the name of the cell has among its facts already.
  if (cell?.small) drawn.dataset["small"] = cell.small;
  return drawn;
}

/**
 * Draw a cell of a grid again, whose data have changed; it keeps the focus.
 * @param {HTMLElement} drawn
 * @param {HandGrid} grid
 */
export function redrawCell(drawn, grid) {
  const name = drawn.dataset["hand"] ?? "";
  const made = drawCell(name, grid.cells[name], grid);
  drawn.replaceChildren(...made.childNodes);
  for (const attribute of ["aria-label", "aria-selected"]) {
    const value = made.getAttribute(attribute);
    if (value !== null) drawn.setAttribute(attribute, value);
  }
}

/**
 * Return the cell of the grid that holds a link, or the cell itself.
 * @param {HTMLElement} drawn
 */
function gridCell(drawn) {
  if (drawn.tagName !== "A") return drawn;
  const holder = element("div", "holder", drawn);
  holder.setAttribute("role", "gridcell");
  return holder;
}

/**
 * @param {string} name
 * @param {HandGrid} grid
 */
function lookItems(name, { cells, absent, own }) {
  const cell = cells[name];
  const title = element("strong", "", name === own ? `${name} (held)` : name);
  if (!cell) return [title, element("span", "", absent)];
  const texts = cell.parts.filter(([, , text]) => text);
  return [
    title,
    ...(cell.facts ? [element("span", "", cell.facts)] : []),
    ...texts.map(([fill, , text]) => fillItem("span", { fill, text })),
  ];
}

/** @type {Record<string, (row: number, column: number) => [number, number]>} */
const KEYS = {
  ArrowUp: (row, column) => [row - 1, column],
  ArrowDown: (row, column) => [row + 1, column],
  ArrowLeft: (row, column) => [row, column - 1],
  ArrowRight: (row, column) => [row, column + 1],
  Home: (row) => [row, 0],
  End: (row) => [row, SIZE - 1],
  PageUp: (_row, column) => [0, column],
  PageDown: (_row, column) => [SIZE - 1, column],
};

/**
 * Draw a grid with its legend and the numbers of the cell that is pointed at or chosen; *onChosen*
 * hears of the class that is chosen by a click, a tap or the keys.
 * @param {HandGrid} grid
 * @param {(name: string) => void} onChosen
 */
export function drawHandGrid(grid, onChosen = () => {}) {
  const cells = RANKS.map((_, row) =>
    RANKS.map((__, column) => {
      const name = className(row, column);
      return drawCell(name, grid.cells[name], grid);
    }),
  );
  const lines = cells.map((line) => {
    const drawn = element("div", "row", ...line.map(gridCell));
    drawn.setAttribute("role", "row");
    return drawn;
  });
  const rows = element("div", "rows", ...lines);
  rows.setAttribute("role", "grid");
  rows.setAttribute("aria-label", grid.label);
  if (grid.isEditable) rows.setAttribute("aria-multiselectable", "true");
  const look = element("p", "look", element("span", "note", DEFAULT_NOTE));
  rows.addEventListener("focusin", ({ target }) => {
    const cell = target instanceof Element ? target.closest("[data-hand]") : null;
    if (cell instanceof HTMLElement) onChosen(cell.dataset["hand"] ?? "");
  });
  listen(rows, cells, (name) => look.replaceChildren(...lookItems(name, grid)), grid.own);
  const legend = element("ul", "legend", ...grid.legend.map((item) => fillItem("li", item)));
  if (grid.title) legend.prepend(element("li", "note", grid.title));
  legend.setAttribute("aria-label", "Legend");
  const parts = [rows, look, element("p", "note", grid.note)];
  const style = grid.isEditable ? "hand-grid editable" : "hand-grid";
  return element("div", style, ...(grid.legend.length ? [legend] : []), ...parts);
}

/**
 * @param {HTMLElement} rows
 * @param {HTMLElement[][]} cells
 * @param {(name: string) => void} tell
 * @param {string | undefined} own
 */
function listen(rows, cells, tell, own) {
  const flat = cells.flat();
  let chosen = flat.find((cell) => cell.dataset["hand"] === own) ?? flat[0];
  let isChosen = own !== undefined;
  chosen.tabIndex = 0;
  /** @param {Event} event */
  const cellOf = ({ target }) =>
    /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(".cell") : null);
  /** @param {HTMLElement} cell */
  const show = (cell) => tell(cell.dataset["hand"] ?? "");
  rows.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    chosen.tabIndex = -1;
    cell.tabIndex = 0;
    chosen = cell;
    isChosen = true;
    show(cell);
  });
  rows.addEventListener("click", (event) => cellOf(event)?.focus());
  rows.addEventListener("pointerover", (event) => {
    const cell = cellOf(event);
    if (cell) show(cell);
  });
  rows.addEventListener("pointerleave", () => {
    if (isChosen) show(chosen);
  });
  rows.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // On a cell these keys choose, and it is chosen already; elsewhere they deal the next hand.
    // Enter follows the link of a cell that is one.
    if (key === " " || key === "Enter") event.stopPropagation();
    if (!(key in KEYS)) return;
    const place = flat.indexOf(chosen);
    const [row, column] = KEYS[key](Math.floor(place / SIZE), place % SIZE);
    cells[row]?.[column]?.focus();
    // The keys are the grid's while it has the focus, not those of a replayer on the same page.
    event.stopPropagation();
    event.preventDefault();
  });
  if (isChosen) show(chosen);
}
