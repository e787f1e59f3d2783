// The page of a report: what a reader chooses, in the page's address, and what it shows of it.
import { readReport } from "./columns.js";
import { link } from "./drawing.js";
import { makeEstimator } from "./estimates.js";
import { drawList, handName, lineName, ORDERS, orderedRows, PART_SIZE } from "./hand_list.js";
import { drawCards, drawSeat, potText, unfold } from "./replayer.js";
import { drawSection } from "./sections.js";
import { readStars } from "./stars.js";
import { countText, handsText, meanText } from "./texts.js";
import {
  filteredRows,
  filterText,
  parseView,
  potBounds,
  rowsBehind,
  viewLink,
  wholeView,
  withoutFilters,
} from "./view.js";

/** @import {Parts, Replay, ReportData, View} from "./types.js" */

// Seats side by side, by how many there are: rows as even as they can be.
/** @type {Record<number, number>} */
const SEAT_COLUMNS = { 3: 3, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 3, 10: 4 };

/**
 * @template {keyof Parts} Id
 * @param {Id} id
 */
const part = (id) => /** @type {Parts[Id]} */ (document.getElementById(id));

/** @type {ReportData} */
const data = JSON.parse(part("data").textContent);
const report = await readReport(data);
const estimator = makeEstimator(report);
const stars = readStars(report);
// The page has the sections of some players, which are read without a script; one serves for all.
/** @type {NodeListOf<HTMLElement>} */
const sections = document.querySelectorAll(".player");
const section = sections[0];

let view = parseView(report, location.hash);
/** @type {Int32Array} */
let rows = new Int32Array(0);
/** The rows of the list, in its order. */
let listed = rows;
/** The place of the first row of the part of the list that is shown. */
let start = 0;
/** The hand that is open and its place in the list; -1 if there is none. */
let opened = -1;
let place = -1;
/** The open hand, null if it cannot be replayed. */
/** @type {Replay | null} */
let replay = null;
let step = 0;
/** What is drawn of the list: its rows stay as long as this does. */
let drawnPart = "";
let version = 0;

// From one view to the next

/**
 * Show a view, and have it in the page's address.
 * @param {View} wanted
 */
function go(wanted, { replace = false } = {}) {
  const address = viewLink(report, wanted);
  if (address !== (location.hash || "#")) setAddress(address, replace);
  show(wanted);
}

/**
 * @param {string} address
 * @param {boolean} replace
 */
function setAddress(address, replace) {
  try {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  } catch {
    // Some browsers refuse the hundredth change within seconds, or any within a frame. The page
    // shows the view all the same.
  }
}

/**
 * Draw what differs between the view that is shown and *wanted*.
 * @param {View} wanted
 */
function show(wanted, { all = false } = {}) {
  const isFiltered = all || filterText(report, view) !== filterText(report, wanted);
  const hasCurves = view.curves.join() !== wanted.curves.join();
  const isListed =
    isFiltered ||
    JSON.stringify(view.behind) !== JSON.stringify(wanted.behind) ||
    view.order !== wanted.order;
  view = wanted;
  if (isFiltered) rows = filteredRows(report, view, view.player, stars.hands);
  if (isFiltered || hasCurves) drawStatistics();
  if (isListed) {
    listed = orderedRows(report, rowsBehind(report, rows, view.behind), view.order);
    start = 0;
    version++;
    drawHeading();
  }
  fillFilter();
  openHand();
  drawHands();
}

function drawStatistics() {
  drawSection(section, {
    report,
    estimator,
    view,
    rows,
    linkTo: (behind) => viewLink(report, { ...view, behind, hand: -1 }),
    rowsOf: (player) => filteredRows(report, view, player, stars.hands),
    toggleCurve,
  });
  reachScrolls();
}

/** @param {number} player */
function toggleCurve(player) {
  const kept = view.curves.filter((one) => one !== player);
  const curves = kept.length < view.curves.length ? kept : [...kept, player];
  go({ ...view, curves }, { replace: true });
  // The box is a new one: it gets the focus of the old one.
  /** @type {HTMLElement | null} */
  const box = section.querySelector(`[data-player="${player}"]`);
  box?.focus();
}

// The filter

/**
 * @param {HTMLSelectElement} select
 * @param {[value: string, text: string][]} options
 */
