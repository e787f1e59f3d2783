// Amounts in chips or in big blinds, as the person chooses; the choice is remembered.

import { number, part, signed } from "./dom.js";

/** @import {Words} from "./types.js" */

const KEY = "acpcbot-unit";
const BIG_BLINDS = "bb";
/** The big blind of the person's own match. */
let ownBigBlind = 0;

/** @param {() => void} onChange */
export function startUnits(onChange) {
  part("big-blinds").checked = localStorage.getItem(KEY) === BIG_BLINDS;
  part("big-blinds").addEventListener("change", () => {
    localStorage.setItem(KEY, part("big-blinds").checked ? BIG_BLINDS : "chips");
    onChange();
  });
}

/** @param {number} chips */
export function setOwnBigBlind(chips) {
  ownBigBlind = chips;
}

/**
 * Return an amount of the person's own match with its sign.
 * @param {number} chips
 */
export const signedOwn = (chips) => signedAmount(chips, ownBigBlind);

/**
 * Return whether amounts are shown in big blinds of this size; games without blinds have none.
 * @param {number} bigBlind
 */
export const showsBigBlinds = (bigBlind) => part("big-blinds").checked && bigBlind > 0;

/**
 * @param {number} chips
 * @param {number} bigBlind
 */
export const amount = (chips, bigBlind) =>
  showsBigBlinds(bigBlind) ? `${number(chips / bigBlind)} bb` : number(chips);

/**
 * @param {number} chips
 * @param {number} bigBlind
 */
export const signedAmount = (chips, bigBlind) =>
  showsBigBlinds(bigBlind) ? `${signed(chips / bigBlind)} bb` : signed(chips);

/**
 * Return a text whose numbers are chips.
 * @param {Words} pieces
 * @param {number} bigBlind
 */
export const words = (pieces, bigBlind) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : amount(piece, bigBlind))).join("");
