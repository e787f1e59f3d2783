// The buttons, and the size of a bet. What is legal, and within which bounds, is what the server said.

import { button, number, part } from "./dom.js";

let offered = null;
let send = () => {};

export function startActions(onAction) {
  send = onAction;
  part("fold").addEventListener("click", () => take("f"));
  part("call").addEventListener("click", () => take("c"));
  part("raise").addEventListener("click", raise);
  part("size").addEventListener("input", () => setSize(Number(part("size").value)));
  part("amount").addEventListener("change", () => setSize(Number(part("amount").value) + offered.spentBefore));
  part("amount").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    setSize(Number(part("amount").value) + offered.spentBefore);
    raise();
  });
}

export function offer(choices) {
  offered = choices;
  part("fold").hidden = part("call").hidden = part("raise").hidden = choices === null;
  part("sizes").hidden = !choices?.raise || choices.raise.isFixed;
  if (choices === null) return;
  part("fold").disabled = !choices.fold;
  part("call").textContent = choices.call ? `Call ${number(choices.call)}` : "Check";
  part("raise").hidden = choices.raise === null;
  if (choices.raise) offerRaise(choices.raise);
}

function offerRaise({ least, most, presets }) {
  const slider = part("size");
  [slider.min, slider.max] = [least, most];
  [part("amount").min, part("amount").max] = [least - offered.spentBefore, most - offered.spentBefore];
  part("presets").replaceChildren(...presets.map((preset) => presetButton(preset)));
  setSize(presets.find((preset) => preset.to > least)?.to ?? least);
}

function presetButton(preset) {
  const made = button(preset.name, () => setSize(preset.to));
  made.dataset.to = preset.to;
  return made;
}

function setSize(wanted) {
  if (!offered?.raise) return;
  const { least, most, word } = offered.raise;
  const raiseTo = Math.max(least, Math.min(most, Math.round(wanted) || least));
  part("size").value = raiseTo;
  part("amount").value = raiseTo - offered.spentBefore;
  part("size").setAttribute("aria-valuetext", number(raiseTo - offered.spentBefore));
  for (const preset of part("presets").children) preset.setAttribute("aria-pressed", Number(preset.dataset.to) === raiseTo);
  part("raise").textContent = `${word === "bet" ? "Bet" : "Raise to"} ${number(raiseTo - offered.spentBefore)}`;
  part("raise").dataset.to = raiseTo;
}

function raise() {
  if (offered?.raise) take(offered.raise.isFixed ? "r" : `r${part("raise").dataset.to}`);
}

function take(action) {
  if (offered === null) return;
  offer(null);
  send(action);
}

export function actionKey(key) {
  if (offered === null) return false;
  const chosen = { f: "fold", c: "call", k: "call", r: "raise", b: "raise" }[key];
  const target = chosen ? part(chosen) : part("presets").children[Number(key) - 1];
  if (!target || target.hidden || target.disabled || (!chosen && part("sizes").hidden)) return false;
  target.click();
  return true;
}
