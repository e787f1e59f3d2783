// Stepping through a hand that is over.

import { part } from "./dom.js";
import { clearFelt, clearViews, draw } from "./felt.js";

/** @import {View} from "./types.js" */

const STEP_MS = 900;

/** @type {View[]} */
let views = [];
let place = 0;
/** @type {number | undefined} */
let timer;
let whenOver = () => {};
/** @param {number} _step */
const ignoreStep = (_step) => {};
let whenStep = ignoreStep;

/**
 * @param {string} title
 * @param {View[]} found
 */
export function openReplay(
  title,
  found,
  { plays = false, onOver = () => {}, isClosable = true, onStep = ignoreStep } = {},
) {
  stop();
  clearViews();
  views = found;
  whenOver = onOver;
  whenStep = onStep;
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

/** Close the replay and leave nothing on the felt. */
export function clearReplay() {
  closeReplay();
  clearViews();
  clearFelt();
}

export const isReplaying = () => views.length > 0;
export const isPlaying = () => timer !== undefined;
export const replayStep = () => place;

/**
 * Stop playing and show a step.
 * @param {number} step
 */
export function showStep(step) {
  stop();
  go(step);
}

/** @param {number} wanted */
function go(wanted) {
  if (!views.length) return;
  place = Math.max(0, Math.min(views.length - 1, wanted));
  draw(views[place]);
  whenStep(place);
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
  timer = undefined;
  part("step-play").textContent = "▶";
  part("step-play").setAttribute("aria-label", "Play the steps");
}

function togglePlay() {
  if (timer !== undefined) {
    stop();
    return;
  }
  if (place === views.length - 1) go(0);
  play();
}

/** @type {["step-first" | "step-back" | "step-forward" | "step-last", () => void][]} */
const MOVES = [
  ["step-first", () => go(0)],
  ["step-back", () => go(place - 1)],
  ["step-forward", () => go(place + 1)],
  ["step-last", () => go(views.length - 1)],
];
/** @type {Record<string, (typeof MOVES)[number][0] | "step-play">} */
const KEYS = {
  Home: "step-first",
  ArrowLeft: "step-back",
  ArrowRight: "step-forward",
  End: "step-last",
  p: "step-play",
};

export function startReplayer() {
  for (const [id, move] of MOVES) {
    part(id).addEventListener("click", () => {
      stop();
      move();
    });
  }
  part("step-play").addEventListener("click", togglePlay);
}

/**
 * Press the button of a key; return whether there is one.
 * @param {string} key
 */
export function replayKey(key) {
  if (!isReplaying() || !(key in KEYS)) return false;
  part(KEYS[key]).click();
  return true;
}
