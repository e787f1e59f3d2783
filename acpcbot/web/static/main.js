// The page: a socket to the server, what comes over it, and which part of the page is shown.

import { actionKey, offer, refreshAmounts, startActions } from "./actions.js";
import { showCosts, showJudged } from "./decisions.js";
import { button, FEW_HANDS, make, number, part, signed, smallCards, TOO_FEW, tone } from "./dom.js";
import {
  answerSpot,
  closeDrill,
  drillKey,
  hearSpot,
  hearVerdict,
  isDrilling,
  openDrill,
  startDrill,
} from "./drill.js";
import { clearViews, redraw, showViews } from "./felt.js";
import { fillLobby, listOpponents, startLobby } from "./lobby.js";
import {
  closeReplay,
  isReplaying,
  openReplay,
  replayKey,
  replayStep,
  showStep,
  startReplayer,
} from "./replayer.js";
import { play, startSound } from "./sound.js";
import {
  followStep,
  hideOver,
  isShown,
  showEstimated,
  showOver,
  showSplit,
  showThoughts,
} from "./study.js";
import { setOwnBigBlind, showsBigBlinds, signedAmount, startUnits, words } from "./units.js";
import {
  enterWatch,
  forgetWatch,
  hearHand,
  hearMatches,
  hearPots,
  startWatch,
  watchKey,
} from "./watch.js";

/** @import {Costs, Ended, HandSplit, History, HistoryRow, Judged, Listeners} from "./types.js" */
/** @import {Loading, Lobby, Message, OwnReplay, Refused, Request, Seated, Spot} from "./types.js" */
/** @import {Table, Thoughts, WinRate} from "./types.js" */

const RETRY_MS = 1500;
const AUTO_MS = 1800;
const TEXT_FIELDS = "input:not([type=range],[type=checkbox]), select, textarea";

/** @type {WebSocket} */
let socket;
/** @type {"play" | "costs" | "watch"} */
let view = "play";
let seated = false;
/** @type {Table | null} */
let last = null;
/** @type {number | undefined} */
let autoTimer;
let failure = "";
/**
 * The number of the own hand that the replayer shows or showed last.
 * @type {number | undefined}
 */
let replayed;
/**
 * Luck and skill by the number of the hand.
 * @type {Map<number, HandSplit>}
 */
const splits = new Map();
/**
 * The person's decisions by the number of the hand.
 * @type {Map<number, Judged>}
 */
const judgements = new Map();
let bigBlind = 0;
/** @type {History | null} */
let lastHistory = null;
let canWatch = false;
/** @type {Spot[]} */
let spots = [];

// The socket

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    failure = "";
    trouble("");
  });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    trouble(failure || "The connection is lost; trying again …");
    part("loading").hidden = true;
    setTimeout(connect, RETRY_MS);
  });
}

/** @param {Request} request */
function send(request) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
}

