// The page of the solver: the spot, the job that runs, and the solutions that are looked at.

import { button, make, signed } from "./dom.js";
import { drawCardPicker, markCards } from "./solver_cards.js";
import { drawComparison } from "./solver_compare.js";
import { findDecision, findStreet, parseStreet } from "./solver_data.js";
import { showProgress, sizeText } from "./solver_progress.js";
import { RangePainter } from "./solver_range.js";
import { ask, messageOf, part } from "./solver_requests.js";
import { drawDecision } from "./solver_view.js";

/** @import {Look} from "./solver_view.js" */
/** @import {Job, Solution, Spot, SpotSize} from "./solver_types.js" */

const POLL_MS = 300;
const SIZE_MS = 600;
/** @type {[name: string, bets: string][]} */
const BET_PRESETS = [
  ["All-in only", "all-in"],
  ["75 %, all-in", "0.75,all-in;all-in"],
  ["50 %, pot, all-in", "0.5,1,all-in;1,all-in"],
  ["33 %, 75 %, 150 %", "0.33,0.75,1.5;1,all-in"],
];

/** @type {Solution[]} */
const solutions = [];
/** @type {Solution | undefined} */
let shown;
/** @type {Solution | undefined} */
let compared;
/** @type {Look} */
let look = { words: [], seat: -1, kind: "strategy", hands: "", action: "" };
let isFilled = false;
let isBusy = false;
let watched = 0;

// The spot

const painters = [
  new RangePainter(part("range1"), "Seat 1", measureLater),
  new RangePainter(part("range2"), "Seat 2", measureLater),
];
const boardPicker = drawCardPicker("Cards of the board", (card) => {
  const board = part("board");
  const chosen = boardCards();
  if (chosen.includes(card)) board.value = chosen.filter((one) => one !== card).join("");
  else if (chosen.length < 5) board.value = chosen.join("") + card;
  whenBoardChanges();
});
part("board-cards").append(boardPicker);
part("board").addEventListener("input", whenBoardChanges);
for (const [name, bets] of BET_PRESETS) {
  const made = button(name, () => {
    part("bets").value = bets;
    measureLater();
  });
  part("bet-presets").append(made);
}
for (const id of /** @type {const} */ (["pot", "stack", "bets", "target", "int16"])) {
  part(id).addEventListener("input", measureLater);
}

/** @returns {string[]} */
function boardCards() {
  return part("board").value.match(/[2-9TJQKA][cdhs]/g) ?? [];
}

function whenBoardChanges() {
  markCards(boardPicker, boardCards().join(""));
  measureLater();
}

/** Return what the form holds; numbers that are none are left to the server to refuse. */
function spot() {
  /** @type {(text: string) => number | string} */
  const numeric = (text) =>
    text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  return {
    board: part("board").value.trim(),
    pot: numeric(part("pot").value),
    stack: numeric(part("stack").value),
    range1: painters[0].text,
    range2: painters[1].text,
    bets: part("bets").value.trim(),
    target: numeric(part("target").value),
    seconds: numeric(part("seconds").value),
    int16: part("int16").checked,
  };
}

