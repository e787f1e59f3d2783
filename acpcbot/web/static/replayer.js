// Stepping through a hand that is over.

import { part } from "./dom.js";
import { clearScenes, draw } from "./felt.js";

const STEP_MS = 900;

let views = [];
let place = 0;
let timer = null;
let whenOver = () => {};

export function openReplay(title, found, { plays = false, onOver = () => {}, isClosable = true } = {}) {
  stop();
  clearScenes();
  views = found;
  whenOver = onOver;
  part("step-title").textContent = title;
  part("step-close").hidden = !isClosable;
  part("steps").hidden = false;
  part("actions").hidden = true;
  go(0);
  if (plays) play();
}

export function closeReplay() {
  stop();
  views = [];
  part("steps").hidden = true;
}

export const isReplaying = () => views.length > 0;
export const isPlaying = () => timer !== null;

function go(wanted) {
  if (!views.length) return;
  place = Math.max(0, Math.min(views.length - 1, wanted));
  draw(views[place]);
  part("step-first").disabled = part("step-back").disabled = place === 0;
  part("step-last").disabled = part("step-forward").disabled = place === views.length - 1;
}

function play() {
  part("step-play").textContent = "❚❚";
  part("step-play").setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    if (place === views.length - 1) {
      stop();
      whenOver();
    } else {
      go(place + 1);
    }
  }, STEP_MS);
}

function stop() {
  clearInterval(timer);
  timer = null;
  part("step-play").textContent = "▶";
  part("step-play").setAttribute("aria-label", "Play the steps");
}

const moves = {
  "step-first": () => go(0),
  "step-back": () => go(place - 1),
  "step-forward": () => go(place + 1),
  "step-last": () => go(views.length - 1),
};
const KEYS = { Home: "step-first", ArrowLeft: "step-back", ArrowRight: "step-forward", End: "step-last", p: "step-play" };

export function startReplayer() {
  for (const [id, move] of Object.entries(moves)) {
    part(id).addEventListener("click", () => { stop(); move(); });
  }
  part("step-play").addEventListener("click", () => {
    if (timer !== null) return stop();
    if (place === views.length - 1) go(0);
    return play();
  });
}

export function replayKey(key) {
  if (!isReplaying() || !(key in KEYS)) return false;
  part(KEYS[key]).click();
  return true;
}
