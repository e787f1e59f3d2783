// The decisions of a solved game: each is drawn when it is shown, and all of them for a printer.
import { drawStudy } from "./study_view.js";

/** @import {StudyData} from "./study_types.js" */

/** @type {StudyData[]} */
const studies = JSON.parse(document.getElementById("data")?.textContent ?? "[]");

/** Draw the studies whose places are shown, or all of them. */
function drawShown({ all = false } = {}) {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("figure[data-study]");
  for (const place of places) {
    // Drawn anew, for a reader has chosen another view or hand since.
    const isShown = all || place.getClientRects().length > 0;
    place.replaceChildren(...(isShown ? [drawStudy(studies[Number(place.dataset["study"])])] : []));
  }
}

window.addEventListener("hashchange", () => drawShown());
window.addEventListener("beforeprint", () => drawShown({ all: true }));
window.addEventListener("afterprint", () => drawShown());
drawShown();
