// The grids of a solved game: each is drawn when its decision is shown for the first time.
import { drawShown, strategyGrid } from "./hand_grid.js";

/** @import {StrategyData} from "./grid_types.js" */

/** @type {StrategyData[]} */
const strategies = JSON.parse(document.getElementById("data")?.textContent ?? "[]");
const grids = strategies.map(strategyGrid);

window.addEventListener("hashchange", () => drawShown(grids));
window.addEventListener("beforeprint", () => drawShown(grids, { all: true }));
drawShown(grids);
