// The page of the solver: the job that runs, and the solutions that are looked at.

import { make, signed } from "./dom.js";
import { drawComparison } from "./solver_compare.js";
import { findDecision, findStreet } from "./solver_data.js";
import { fillForm, measure, setBusy, spot } from "./solver_form.js";
import { showProgress } from "./solver_progress.js";
import { ask, messageOf, part } from "./solver_requests.js";
import { readDecision, solutionOf } from "./solver_solutions.js";
import { drawDecision } from "./solver_view.js";

/** @import {StudyView} from "./study_types.js" */
/** @import {Job, Solution} from "./solver_types.js" */

const POLL_MS = 300;
const PATIENCE_MS = 400;

/** @type {Solution[]} */
const solutions = [];
/** @type {Solution | undefined} */
let shown;
/** @type {Solution | undefined} */
let compared;
/** The way to the decision that is shown. @type {string[]} */
let shownWords = [];
/** The last decision that was asked for: an answer that another one has overtaken is not shown. */
let lastShow = 0;
let watched = 0;

part("spot").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    /** @type {Job} */
    const job = JSON.parse(await ask("solve", spot()));
    watched = job.job;
    part("size").textContent = "";
    await refresh();
    part("progress").scrollIntoView({ block: "nearest" });
  });
});

part("stop").addEventListener("click", () => attempt(() => ask("stop", { job: watched })));

// Jobs

/** Ask how far the jobs are, until none runs. */
async function refresh() {
  /** @type {{ jobs: Job[] }} */
  const { jobs } = JSON.parse(await ask("jobs"));
  const [newest] = jobs;
  const isBusy = newest?.phase === "building" || newest?.phase === "solving";
  setBusy(isBusy);
  if (newest) {
    fillForm(newest.spot);
    watched = newest.job;
    showProgress(newest);
  }
  for (const job of [...jobs].reverse()) await addJob(job, job === newest);
  if (isBusy) setTimeout(() => attempt(refresh), POLL_MS);
}

/**
 * Read the first street of a job that is over, once.
 * @param {Job} job
 * @param {boolean} isNewest
 */
async function addJob(job, isNewest) {
  if (!job.isKept || solutions.some((one) => one.job === job.job)) return;
  const text = await ask("street", { job: job.job, words: [] });
  const name = `${job.job}: ${job.label.replace("hold'em, ", "")}`;
  await add(solutionOf(name, job.job, text), isNewest);
}

/**
 * @param {Solution} solution
 * @param {boolean} isShown
 */
async function add(solution, isShown) {
  solutions.push(solution);
  if (isShown || !shown) {
    await show(solution, solution.streets[0].data.decisions[0].after);
    part("setup").removeAttribute("open");
  } else drawChoices();
}

// Solutions

part("shown").addEventListener("change", () => {
  const chosen = solutions[Number(part("shown").value)];
  const isThere = findDecision(chosen, shownWords) !== undefined;
  const words = isThere ? shownWords : chosen.streets[0].data.decisions[0].after;
  attempt(() => show(chosen, words));
});
part("compared").addEventListener("change", () => {
  compared = solutions[Number(part("compared").value)];
  attempt(async () => {
    if (shown) await show(shown, shownWords);
  });
});
part("export").addEventListener("click", () => {
  const street = shown && findStreet(shown, shownWords);
  if (!street) return;
  const address = URL.createObjectURL(new Blob([street.text], { type: "application/json" }));
  const link = make("a");
  link.href = address;
  link.download = `${fileName(street.data.game, shownWords)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});
part("load").addEventListener("change", () => {
  const [file] = part("load").files ?? [];
  if (!file) return;
  attempt(async () => {
    const text = await file.text();
    const solution = solutionOf(file.name, null, text);
    solution.name = `${file.name}: ${solution.streets[0].data.game}`;
    await add(solution, true);
    part("load").value = "";
  });
});

/**
 * @param {string} game
 * @param {string[]} words
 */
const fileName = (game, words) =>
  [game, ...words]
    .join(" ")
    .replace(/[^\w]+/g, "-")
    .slice(0, 80)
    .toLowerCase();

/**
 * Read a decision and draw it; what the solution that it is compared with lacks is said beside it.
 * @param {Solution} solution
 * @param {string[]} words
 */
async function show(solution, words) {
  lastShow += 1;
  const number = lastShow;
  const waiting = setTimeout(() => {
    part("reading").textContent = "Reading the decision …";
  }, PATIENCE_MS);
  try {
    await readDecision(solution, words);
    if (compared) await readDecision(compared, words).catch(() => {});
  } finally {
    clearTimeout(waiting);
    part("reading").textContent = "";
  }
  if (number !== lastShow) return;
  [shown, shownWords] = [solution, words];
  draw();
}

/** @param {string[]} words */
function go(words) {
  attempt(async () => {
    if (!shown) return;
    if (!findDecision(shown, words) && shown.job === null) {
      throw new Error("this file holds one street; solve the spot here to go on to the next card");
    }
    await show(shown, words);
    focusDecision();
  });
}

/** The button that was clicked is gone: the focus goes to where its decision is. */
function focusDecision() {
  const heading = part("decision").querySelector("h3");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function draw() {
  if (!shown) return;
  part("solution").hidden = false;
  drawChoices();
  const { data } = findStreet(shown, shownWords) ?? shown.streets[0];
  const [first, second] = data.values_chips.map((won) => signed(won));
  const found = `exploitable for ${data.exploitability_percent.toPrecision(2)} % of the pot`;
  const effort = `${data.num_iterations.toLocaleString("en-US")} iterations, ${found}`;
  part("summary").textContent = `${effort}. Seat 1 wins ${first} chips, seat 2 ${second}.`;
  part("decision").replaceChildren(...drawDecision(shown, shownWords, go, compare));
}

/** Offer the solutions, to be shown and to be compared with the one that is. */
function drawChoices() {
  const options = solutions.map(({ name }, place) =>
    option(name, place, solutions[place] === shown),
  );
  part("shown").replaceChildren(...options);
  if (compared === shown) compared = undefined;
  const others = solutions.flatMap((one, place) =>
    one === shown ? [] : [option(one.name, place, one === compared)],
  );
  part("compared").replaceChildren(option("nothing", -1, !compared), ...others);
  part("compared").disabled = !others.length;
}

/**
 * Draw the comparison in the view that the study of the decision has.
 * @param {StudyView} view
 */
function compare(view) {
  const drawn = shown && compared ? drawComparison(shown, compared, shownWords, view) : [];
  part("comparison").replaceChildren(...drawn);
}

/**
 * @param {string} text
 * @param {number} place
 * @param {boolean} isChosen
 */
function option(text, place, isChosen) {
  const made = make("option", "", text);
  made.value = String(place);
  made.selected = isChosen;
  return made;
}

/**
 * Do something, and show where it fails.
 * @param {() => Promise<unknown>} what
 */
async function attempt(what) {
  const trouble = part("trouble");
  try {
    trouble.hidden = true;
    await what();
  } catch (error) {
    trouble.textContent = messageOf(error);
    trouble.hidden = false;
  }
}

attempt(async () => {
  await refresh();
  await measure();
});