/** @param {Spot} found */
function fillForm(found) {
  isFilled = true;
  for (const id of /** @type {const} */ (["board", "pot", "stack", "bets", "target", "seconds"])) {
    part(id).value = String(found[id]);
  }
  part("int16").checked = found.int16;
  painters[0].setText(found.range1);
  painters[1].setText(found.range2);
  markCards(boardPicker, boardCards().join(""));
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let sizeTimer;
let sizeQuestion = 0;

function measureLater() {
  isFilled = true;
  clearTimeout(sizeTimer);
  sizeTimer = setTimeout(measure, SIZE_MS);
}

/** Say what the spot would take; only the answer to the last question counts. */
async function measure() {
  if (isBusy) return;
  sizeQuestion += 1;
  const question = sizeQuestion;
  const place = part("size");
  try {
    /** @type {SpotSize} */
    const size = JSON.parse(await ask("size", spot()));
    if (question !== sizeQuestion) return;
    place.textContent = sizeText(size);
    place.classList.remove("fault");
  } catch (error) {
    if (question !== sizeQuestion) return;
    place.textContent = messageOf(error);
    place.classList.add("fault");
  }
}

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
  isBusy = newest?.phase === "building" || newest?.phase === "solving";
  part("solve").disabled = isBusy;
  part("solve").textContent = isBusy ? "The solver is busy …" : "Solve";
  if (newest) {
    if (!isFilled) fillForm(newest.spot);
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
  add({ name, job: job.job, streets: [{ text, data: parseStreet(text) }] }, isNewest);
}

/**
 * @param {Solution} solution
 * @param {boolean} isShown
 */
function add(solution, isShown) {
  solutions.push(solution);
  if (isShown || !shown) {
    shown = solution;
    look = {
      ...look,
      words: solution.streets[0].data.decisions[0].after,
      seat: -1,
      hands: "",
      action: "",
    };
    part("setup").removeAttribute("open");
  }
  draw();
}

// Solutions

part("shown").addEventListener("change", () => {
  shown = solutions[Number(part("shown").value)];
  if (!findDecision(shown, look.words)) look.words = shown.streets[0].data.decisions[0].after;
  look = { ...look, hands: "", action: "" };
  draw();
});
part("compared").addEventListener("change", () => {
  compared = solutions[Number(part("compared").value)];
  attempt(async () => {
    // What it lacks there is said beside it.
    if (compared) await readStreet(compared, look.words).catch(() => {});
    draw();
  });
});
part("export").addEventListener("click", () => {
  const street = shown && findStreet(shown, look.words);
  if (!street) return;
  const address = URL.createObjectURL(new Blob([street.text], { type: "application/json" }));
  const link = make("a");
  link.href = address;
  link.download = `${fileName(street.data.game, look.words)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});
part("load").addEventListener("change", () => {
  const [file] = part("load").files ?? [];
  if (!file) return;
  attempt(async () => {
    const text = await file.text();
    const data = parseStreet(text);
    add({ name: `${file.name}: ${data.game}`, job: null, streets: [{ text, data }] }, true);
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
 * Read the street of a decision, unless it was read before.
 * @param {Solution} solution
 * @param {string[]} words
 */
async function readStreet(solution, words) {
  if (findDecision(solution, words) || solution.job === null) return;
  const text = await ask("street", { job: solution.job, words: streetStart(words) });
  solution.streets.push({ text, data: parseStreet(text) });
}

/**
 * Return the words up to the last card: all decisions of a street come at once.
 * @param {string[]} words
 */
function streetStart(words) {
  const cards = words.map((word) => /^([2-9TJQKA][cdhs])+$/.test(word));
  return words.slice(0, cards.lastIndexOf(true) + 1);
}

/** @param {string[]} words */
function go(words) {
  attempt(async () => {
    if (!shown) return;
    if (!findDecision(shown, words) && shown.job === null) {
      throw new Error("this file holds one street; solve the spot here to go on to the next card");
    }
    await readStreet(shown, words);
    if (compared) await readStreet(compared, words).catch(() => {});
    look = { ...look, words, seat: -1, hands: "", action: "" };
    draw();
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

/** @param {Partial<Look>} changes */
function change(changes) {
  look = { ...look, ...changes };
  const label = document.activeElement?.textContent;
  draw();
  const buttons = [...part("solution").querySelectorAll("button")];
  buttons.find((one) => one.textContent === label)?.focus({ preventScroll: true });
}

function draw() {
  if (!shown) return;
  part("solution").hidden = false;
  const options = solutions.map(({ name }, place) =>
    option(name, place, solutions[place] === shown),
  );
  part("shown").replaceChildren(...options);
  const others = solutions.flatMap((one, place) =>
    one === shown ? [] : [option(one.name, place, one === compared)],
  );
  if (compared === shown) compared = undefined;
  part("compared").replaceChildren(option("nothing", -1, !compared), ...others);
  part("compared").disabled = !others.length;
  const { data } = findStreet(shown, look.words) ?? shown.streets[0];
  const [first, second] = data.values_chips.map((won) => signed(won));
  const found = `exploitable for ${data.exploitability_percent.toPrecision(2)} % of the pot`;
  const effort = `${data.num_iterations.toLocaleString("en-US")} iterations, ${found}`;
  part("summary").textContent = `${effort}. Seat 1 wins ${first} chips, seat 2 ${second}.`;
  part("decision").replaceChildren(...drawDecision(shown, look, go, change));
  part("comparison").replaceChildren(
    ...(compared ? drawComparison(shown, compared, look.words, look.kind) : []),
  );
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

markCards(boardPicker, boardCards().join(""));
attempt(async () => {
  await refresh();
  await measure();
});
