// A range of one seat: as text, and as the grid of classes of hands, painted by mouse, finger or key.

import { button, make } from "./dom.js";
import { drawHandGrid, percent, redrawCell } from "./hand_grid.js";
import { CLASSES } from "./solver_data.js";
import { ask, messageOf } from "./solver_requests.js";

/** @import {HandGrid} from "./grid_types.js" */
/** @import {RangeClasses} from "./solver_types.js" */

const TYPING_MS = 300;
const EVERYTHING = "all";
const NUM_COMBOS = 1326;

/**
 * Return the number of combos of a class.
 * @param {string} name
 */
const numCombos = (name) => (name.length === 2 ? 6 : name.endsWith("s") ? 4 : 12);

/** The range of a seat in its *place*; *onChange* hears of every change. */
export class RangePainter {
  /**
   * @param {HTMLElement} place
   * @param {string} name
   * @param {() => void} onChange
   */
  constructor(place, name, onChange) {
    /** @type {Map<string, [weight: number, text: string]>} */
    this.classes = new Map();
    this.onChange = onChange;
    this.question = 0;
    /** What the stroke paints, null between strokes. @type {number | null} */
    this.stroke = null;
    this.input = make("textarea", "range-text");
    this.input.id = `${place.id}-text`;
    this.input.rows = 2;
    this.input.spellcheck = false;
    this.input.maxLength = 16384;
    this.input.setAttribute("autocapitalize", "off");
    this.input.addEventListener("input", () => this.readLater());
    const label = make("label", "field", "Hands, as in TT+,A5s-A2s,76s:0.5,AsKd", this.input);
    this.count = make("p", "note");
    this.fault = make("p", "fault");
    this.fault.setAttribute("role", "alert");
    this.fault.hidden = true;
    /** @type {HandGrid} */
    this.grid = {
      label: `${name}: range to paint`,
      legend: [],
      cells: {},
      note: "Drag or tap to paint; with the keyboard by arrow keys and space.",
      absent: "not in the range",
      isEditable: true,
    };
    const drawn = drawHandGrid(this.grid);
    const rows = drawn.querySelector(".rows");
    if (!(rows instanceof HTMLElement)) throw new Error("a grid without rows");
    this.rows = rows;
    this.listen();
    place.append(label, this.fault, this.tools(place.id), drawn, this.count);
    this.setText(EVERYTHING);
  }

  get text() {
    return this.input.value.trim();
  }

  /** @param {string} text */
  setText(text) {
    this.input.value = text;
    this.read();
  }

  /** @param {string} id */
  tools(id) {
    this.brush = make("input");
    this.brush.id = `${id}-weight`;
    this.brush.type = "range";
    this.brush.min = "5";
    this.brush.max = "100";
    this.brush.step = "5";
    this.brush.value = "100";
    const shown = make("output", "", "100 %");
    this.brush.addEventListener("input", () => {
      shown.textContent = `${this.brush?.value} %`;
    });
    return make(
      "div",
      "range-tools",
      make("label", "brush", "Weight to paint ", this.brush, shown),
      button("All", () => this.setAll(EVERYTHING)),
      button("None", () => this.setAll("")),
    );
  }

  get brushWeight() {
    return Number(this.brush?.value ?? 100) / 100;
  }

  /** @param {string} text */
  setAll(text) {
    this.setText(text);
    this.onChange();
  }

  readLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.read();
      this.onChange();
    }, TYPING_MS);
  }

  /** Let the server read the text, and show what it says; only the last answer counts. */
  async read() {
    this.question += 1;
    const number = this.question;
    if (!this.text || this.text === EVERYTHING) {
      const all = CLASSES.map((name) => /** @type {const} */ ([name, [1, name]]));
      this.show(
        this.text
          ? Object.fromEntries(all.map(([name, [weight, text]]) => [name, [weight, text]]))
          : {},
      );
      return;
    }
    try {
      /** @type {RangeClasses} */
      const found = JSON.parse(await ask("range", { text: this.text }));
      if (number === this.question) this.show(found.classes);
    } catch (error) {
      if (number !== this.question) return;
      this.fault.textContent = messageOf(error);
      this.fault.hidden = false;
      this.input.setAttribute("aria-invalid", "true");
    }
  }

  /** @param {Record<string, [weight: number, text: string]>} classes */
  show(classes) {
    this.fault.hidden = true;
    this.input.removeAttribute("aria-invalid");
    this.classes = new Map(Object.entries(classes));
    for (const cell of this.cells()) this.drawCell(cell);
    this.showCount();
  }

  showCount() {
    let total = 0;
    for (const [name, [weight]] of this.classes) total += weight * numCombos(name);
    const said = total.toLocaleString("en-US", { maximumFractionDigits: 1 });
    this.count.textContent = `${said} of ${NUM_COMBOS.toLocaleString("en-US")} combos, ${percent(total / NUM_COMBOS)}`;
  }

  /** @returns {Iterable<HTMLElement>} */
  cells() {
    return this.rows.querySelectorAll(".cell");
  }

  /** @param {HTMLElement} cell */
  drawCell(cell) {
    const name = cell.dataset["hand"] ?? "";
    const found = this.classes.get(name);
    if (found === undefined) delete this.grid.cells[name];
    else {
      const [weight, text] = found;
      const isWhole = text.split(",").length === 1;
      this.grid.cells[name] = {
        parts: [["call", 1, ""]],
        height: weight,
        facts: isWhole ? `weight ${percent(weight)}` : `${percent(weight)} of it: ${text}`,
      };
    }
    redrawCell(cell, this.grid);
  }

  // Painting

  listen() {
    this.rows.addEventListener("pointerdown", (event) => {
      const cell = this.cellAt(event);
      if (!cell || event.button) return;
      // A finger's pointer is captured by the cell that it began in: the others would not hear it.
      if (cell.hasPointerCapture(event.pointerId)) cell.releasePointerCapture(event.pointerId);
      this.stroke = this.toggled(cell);
      this.paint(cell);
    });
    this.rows.addEventListener("pointermove", (event) => {
      if (this.stroke === null || !event.buttons) return;
      const cell = this.cellAt(event);
      if (cell) this.paint(cell);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      window.addEventListener(kind, () => this.endStroke());
    }
    this.rows.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      const cell = event.target instanceof Element && event.target.closest(".cell");
      if (!(cell instanceof HTMLElement)) return;
      event.preventDefault();
      this.stroke = this.toggled(cell);
      this.paint(cell);
      this.endStroke();
    });
  }

  /** @param {PointerEvent} event */
  cellAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    return found instanceof HTMLElement && this.rows.contains(found) ? found : null;
  }

  /**
   * Return what a stroke that begins here paints: nothing where it is painted so already.
   * @param {HTMLElement} cell
   */
  toggled(cell) {
    const weight = this.classes.get(cell.dataset["hand"] ?? "")?.[0] ?? 0;
    return weight === this.brushWeight ? 0 : this.brushWeight;
  }

  /** @param {HTMLElement} cell */
  paint(cell) {
    const name = cell.dataset["hand"] ?? "";
    if (this.stroke === null || (this.classes.get(name)?.[0] ?? 0) === this.stroke) return;
    if (this.stroke) {
      this.classes.set(name, [this.stroke, this.stroke === 1 ? name : `${name}:${this.stroke}`]);
    } else this.classes.delete(name);
    this.drawCell(cell);
    // The line below the grid tells of the cell that is pointed at, which has changed.
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  }

  endStroke() {
    if (this.stroke === null) return;
    this.stroke = null;
    this.question += 1;
    const texts = CLASSES.flatMap((name) => this.classes.get(name)?.[1] ?? []);
    const isAll =
      texts.length === CLASSES.length && texts.every((text, place) => text === CLASSES[place]);
    this.input.value = isAll ? EVERYTHING : texts.join(",");
    this.fault.hidden = true;
    this.input.removeAttribute("aria-invalid");
    this.showCount();
    this.onChange();
  }
}
