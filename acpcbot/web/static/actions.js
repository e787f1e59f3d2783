// The buttons, and the size of a bet. The server says what is legal, and within which bounds.

import { button, number, part } from "./dom.js";

/** @import {Choices, Preset, Raise} from "./types.js" */

/** @type {Choices | null} */
let offered = null;
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
  part("size").addEventListener("input", () => setSize(Number(part("size").value)));
  part("amount").addEventListener("change", setTyped);
  part("amount").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    setTyped();
    raise();
  });
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
  part("call").textContent = choices.call ? `Call ${number(choices.call)}` : "Check";
  part("raise").hidden = choices.raise === null;
  if (choices.raise) offerRaise(choices.raise, choices.spentBefore);
}

/**
 * @param {Raise} bounds
 * @param {number} spentBefore
 */
function offerRaise({ least, most, presets }, spentBefore) {
  const [slider, amount] = [part("size"), part("amount")];
  [slider.min, slider.max] = [String(least), String(most)];
  [amount.min, amount.max] = [String(least - spentBefore), String(most - spentBefore)];
  part("presets").replaceChildren(...presets.map((preset) => presetButton(preset)));
  setSize(presets.find((preset) => preset.to > least)?.to ?? least);
}

/** @param {Preset} preset */
function presetButton(preset) {
  const made = button(preset.name, () => setSize(preset.to));
  made.dataset["to"] = String(preset.to);
  return made;
}

const presetButtons = () =>
  /** @type {HTMLCollectionOf<HTMLButtonElement>} */ (part("presets").children);

function setTyped() {
  if (offered) setSize(Number(part("amount").value) + offered.spentBefore);
}

/** @param {number} wanted */
function setSize(wanted) {
  if (!offered?.raise) return;
  const { least, most, word } = offered.raise;
  const raiseTo = Math.max(least, Math.min(most, Math.round(wanted) || least));
  const bet = raiseTo - offered.spentBefore;
  part("size").value = String(raiseTo);
  part("amount").value = String(bet);
  part("size").setAttribute("aria-valuetext", number(bet));
  for (const preset of presetButtons()) {
    preset.setAttribute("aria-pressed", String(Number(preset.dataset["to"]) === raiseTo));
  }
  part("raise").textContent = `${word === "bet" ? "Bet" : "Raise to"} ${number(bet)}`;
  part("raise").dataset["to"] = String(raiseTo);
}

function raise() {
  if (offered?.raise) take(offered.raise.isFixed ? "r" : `r${part("raise").dataset["to"]}`);
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
  const chosen = KEYS[key];
  const target = chosen ? part(chosen) : presetButtons()[Number(key) - 1];
  if (!target || target.hidden || target.disabled || (!chosen && part("sizes").hidden)) {
    return false;
  }
  target.click();
  return true;
}
