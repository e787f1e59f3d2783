// Short tones for what happens at the table, off unless the person switches them on.

import { part } from "./dom.js";

const KEY = "acpcbot-sound";
const ON = "on";
const LOUDNESS = 0.08;
/** Pitches in hertz and lengths in seconds, one after another. */
const TONES = {
  deal: [[880, 0.05]],
  bet: [
    [523, 0.05],
    [659, 0.06],
  ],
  turn: [
    [660, 0.08],
    [880, 0.12],
  ],
  won: [
    [523, 0.09],
    [659, 0.09],
    [784, 0.16],
  ],
};

/** @type {AudioContext | undefined} */
let context;

export function startSound() {
  part("sound").checked = localStorage.getItem(KEY) === ON;
  part("sound").addEventListener("change", () => {
    localStorage.setItem(KEY, part("sound").checked ? ON : "off");
    play("turn");
  });
}

/**
 * Play the tones of what happened, where sound is on.
 * @param {keyof typeof TONES} name
 */
export function play(name) {
  if (!part("sound").checked) return;
  context ??= new AudioContext();
  // Browsers let nothing sound before the person has done something on the page.
  if (context.state === "suspended") context.resume();
  let start = context.currentTime;
  for (const [pitch, length] of TONES[name]) {
    tone(context, pitch, start, length);
    start += length;
  }
}

/**
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {number} start
 * @param {number} length
 */
function tone(audio, pitch, start, length) {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDNESS, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