const table = () => decodeURIComponent((location.hash.match(/^#table=(.+)$/) || ["", ""])[1]);

/** @type {Listeners} */
const heard = {
  loading: hearLoading,
  failed: ({ reason }) => {
    failure = `The table could not start: ${reason}`;
    trouble(failure);
  },
  lobby: hearLobby,
  opening: ({ game }) => {
    part("opening").textContent = `The bots of ${game} are getting ready …`;
  },
  seated: hearSeated,
  gone: () => toLobby("This table has closed."),
  table: hearTable,
  history: hearHistory,
  split: hearSplit,
  thoughts: hearThoughts,
  estimated: showEstimated,
  judged: hearJudged,
  costs: hearCosts,
  spot: hearSpot,
  verdict: hearVerdict,
  replay: (message) => (message.log === null ? replayOwn(message) : hearHand(message)),
  matches: hearMatches,
  pots: hearPots,
  ended: hearEnded,
  refused: hearRefused,
};

/** @param {Message} message */
function hear(message) {
  const listener = /** @type {((message: Message) => void) | undefined} */ (heard[message.type]);
  listener?.(message);
}

/**
 * Show what the server loads and compiles. The lobby comes as soon as there is something to choose.
 * @param {Loading} message
 */
function hearLoading({ text, done, total, failures, isOver }) {
  const hasSteps = total > 1 && !isOver;
  part("loading").hidden = isOver && !text;
  part("loading-text").textContent = hasSteps ? `${text} (${done + 1} of ${total}) …` : `${text} …`;
  if (hasSteps) {
    part("loading-bar").max = total;
    part("loading-bar").value = done;
  } else {
    part("loading-bar").removeAttribute("value");
  }
  part("failures").hidden = failures.length === 0;
  part("failures").replaceChildren(...failures.map((failed) => make("li", "", failed)));
}

/** @param {Lobby} message */
function hearLobby(message) {
  fillLobby(message.games);
  canWatch = message.canWatch;
  const watches = canWatch && (view === "watch" || location.hash === "#watch");
  showTabs();
  if (table()) send({ type: "resume", table: table() });
  else if (!seated) toLobby("");
  forgetWatch();
  if (watches) toWatch();
}

/** @param {Seated} message */
function hearSeated(message) {
  seated = true;
  last = null;
  clearViews();
  closeReplay();
  closeDrill();
  hideOver();
  offer(null);
  history.replaceState(null, "", `#table=${encodeURIComponent(message.table)}`);
  bigBlind = message.bigBlind;
  setOwnBigBlind(bigBlind);
  part("playing").textContent = message.game;
  listOpponents(message.opponents);
  part("saved").textContent = `The log: ${message.log}`;
  part("sit-down").disabled = false;
  part("opening").textContent = "";
  show("play");
}

/** @param {Table} message */
function hearTable(message) {
  const isFirst = last === null;
  const isNewHand = last === null || last.hand !== message.hand;
  last = message;
  if (view !== "play" || isReplaying() || isDrilling()) return;
  if (isNewHand) hideOver();
  offer(null);
  part("deal").hidden = true;
  const pauses = !part("fast").checked && message.views.length > 0;
  showViews(message.views, { pauses, onDone: settle });
  // On a phone the buttons stand over the lower end of the felt until one scrolls.
  if (isFirst) part("said").scrollIntoView({ block: "nearest" });
}

// Show what may be done, once all views are shown.
function settle() {
  if (last === null || view !== "play" || isDrilling()) return;
  part("actions").hidden = false;
  part("notice").textContent = last.notice;
  showStory();
  offer(last.choices);
  if (last.choices) play("turn");
  part("deal").hidden = last.phase !== "over";
  if (last.phase === "over") handIsOver(last.hand);
}

function showStory() {
  const told = last?.captions ?? [];
  part("story").replaceChildren(...told.map((text) => make("li", "", words(text, bigBlind))));
  part("story").scrollTop = part("story").scrollHeight;
}

/** Show all amounts once more, in the unit that was chosen. */
function changeUnit() {
  redraw();
  refreshAmounts();
  if (!isDrilling()) showStory();
  if (lastHistory) hearHistory(lastHistory);
  for (const split of splits.values()) showSplit(split);
}

/** @param {number} hand */
function handIsOver(hand) {
  if (!isShown(hand)) {
    showOver(hand, () => send({ type: "explain", hand }));
    const split = splits.get(hand);
    if (split) showSplit(split);
    const judged = judgements.get(hand);
    if (judged) showJudged(judged);
  }
  if (part("auto").checked) {
    clearTimeout(autoTimer);
    autoTimer = setTimeout(
      () => {
        if (part("auto").checked) dealNext();
      },
      part("fast").checked ? 0 : AUTO_MS,
    );
  }
}

function dealNext() {
  if (last?.phase !== "over" || isReplaying() || isDrilling()) return;
  last = { ...last, phase: "waiting" };
  part("deal").hidden = true;
  send({ type: "deal", hand: last.hand });
}

/** @param {string} action */
function act(action) {
  if (isDrilling()) answerSpot(action);
  else if (last?.turn !== undefined)
    send({ type: "act", hand: last.hand, turn: last.turn, action });
}

// What is won, and the hands that are over

/** @param {HandSplit} message */
function hearSplit(message) {
  splits.set(message.hand, message);
  showSplit(message);
}

/** @param {Thoughts} message */
function hearThoughts(message) {
  const isReplayed = isReplaying() && replayed === message.hand;
  showThoughts(message, isReplayed ? replayStep() : 0, {
    onChosen: (step) => {
      if (isReplaying() && replayed === message.hand) showStep(step);
    },
    onEstimate: (place) => send({ type: "estimate", hand: message.hand, place }),
  });
}

/** @param {Judged} message */
function hearJudged(message) {
  judgements.set(message.hand, message);
  showJudged(message);
}

/** @param {Costs} message */
function hearCosts(message) {
  spots = message.spots;
  showCosts(message, drill);
}

/** @param {number} first */
function drill(first) {
  closeReplay();
  hideOver();
  show("play");
  offer(null);
  part("deal").hidden = true;
  openDrill(spots, first);
}

/** @param {History} message */
function hearHistory(message) {
  lastHistory = message;
  const { rows, tally } = message;
  const { chips, aivat } = tally;
  const unit = showsBigBlinds(bigBlind) ? "" : " chips";
  part("history-unit").textContent = showsBigBlinds(bigBlind) ? "bb" : "chips";
  const entries = [
    ["hands", number(chips.hands)],
    ["won", `${signedAmount(chips.chips, bigBlind)}${unit}`],
    ["mbb/hand", winRate(chips)],
    ["by AIVAT", winRate(aivat)],
  ];
  const drawn = entries.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]);
  part("tally").replaceChildren(...drawn);
  part("history").tBodies[0].replaceChildren(...[...rows].reverse().map(historyRow));
}

/** @param {WinRate} found */
function winRate({ hands, mbb, halfWidth }) {
  if (hands < FEW_HANDS) return TOO_FEW;
  return signed(mbb, 1) + (halfWidth === null ? "" : ` ± ${number(halfWidth)}`);
}

/** @param {number} chips */
const inUnit = (chips) => (showsBigBlinds(bigBlind) ? chips / bigBlind : chips);

/** @param {HistoryRow} row */
function historyRow({ hand, cards, board, chips, skill }) {
  const again = button(`${hand}`, () => send({ type: "replay", hand }));
  again.setAttribute("aria-label", `Replay hand ${hand}`);
  const skillText =
    skill === null ? "" : signed(inUnit(skill), Math.abs(inUnit(skill)) < 100 ? 2 : 0);
  return make(
    "tr",
    "",
    make("td", "", again),
    make("td", "", smallCards(cards)),
    make("td", "board", smallCards(board)),
    make("td", `number ${tone(chips)}`, signed(inUnit(chips))),
    make("td", "number", skillText),
  );
}

/** @param {OwnReplay} message */
function replayOwn({ hand, title, views }) {
  if (view !== "play") return;
  closeDrill();
  replayed = hand;
  openReplay(title, views, { onStep: (step) => followStep(hand, step) });
  send({ type: "explain", hand });
  part("table").scrollIntoView({ block: "start" });
}

function backToTable() {
  closeReplay();
  closeDrill();
  clearViews();
  hideOver();
  if (table()) send({ type: "resume", table: table() });
}

/** @param {Ended} message */
function hearEnded({ reason, log, tally }) {
  const { hands, chips } = tally.chips;
  const won = hands
    ? `${number(hands)} ${hands === 1 ? "hand" : "hands"}, ${signed(chips)} chips. `
    : "";
  toLobby(`The match is over: ${reason}. ${won}The log: ${log}`);
}

/** @param {Refused} message */
function hearRefused({ reason }) {
  part("notice").textContent = reason;
  part("opening").textContent = reason;
  if (view === "watch") part("watch-note").textContent = reason;
  part("sit-down").disabled = false;
  if (last?.phase === "turn" && seated && !isDrilling()) offer(last.choices);
}

/** @param {string} text */
function trouble(text) {
  part("trouble").textContent = text;
  part("trouble").hidden = !text;
}

// Which part is shown

/** @param {string} text */
function toLobby(text) {
  seated = false;
  last = null;
  splits.clear();
  judgements.clear();
  closeDrill();
  clearViews();
  closeReplay();
  hideOver();
  history.replaceState(null, "", location.pathname);
  replayed = undefined;
  part("playing").textContent = "";
  part("opening").textContent = text;
  part("sit-down").disabled = false;
  show("play");
}

function showTabs() {
  part("show-costs").hidden = !seated;
  part("show-watch").hidden = !canWatch;
  part("views").hidden = !seated && !canWatch;
}

/** @param {"play" | "costs" | "watch"} wanted */
function show(wanted) {
  view = wanted;
  showTabs();
  for (const name of /** @type {const} */ (["play", "costs", "watch"])) {
    part(`show-${name}`).setAttribute("aria-pressed", String(wanted === name));
  }
  part("lobby").hidden = wanted !== "play" || seated;
  part("watch").hidden = part("matches").hidden = wanted !== "watch";
  document.body.classList.toggle("watching", wanted === "watch");
  part("costs").hidden = wanted !== "costs";
  part("table").hidden = wanted === "costs" || (wanted === "play" && !seated);
  part("side").hidden = wanted === "watch" || !seated;
  part("actions").hidden = wanted !== "play";
}

function toWatch() {
  replayed = undefined;
  closeReplay();
  closeDrill();
  hideOver();
  show("watch");
  if (!table()) history.replaceState(null, "", "#watch");
  enterWatch();
}

function toCosts() {
  replayed = undefined;
  closeReplay();
  closeDrill();
  show("costs");
}

function toPlay() {
  show("play");
  if (!table()) history.replaceState(null, "", location.pathname);
  if (seated) backToTable();
  else closeReplay();
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof Element && keepsKey(target, key)) return;
  const isTaken = replayKey(key) || viewKey(key);
  if (isTaken) event.preventDefault();
}

