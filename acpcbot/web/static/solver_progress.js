// Progress of a job: words, a bar on the way to the target, and the curve of exploitability.

import { make, number } from "./dom.js";
import { part } from "./solver_requests.js";

/** @import {Job, SpotSize} from "./solver_types.js" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [640, 150];
const PHASES = {
  building: "Building the game. The first time the solver is compiled, which takes half a minute.",
  solving: "Solving",
  solved: "Solved",
  stopped: "Stopped",
  failed: "Failed",
};

/** @param {Job} job */
export function showProgress(job) {
  part("progress").hidden = false;
  const isRunning = job.phase === "building" || job.phase === "solving";
  const text = PHASES[job.phase] + (job.reason ? `: ${job.reason}` : "");
  const phase = `${text}. ${job.label}`.replace("..", ".");
  // Screen readers are told when the phase changes, and not of every number.
  if (part("phase").textContent !== phase) part("phase").textContent = phase;
  part("stop").hidden = !isRunning || !job.isOwn;
  part("effort").textContent = effort(job);
  const bar = part("progress-bar");
  bar.hidden = job.phase === "failed";
  if (job.phase === "building") bar.removeAttribute("value");
  else bar.value = isRunning ? wayToTarget(job) : 1;
  part("curve").replaceChildren(...(job.curve.length > 2 ? curve(job) : []));
}

/** @param {Job} job */
function effort(job) {
  const last = job.curve[job.curve.length - 1];
  if (!last) return job.phase === "solving" ? `${job.elapsed.toFixed(0)} s` : "";
  const [iterations, seconds, percent] = last;
  const found = `exploitable for ${percent.toPrecision(2)} % of the pot`;
  const target = `target ${job.spot.target} %`;
  return `${number(iterations)} iterations, ${secondsText(seconds)}: ${found} (${target})`;
}

/** @param {number} seconds */
const secondsText = (seconds) => (seconds < 0.1 ? "under 0.1 s" : `${seconds.toFixed(1)} s`);

/** Return the way gone on a logarithmic scale. @param {Job} job */
function wayToTarget({ curve: points, spot }) {
  if (!points.length) return 0;
  const [first, last] = [points[0][2], points[points.length - 1][2]];
  if (last <= spot.target || first <= spot.target) return 1;
  return Math.max(0, Math.log(first / last) / Math.log(first / spot.target));
}

/** @param {Job} job */
function curve({ curve: points, spot }) {
  const values = points.map(([, , percent]) => percent);
  const top = Math.log(Math.max(...values, spot.target));
  const bottom = Math.log(Math.min(...values.filter((one) => one > 0), spot.target) / 1.3);
  const longest = points[points.length - 1][1] || 1;
  /** @type {(percent: number) => number} */
  const height = (percent) =>
    8 + ((HEIGHT - 16) * (top - Math.log(Math.max(percent, 1e-9)))) / (top - bottom || 1);
  const drawn = shape("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    class: "curve",
    role: "img",
  });
  drawn.setAttribute("aria-label", "Exploitability by time, on a logarithmic scale");
  const target = height(spot.target).toFixed(1);
  const places = points.map(
    ([, seconds, percent]) =>
      `${((WIDTH * seconds) / longest).toFixed(1)},${Math.min(HEIGHT, height(percent)).toFixed(1)}`,
  );
  drawn.append(
    shape("line", { x1: "0", x2: String(WIDTH), y1: target, y2: target, class: "target" }),
    shape("polyline", { points: places.join(" ") }),
  );
  const [start, end] = [values[0], values[values.length - 1]].map((one) => one.toPrecision(2));
  const words = `from ${start} % to ${end} % in ${secondsText(longest)}; dashed: the target`;
  return [drawn, make("p", "note", `Exploitability, logarithmic: ${words}`)];
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * Say what a spot takes.
 * @param {SpotSize} size
 */
export function sizeText({ decisions, boards, bytes, freeBytes, seconds }) {
  const free = freeBytes === null ? "" : ` of ${byteText(freeBytes)} that it may take`;
  const onBoards = boards === 1 ? "one board" : `${number(boards)} boards`;
  const counts = `${number(decisions)} decisions, ${onBoards}`;
  return `${counts}: ${byteText(bytes)} of memory${free}, ${timeText(seconds)} to the target.`;
}

/** @param {number} bytes */
function byteText(bytes) {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e7 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return `some ${Number(seconds.toPrecision(1))} s`;
  return `some ${Number((seconds / 60).toPrecision(seconds < 600 ? 1 : 2))} min`;
}
