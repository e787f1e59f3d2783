// Starred hands, kept by the browser for all reports: a hand is known by its log, line, number and
// cards, so it is starred in every report of its log.
import { handCards } from "./replayer.js";

/** @import {Report} from "./types.js" */

const STORED = "acpcbot.stars";

/** @returns {string[]} */
function storedKeys() {
  try {
    const found = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(found) ? found.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Return the line in a key, NaN if it has none.
 * @param {string} key
 */
const lineOf = (key) => Number(key.match(/,(\d+),\d+,"[^"]*"\]$/)?.[1]);

/**
 * Return the starred hands of a report, and a function that stars one or takes its star away. It
 * returns false where the browser keeps nothing.
 * @param {Report} report
 */
export function readStars(report) {
  const { data, columns } = report;
  /** @param {number} hand */
  const keyOf = (hand) =>
    JSON.stringify([
      data.sources[columns["source"][hand]],
      columns["line"][hand],
      columns["id"][hand],
      handCards(report, hand),
    ]);
  const known = new Set(storedKeys());
  // Lines first: making the keys of all hands would take longer than everything else on the page.
  const lines = new Set(Array.from(known, lineOf));
  /** @type {Set<number>} */
  const hands = new Set();
  if (known.size) {
    for (const hand of columns["replayed"]) {
      if (lines.has(columns["line"][hand]) && known.has(keyOf(hand))) hands.add(hand);
    }
  }

  /** @param {number} hand */
  function toggle(hand) {
    const [key, isNew] = [keyOf(hand), !hands.has(hand)];
    if (isNew) hands.add(hand);
    else hands.delete(hand);
    // Other pages may have starred hands since this one was opened.
    const others = storedKeys().filter((other) => other !== key);
    try {
      localStorage.setItem(STORED, JSON.stringify(isNew ? [...others, key] : others));
      return true;
    } catch {
      return false;
    }
  }

  return { hands, toggle };
}