/**
 * Return whether an element that has the focus needs a key itself.
 * @param {Element} target
 * @param {string} key
 */
function keepsKey(target, key) {
  if (target.closest(TEXT_FIELDS)) return true;
  if (key === "Enter") return target.closest("button, summary") !== null;
  return key === " " && target.closest("button:not(.act), summary, input") !== null;
}

/** @param {string} key */
function viewKey(key) {
  if (view === "costs") return false;
  return view === "watch" ? watchKey(key) : tableKey(key);
}

/** @param {string} key */
function tableKey(key) {
  if (!seated || isReplaying()) return false;
  if (isDrilling()) return drillKey(key) || actionKey(key);
  if ((key === " " || key === "Enter" || key === "n") && !part("deal").hidden) {
    dealNext();
    return true;
  }
  return actionKey(key);
}

startLobby((request) => {
  part("sit-down").disabled = true;
  send(request);
});
startActions(act);
startReplayer();
startDrill(send, backToTable);
startUnits(changeUnit);
startSound();
startWatch(send);
part("deal").addEventListener("click", dealNext);
part("leave").addEventListener("click", () => send({ type: "leave" }));
part("step-close").addEventListener("click", backToTable);
part("show-play").addEventListener("click", toPlay);
part("show-watch").addEventListener("click", toWatch);
part("show-costs").addEventListener("click", toCosts);
part("drill-all").addEventListener("click", () => drill(0));
part("auto").addEventListener("change", () => {
  if (part("auto").checked && last?.phase === "over") handIsOver(last.hand);
});
document.addEventListener("keydown", pressKey);
connect();
