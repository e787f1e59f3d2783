// The page: a socket to the server, what comes over it, and which part of the page is shown.

import { actionKey, offer, startActions } from "./actions.js";
import { button, make, number, part, signed, smallCards, tone } from "./dom.js";
import { clearScenes, showViews } from "./felt.js";
import { fillLobby, startLobby } from "./lobby.js";
import { closeReplay, isReplaying, openReplay, replayKey, startReplayer } from "./replayer.js";
import { hideOver, showOver, showSplit, showThoughts } from "./study.js";
import { enterWatch, forgetWatch, hearHand, hearLog, listLogs, startWatch, watchKey } from "./watch.js";

const RETRY_MS = 1500;
const AUTO_MS = 1800;

let socket = null;
let view = "play";
let seated = false;
let last = null;
let autoTimer = null;
let failure = "";

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

function send(request) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
}

const table = () => decodeURIComponent((location.hash.match(/^#table=(.+)$/) || ["", ""])[1]);

const heard = {
  loading: hearLoading,
  failed: ({ reason }) => {
    failure = `The table could not start: ${reason}`;
    trouble(failure);
  },
  lobby: hearLobby,
  opening: ({ game }) => { part("opening").textContent = `The bots of ${game} are getting ready …`; },
  seated: hearSeated,
  gone: () => toLobby("This table has closed."),
  table: hearTable,
  history: hearHistory,
  split: showSplit,
  thoughts: showThoughts,
  replay: (message) => (message.log === null ? replayOwn(message) : hearHand(message)),
  log: hearLog,
  ended: hearEnded,
  refused: hearRefused,
};

function hear(message) {
  heard[message.type]?.(message);
}

// What the server loads and compiles meanwhile. The lobby comes as soon as there is something to choose from.
function hearLoading({ text, done, total, failures, isOver }) {
  part("loading").hidden = isOver && !text;
  part("loading-text").textContent = total > 1 && !isOver ? `${text} (${done + 1} of ${total}) …` : `${text} …`;
  if (total > 1 && !isOver) {
    part("loading-bar").max = total;
    part("loading-bar").value = done;
  } else part("loading-bar").removeAttribute("value");
  part("failures").hidden = failures.length === 0;
  part("failures").replaceChildren(...failures.map((failed) => make("li", "", failed)));
}

function hearLobby({ games, logs }) {
  fillLobby(games);
  listLogs(logs);
  part("views").hidden = logs.length === 0;
  if (table()) send({ type: "resume", table: table() });
  else if (!seated) toLobby("");
  forgetWatch();
  if (location.hash === "#watch" && logs.length) show("watch");
}

function hearSeated(message) {
  seated = true;
  last = null;
  clearScenes();
  closeReplay();
  hideOver();
  history.replaceState(null, "", `#table=${encodeURIComponent(message.table)}`);
  part("playing").textContent = message.game;
  part("saved").textContent = `The log: ${message.log}`;
  part("sit-down").disabled = false;
  part("opening").textContent = "";
  show("play");
}

function hearTable(message) {
  const isNewHand = last === null || last.hand !== message.hand;
  last = message;
  if (view !== "play" || isReplaying()) return;
  if (isNewHand) hideOver();
  offer(null);
  part("deal").hidden = true;
  showViews(message.views, { pauses: !part("fast").checked && !isFirst(message), onDone: settle });
}

const isFirst = (message) => message.views.length === 0;

// When all views are shown: what may be done now.
function settle() {
  if (last === null || view !== "play") return;
  part("actions").hidden = false;
  part("notice").textContent = last.notice;
  part("story").replaceChildren(...last.captions.map((text) => make("li", "", text)));
  part("story").scrollTop = part("story").scrollHeight;
  offer(last.choices);
  part("deal").hidden = last.phase !== "over";
  if (last.phase === "over") handIsOver();
}

function handIsOver() {
  const { hand } = last;
  if (part("after").hidden || Number(part("after").dataset.hand) !== hand) {
    showOver(hand, () => send({ type: "explain", hand }));
    if (splits.has(hand)) showSplit(splits.get(hand));
  }
  if (part("auto").checked) {
    clearTimeout(autoTimer);
    autoTimer = setTimeout(() => { if (part("auto").checked) dealNext(); }, part("fast").checked ? 0 : AUTO_MS);
  }
}

function dealNext() {
  if (last?.phase !== "over" || isReplaying()) return;
  last = { ...last, phase: "waiting" };
  part("deal").hidden = true;
  send({ type: "deal", hand: last.hand });
}

// What is won, and the hands that are over

const splits = new Map();
heard.split = (message) => {
  splits.set(message.hand, message);
  showSplit(message);
};

function hearHistory({ rows, tally }) {
  const { chips, aivat } = tally;
  const interval = ({ halfWidth }) => (halfWidth === null ? "" : ` ± ${number(halfWidth)}`);
  const entries = [
    ["hands", number(chips.hands)],
    ["won", `${signed(chips.chips)} chips`],
    ["mbb/hand", chips.hands ? signed(chips.mbb, 1) + interval(chips) : "–"],
    ["by AIVAT", aivat.hands ? signed(aivat.mbb, 1) + interval(aivat) : "–"],
  ];
  part("tally").replaceChildren(...entries.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  part("history").tBodies[0].replaceChildren(...rows.slice().reverse().map(historyRow));
}

function historyRow({ hand, cards, board, chips, skill }) {
  const again = button(`${hand}`, () => send({ type: "replay", hand }));
  again.setAttribute("aria-label", `Replay hand ${hand}`);
  return make("tr", "", make("td", "", again), make("td", "", smallCards(cards)), make("td", "", smallCards(board)),
    make("td", `number ${tone(chips)}`, signed(chips)), make("td", "number", skill === null ? "" : signed(skill, Math.abs(skill) < 100 ? 2 : 0)));
}

function replayOwn({ hand, title, views }) {
  if (view !== "play") return;
  openReplay(title, views);
  send({ type: "explain", hand });
  part("table").scrollIntoView({ block: "start" });
}

function backToTable() {
  closeReplay();
  clearScenes();
  hideOver();
  if (table()) send({ type: "resume", table: table() });
}

function hearEnded({ reason, log, tally }) {
  const won = tally.chips.hands ? `${number(tally.chips.hands)} hands, ${signed(tally.chips.chips)} chips. ` : "";
  toLobby(`The match is over: ${reason}. ${won}The log: ${log}`);
}

function hearRefused({ reason }) {
  part("notice").textContent = reason;
  part("opening").textContent = reason;
  if (view === "watch") part("log-state").textContent = reason;
  part("sit-down").disabled = false;
  if (last?.phase === "turn" && seated) offer(last.choices);
}

function trouble(text) {
  part("trouble").textContent = text;
  part("trouble").hidden = !text;
}

// Which part is shown

function toLobby(text) {
  seated = false;
  last = null;
  splits.clear();
  clearScenes();
  closeReplay();
  hideOver();
  history.replaceState(null, "", location.pathname);
  part("playing").textContent = "";
  part("opening").textContent = text;
  part("sit-down").disabled = false;
  show("play");
}

function show(wanted) {
  view = wanted;
  part("show-play").setAttribute("aria-pressed", wanted === "play");
  part("show-watch").setAttribute("aria-pressed", wanted === "watch");
  part("lobby").hidden = wanted !== "play" || seated;
  part("watch").hidden = wanted !== "watch";
  part("table").hidden = wanted === "play" && !seated;
  part("side").hidden = wanted !== "play" || !seated;
  part("actions").hidden = wanted !== "play";
}

function toWatch() {
  closeReplay();
  hideOver();
  show("watch");
  enterWatch();
}

function toPlay() {
  show("play");
  if (seated) backToTable();
  else closeReplay();
}

function pressKey(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=range],[type=checkbox]), select, textarea")) return;
  if (key === "Enter" && target.closest("button, summary")) return;
  if (key === " " && target.closest("button:not(.act), summary, input")) return;
  const isTaken = replayKey(key) || (view === "watch" ? watchKey(key) : tableKey(key));
  if (isTaken) event.preventDefault();
}

function tableKey(key) {
  if (!seated || isReplaying()) return false;
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
startActions((action) => send({ type: "act", hand: last.hand, turn: last.turn, action }));
startReplayer();
startWatch(send);
part("deal").addEventListener("click", dealNext);
part("leave").addEventListener("click", () => send({ type: "leave" }));
part("step-close").addEventListener("click", backToTable);
part("show-play").addEventListener("click", toPlay);
part("show-watch").addEventListener("click", toWatch);
part("auto").addEventListener("change", () => { if (part("auto").checked && last?.phase === "over") handIsOver(); });
document.addEventListener("keydown", pressKey);
connect();
