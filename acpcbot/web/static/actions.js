// The buttons, and the size of a bet. The server says what is legal, and within which bounds.

import { button, make, part } from "./dom.js";
import { shareText } from "./felt.js";
import { amount, showsBigBlinds } from "./units.js";

/** @import {Choices, Preset, Raise} from "./types.js" */

/** Steps of the slider at most; fewer where a step would be less than a chip. */
const MOST_STEPS = 1000;

/** @type {Choices | null} */
let offered = null;
/** The chosen size of a bet or raise, over the whole hand. */
let chosen = 0;
/** @type {(action: string) => void} */
let send = () => {};

/** @type {Record<string, "fold" | "call" | "raise">} */
const KEYS = { f: "fold", c: "call", k: "call", r: "raise", b: "raise" };

/** @param {(action: string) => void} onAction */
export function startActions(onAction) {
  send = onAction;
  part("fold").addEventListener("click", () => take("f"));
  part("call").addEventListener("click", () => take("c"));
  part("raise").addEventListener("click", raise);
  part("size").addEventListener("input", slide);
  part("amount").addEventListener("change", setTyped);
  part("amount").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    setTyped();
    raise();
  });
  face(part("fold"), "Fold", "", "f");
  face(part("deal"), "Next hand", "", "space");
}

/**
 * Write the face of a button: what it does, its key, and a detail below.
 * @param {HTMLButtonElement} target
 * @param {string} word
 * @param {string} detail
 * @param {string} key
 */
function face(target, word, detail, key) {
  const drawn = [make("span", "word", word), keyCap(key)];
  if (detail) drawn.push(make("small", "detail", detail));
  target.replaceChildren(...drawn);
  target.setAttribute("aria-keyshortcuts", key === "space" ? "Space" : key);
}

/** @param {string} key */
function keyCap(key) {
  const cap = make("kbd", "", key);
  cap.setAttribute("aria-hidden", "true");
  return cap;
}

/**
 * Show what may be done, nothing for null.
 * @param {Choices | null} choices
 */
export function offer(choices) {
  offered = choices;
  part("fold").hidden = part("call").hidden = part("raise").hidden = choices === null;
  part("sizes").hidden = !choices?.raise || choices.raise.isFixed;
  if (choices === null) return;
  part("fold").disabled = !choices.fold;
  showCall(choices);
  part("raise").hidden = choices.raise === null;
  if (choices.raise) offerRaise(choices.raise, choices.bigBlind);
}

/** Show amounts once more, as after a change of the unit; the chosen size stays. */
export function refreshAmounts() {
  if (offered === null) return;
  showCall(offered);
  if (offered.raise) setSize(chosen);
}

/** @param {Choices} choices */
function showCall({ call, winnable, bigBlind }) {
  if (call) face(part("call"), `Call ${amount(call, bigBlind)}`, oddsText(call, winnable), "c");
  else face(part("call"), "Check", "", "c");
}

/**
 * Return the pot odds of a call, and the share of the pot that it has to win.
 * @param {number} call
 * @param {number} winnable
 */
function oddsText(call, winnable) {
  const odds = (winnable / call).toLocaleString("en-US", { maximumFractionDigits: 1 });
  return `${odds} to 1, needs ${Math.round((100 * call) / (winnable + call))} %`;
}

/**
 * @param {Raise} bounds
 * @param {number} bigBlind
 */
function offerRaise({ least, presets }, bigBlind) {
  part("size").min = "0";
  part("size").max = String(numSteps());
  part("presets").replaceChildren(
    ...presets.map((preset, place) => presetButton(preset, place + 1)),
  );
  part("unit").textContent = showsBigBlinds(bigBlind) ? "bb" : "chips";
  setSize(presets.find((preset) => preset.to > least)?.to ?? least);
}

/**
 * @param {Preset} preset
 * @param {number} key
 */
function presetButton(preset, key) {
  const made = button(preset.name, () => setSize(preset.to));
  made.append(keyCap(String(key)));
  made.setAttribute("aria-keyshortcuts", String(key));
  made.dataset["to"] = String(preset.to);
  return made;
}

const presetButtons = () =>
  /** @type {HTMLCollectionOf<HTMLButtonElement>} */ (part("presets").children);

// The slider: equal steps multiply the bet by the same factor.

/** @returns {{ least: number, most: number, before: number }} the bets on this street */
function betBounds() {
  if (!offered?.raise) return { least: 1, most: 1, before: 0 };
  const { raise, spentBefore: before } = offered;
  return { least: raise.least - before, most: raise.most - before, before };
}

function numSteps() {
  const { least, most } = betBounds();
  return Math.max(
    1,
    Math.min(MOST_STEPS, Math.floor(Math.log(most / least) / Math.log1p(1 / least))),
  );
}

function slide() {
  const { least, most, before } = betBounds();
  const bet = least * (most / least) ** (Number(part("size").value) / numSteps());
  choose(bet + before);
}

/** @param {number} bet */
function stepOf(bet) {
  const { least, most } = betBounds();
  return most > least
    ? Math.round((numSteps() * Math.log(bet / least)) / Math.log(most / least))
    : 0;
}

function setTyped() {
  if (!offered) return;
  const typed = Number(part("amount").value);
  const chips = showsBigBlinds(offered.bigBlind) ? typed * offered.bigBlind : typed;
  setSize(chips + offered.spentBefore);
}

/** @param {number} wanted */
function setSize(wanted) {
  choose(wanted);
  part("size").value = String(stepOf(chosen - betBounds().before));
}

/**
 * Take a legal size near the wanted one, and show it.
 * @param {number} wanted
 */
function choose(wanted) {
  if (!offered?.raise) return;
  const { bigBlind, spentBefore, pot, call, maxSpent } = offered;
  const { least, most, word } = offered.raise;
  chosen = Math.max(least, Math.min(most, Math.round(wanted) || least));
  const bet = chosen - spentBefore;
  const inBlinds = showsBigBlinds(bigBlind);
  part("amount").value = String(inBlinds ? Number((bet / bigBlind).toFixed(2)) : bet);
  part("unit").textContent = inBlinds ? "bb" : "chips";
  part("size").setAttribute("aria-valuetext", amount(bet, bigBlind));
  for (const preset of presetButtons()) {
    preset.setAttribute("aria-pressed", String(Number(preset.dataset["to"]) === chosen));
  }
  const named = `${word === "bet" ? "Bet" : "Raise to"} ${amount(bet, bigBlind)}`;
  face(part("raise"), named, shareText((chosen - maxSpent) / Math.max(1, pot + call)), "r");
}

function raise() {
  if (offered?.raise) take(offered.raise.isFixed ? "r" : `r${chosen}`);
}

/** @param {string} action */
function take(action) {
  if (offered === null) return;
  offer(null);
  send(action);
}

/**
 * Press the button of a key; return whether there is one.
 * @param {string} key
 */
export function actionKey(key) {
  if (offered === null) return false;
  const named = KEYS[key];
  const target = named ? part(named) : presetButtons()[Number(key) - 1];
  if (!target || target.hidden || target.disabled || (!named && part("sizes").hidden)) {
    return false;
  }
  target.click();
  return true;
}