function fillSelect(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

function makeFilter() {
  const { players, order, seats, sources, streets } = data;
  /** @type {(names: string[]) => [string, string][]} */
  const numbered = (names) => names.map((name, at) => [String(at), name]);
  const named = order.map((one) => /** @type {[string, string]} */ ([String(one), players[one]]));
  fillSelect(part("player"), named);
  fillSelect(part("opponent"), [["-1", "any"], ...named]);
  fillSelect(part("position"), [["-1", "any"], ...numbered(seats)]);
  fillSelect(part("log"), [["-1", "all"], ...numbered(sources)]);
  fillSelect(part("order"), Object.entries(ORDERS));
  const last = streets.length - 1;
  /** @type {[string, string][]} */
  const ended = streets.map((name, at) => [`${at}-${at}`, `ended on the ${name}`]);
  /** @type {[string, string][]} */
  const reached = streets
    .slice(1, last)
    .map((name, at) => [`${at + 1}-${last}`, `reached the ${name}`]);
  fillSelect(
    part("street"),
    last ? [[`0-${last}`, "any"], ...reached, ...ended] : [["0-0", "any"]],
  );
  part("opponents").hidden = players.length < 3;
  part("logs").hidden = sources.length < 2;
  part("dates").hidden = !data.hasTimes;
  part("filter").hidden = false;
}

/** Make the names at the top links to the players. */
function linkPlayers() {
  const names = document.querySelectorAll("header tbody th");
  for (const [at, cell] of names.entries()) {
    const player = data.order[at];
    const address = viewLink(report, { ...wholeView(report), player });
    cell.replaceChildren(link(address, data.players[player]));
  }
}

function fillFilter() {
  const [from, below] = view.pot;
  part("player").value = String(view.player);
  part("opponent").value = String(view.opponent);
  part("position").value = String(view.position);
  part("street").value = view.streets.join("-");
  part("pot-from").value = from > 0 ? String(from) : "";
  part("pot-to").value = Number.isFinite(below) ? String(below) : "";
  part("since").value = view.since;
  part("until").value = view.until;
  part("log").value = String(view.log);
  part("order").value = view.order;
  part("starred").checked = view.starred;
  const own = report.rowsOf(view.player).length;
  const isWhole = rows.length === own;
  part("chosen").textContent = isWhole
    ? `all ${handsText(own)}`
    : `${countText(rows.length)} of ${handsText(own)}`;
  const cleared = withoutFilters(report, view);
  part("clear").disabled = filterText(report, view) === filterText(report, cleared);
}

/** Show the view of the controls. */
function choose() {
  const [first, last] = part("street").value.split("-").map(Number);
  go({
    ...view,
    player: Number(part("player").value),
    opponent: Number(part("opponent").value),
    position: Number(part("position").value),
    streets: [first, last],
    pot: potBounds(part("pot-from").value, part("pot-to").value),
    since: part("since").value,
    until: part("until").value,
    log: Number(part("log").value),
    order: part("order").value,
    starred: part("starred").checked,
    curves: view.curves.filter((player) => player !== Number(part("player").value)),
  });
}

// The list and the hand that is open

/** @param {number} hand */
const placeIn = (hand) =>
  hand < 0 ? -1 : listed.findIndex((row) => Math.floor(row / report.numSeats) === hand);

/** Open the hand that the address names, else the one that is open if it is in the list. */
function openHand() {
  const first = listed.length ? Math.floor(listed[0] / report.numSeats) : -1;
  const hand = view.hand >= 0 ? view.hand : placeIn(opened) >= 0 ? opened : first;
  place = placeIn(hand);
  if (place >= 0) start = place - (place % PART_SIZE);
  if (opened === hand) return;
  opened = hand;
  step = 0;
  replay = report.replayPlace(hand) < 0 ? null : unfold(report, hand);
}

function drawHeading() {
  part("behind").textContent = view.behind ? `Hands: ${behindName(view.behind)}` : "Hands";
  const found = estimator.winnings(listed, report.results[0].values);
  const won = listed.length ? `, ${meanText(found)} mbb/hand` : "";
  part("facts").textContent = `${handsText(listed.length)}${won}`;
  part("all").hidden = view.behind === null;
}

function drawHands() {
  part("hands").hidden = false;
  drawPart();
  drawOpened();
}

/** @param {NonNullable<View["behind"]>} behind */
function behindName(behind) {
  if (behind.kind === "statistic") {
    const { name } = data.statistics[behind.place];
    return behind.part === "count" ? `${name}, counted` : `${name}, opportunities`;
  }
  const { title, labels } = data.groupings[behind.place];
  return title === "hand" ? labels[behind.label] : `${title} ${labels[behind.label]}`;
}

/** Draw a part of the list, or only mark the open hand in it. */
function drawPart() {
  const box = part("rows");
  const end = Math.min(start + PART_SIZE, listed.length);
  if (drawnPart !== `${version} ${start}`) {
    drawnPart = `${version} ${start}`;
    const linkTo = (/** @type {number} */ hand) => viewLink(report, { ...view, hand });
    const shown = listed.subarray(start, end);
    box.replaceChildren(drawList(report, shown, opened, stars.hands, linkTo));
    box.scrollTop = 0;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const lines = box.querySelectorAll("tbody tr");
  for (const line of lines) {
    const isOpened = Number(line.dataset["at"]) === opened;
    if (!isOpened) line.removeAttribute("aria-current");
    else line.setAttribute("aria-current", "true");
    if (isOpened) scrollWithin(box, line);
  }
  part("range").textContent = listed.length
    ? `${countText(start + 1)} to ${countText(end)} of ${countText(listed.length)}`
    : "none";
  part("earlier").disabled = start === 0;
  part("later").disabled = end >= listed.length;
}

/**
 * Scroll a box, and nothing around it, until a line of it is seen.
 * @param {HTMLElement} box
 * @param {HTMLElement} line
 */
function scrollWithin(box, line) {
  const [above, height] = [line.offsetTop, line.offsetHeight];
  if (above - height < box.scrollTop) box.scrollTop = above - height;
  const below = above + 2 * height - box.clientHeight;
  if (below > box.scrollTop) box.scrollTop = below;
}

/** @param {number} by */
function turn(by) {
  start = Math.max(0, start + by * PART_SIZE);
  drawPart();
}

/** Draw the open hand after the step that is shown. */
function drawOpened() {
  part("replayer").hidden = opened < 0;
  if (opened < 0) return;
  const where = lineName(report, opened);
  const inList =
    place < 0 ? "not in the list" : `${countText(place + 1)} of ${countText(listed.length)}`;
  part("title").textContent = capital(handName(report, opened));
  part("found").textContent = `${where} · ${inList}${replay ? "" : " · cannot be replayed here"}`;
  part("previous").disabled = place <= 0;
  part("next").disabled = place < 0 || place === listed.length - 1;
  part("star").disabled = !replay;
  drawStar();
  drawStep();
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function drawStar() {
  const isStarred = stars.hands.has(opened);
  part("star").textContent = isStarred ? "★ starred" : "☆ star";
  part("star").setAttribute("aria-pressed", String(isStarred));
}

function drawStep() {
  const state = replay?.states[step];
  part("seats").hidden = !state;
  part("first").disabled = part("back").disabled = step === 0;
  part("last").disabled = part("forward").disabled = step + 1 >= (replay?.states.length ?? 0);
  part("caption").textContent = state?.caption ?? "";
  part("pot").textContent = state ? potText(state) : "";
  const board = replay && state ? replay.board.slice(0, data.boardSizes[state.street]) : [];
  part("board").replaceChildren(...drawCards(board));
  if (!replay || !state) return;
  const shown = replay;
  part("seats").replaceChildren(
    ...shown.players.map((_, seat) => drawSeat(report, shown, state, seat)),
  );
}

/** @param {number} wanted */
function goToStep(wanted) {
  if (!replay) return;
  step = Math.max(0, Math.min(replay.states.length - 1, wanted));
  drawStep();
}

/** @param {number} by */
function goBy(by) {
  const row = place < 0 ? undefined : listed[place + by];
  if (row === undefined) return;
  go({ ...view, hand: Math.floor(row / report.numSeats) }, { replace: true });
}

/** Open the hand with the number that was typed: one of the list and of the open hand's log first. */
function goToNumber() {
  const field = part("number");
  const { id, source } = report.columns;
  const wanted = Number(field.value);
  const inList = Array.from(listed, (row) => Math.floor(row / report.numSeats));
  const isWanted = (/** @type {number} */ hand) => id[hand] === wanted;
  const known = inList.filter(isWanted);
  const own = known.find((hand) => source[hand] === source[opened]);
  const anywhere = Array.prototype.findIndex.call(id, (one) => one === wanted);
  const hand = own ?? known[0] ?? anywhere;
  const isMissing = field.value !== "" && hand < 0;
  field.setCustomValidity(isMissing ? `No hand ${field.value} in these logs` : "");
  if (isMissing) field.reportValidity();
  else if (field.value !== "") go({ ...view, hand });
}

function star() {
  if (!replay) return;
  const isKept = stars.toggle(opened);
  version++;
  if (view.starred) show(view, { all: true });
  else drawPart();
  drawStar();
  if (!isKept) part("found").textContent += " · this browser keeps no stars";
}

/** @type {["first" | "back" | "forward" | "last" | "previous" | "next" | "star", () => void][]} */
const MOVES = [
  ["first", () => goToStep(0)],
  ["back", () => goToStep(step - 1)],
  ["forward", () => goToStep(step + 1)],
  ["last", () => goToStep(Number.POSITIVE_INFINITY)],
  ["previous", () => goBy(-1)],
  ["next", () => goBy(1)],
  ["star", star],
];
/** @type {Record<string, (typeof MOVES)[number][0]>} */
const MOVE_KEYS = {
  Home: "first",
  ArrowLeft: "back",
  ArrowRight: "forward",
  End: "last",
  p: "previous",
  n: "next",
  s: "star",
};

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const { target, key } = event;
  const isTyping = target instanceof Element && ["INPUT", "SELECT"].includes(target.tagName);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !(key in MOVE_KEYS)) return;
  // These keys scroll the list while it has the focus.
  if (target === part("rows") && key.length > 1) return;
  MOVES.find(([id]) => id === MOVE_KEYS[key])?.[1]();
  event.preventDefault();
}

// Links

/** Scroll to the hands behind a number, and have the focus there. */
function reveal() {
  part("hands").scrollIntoView();
  part("behind").focus({ preventScroll: true });
}

/**
 * Follow a link within the page: what it does not name stays as it is.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const { target } = event;
  const found = target instanceof Element ? target.closest('a[href^="#"]') : null;
  if (!found || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { hand, behind, player } = parseView(report, found.getAttribute("href") ?? "");
  if (found.closest("header")) {
    go({ ...withoutFilters(report, view), player, hand: -1, curves: [] });
    part("filter").scrollIntoView();
    return;
  }
  if (found.closest(".player")) {
    go({ ...view, behind, hand: -1 });
    reveal();
    return;
  }
  go({ ...view, hand });
  if (!found.closest("#rows")) part("replayer").scrollIntoView();
}

function followAddress() {
  const wanted = parseView(report, location.hash);
  show(wanted);
  if (wanted.hand >= 0) part("replayer").scrollIntoView();
}

// Keys scroll what has the focus: tables that are wider than the page are stops of the tab key.
function reachScrolls() {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll(".scroll");
  // All are measured before one is changed: a change makes the browser lay the page out anew.
  const areWide = Array.from(places, (box) => box.scrollWidth > box.clientWidth);
  for (const [at, box] of places.entries()) {
    if (areWide[at]) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

window.addEventListener("resize", reachScrolls);
for (const [id, move] of MOVES) part(id).addEventListener("click", move);
part("number").addEventListener("change", goToNumber);
part("earlier").addEventListener("click", () => turn(-1));
part("later").addEventListener("click", () => turn(1));
part("all").addEventListener("click", () => {
  go({ ...view, behind: null });
  part("behind").focus();
});
part("order").addEventListener("change", choose);
part("filter").addEventListener("change", choose);
part("filter").addEventListener("submit", (event) => event.preventDefault());
part("clear").addEventListener("click", () => {
  go({ ...withoutFilters(report, view), behind: view.behind, order: view.order });
  part("player").focus();
});
document.addEventListener("keydown", pressKey);
document.addEventListener("click", followLink);
window.addEventListener("hashchange", followAddress);
const seatColumns = SEAT_COLUMNS[report.numSeats] || report.numSeats;
part("seats").style.setProperty("--columns", String(seatColumns));
for (const other of sections) other.hidden = other !== section;
makeFilter();
linkPlayers();
show(view, { all: true });
if (view.hand >= 0) part("replayer").scrollIntoView();
else if (view.behind) reveal();
