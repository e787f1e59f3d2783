// Solutions of the solver's page: their streets and the studies of decisions, read from the server.

import { findDecision, parseStreet } from "./solver_data.js";
import { ask } from "./solver_requests.js";

/** @import {StudyData} from "./study_types.js" */
/** @import {Job, Solution, SolvedDecision} from "./solver_types.js" */

/**
 * Return a solution whose first street is this file.
 * @param {string} name
 * @param {number | null} job null for a file
 * @param {string} text
 * @returns {Solution}
 */
export const solutionOf = (name, job, text) => ({
  name,
  job,
  streets: [{ text, data: parseStreet(text) }],
  studies: new Map(),
});

/**
 * Return the study of the decision after these words, if it was read.
 * @param {Solution} solution
 * @param {string[]} words
 */
export const findStudy = (solution, words) => solution.studies.get(words.join(", "));

/**
 * Read the street and the study of a decision, unless they were read before.
 * @param {Solution} solution
 * @param {string[]} words
 */
export async function readDecision(solution, words) {
  await readStreet(solution, words);
  const decision = findDecision(solution, words);
  if (!decision || findStudy(solution, words)) return;
  /** @type {StudyData} */
  const study = JSON.parse(await studyText(solution, decision));
  solution.studies.set(words.join(", "), study);
}

/**
 * @param {Solution} solution
 * @param {string[]} words
 */
async function readStreet(solution, words) {
  if (findDecision(solution, words) || solution.job === null) return;
  const text = await ask("street", { job: solution.job, words: streetStart(words) });
  solution.streets.push({ text, data: parseStreet(text) });
}

/**
 * Return the words up to the last card: all decisions of a street come at once.
 * @param {string[]} words
 */
function streetStart(words) {
  const cards = words.map((word) => /^([2-9TJQKA][cdhs])+$/.test(word));
  return words.slice(0, cards.lastIndexOf(true) + 1);
}

/**
 * Ask for the study of a decision. Where the server has forgotten the solution the street that was
 * read stands for it, which says less, and the study notes so.
 * @param {Solution} solution
 * @param {SolvedDecision} decision
 */
async function studyText({ job }, decision) {
  if (job !== null && (await isKept(job))) return ask("study", { job, words: decision.after });
  const { board, seat, pot_chips, actions, hands, weights, probabilities, ev_chips } = decision;
  const numbers = { weights, probabilities, ev_chips, equities: decision.equities ?? null };
  return ask("file-study", { board, seat, pot_chips, actions, hands, ...numbers });
}

/** @param {number} number */
async function isKept(number) {
  /** @type {{ jobs: Job[] }} */
  const { jobs } = JSON.parse(await ask("jobs"));
  return jobs.some(({ job, isKept }) => job === number && isKept);
}
