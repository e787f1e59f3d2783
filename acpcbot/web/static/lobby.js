// The choice of a game and of the bots that sit down.

import { make, part } from "./dom.js";

/** @import {Game, OfferedStrategy, Opponent, Send} from "./types.js" */

const NAME = "acpcbot-name";
/** @type {Game[]} */
let games = [];

/** @param {Send} onSit */
export function startLobby(onSit) {
  part("name").value = localStorage.getItem(NAME) || "";
  part("game").addEventListener("change", fillSeats);
  part("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = part("name").value;
    localStorage.setItem(NAME, name);
    onSit({ type: "sit", game: Number(part("game").value), bots: chosenBots(), name });
  });
}

/** @returns {number[]} */
function chosenBots() {
  /** @type {NodeListOf<HTMLSelectElement>} */
  const choices = document.querySelectorAll("select.bot");
  return [...choices].map((choice) => Number(choice.value));
}

/** @param {Game[]} offers */
export function fillLobby(offers) {
  games = offers;
  const chosen = part("game").value;
  const options = games.map(({ title }, place) => new Option(title, String(place)));
  part("game").replaceChildren(...options);
  if (chosen !== "" && Number(chosen) < games.length) part("game").value = chosen;
  fillSeats();
}

function fillSeats() {
  const { name, numBots, strategies } = games[Number(part("game").value)];
  part("game-name").textContent = name;
  const fields = Array.from({ length: numBots }, (_, place) =>
    seatField(strategies, numBots === 1 ? "Opponent " : `Opponent ${place + 1} `),
  );
  part("seats-to-fill").replaceChildren(...fields);
}

/**
 * Make a choice of strategies, and a line with the name and the card of the chosen one.
 * @param {OfferedStrategy[]} strategies
 * @param {string} label
 */
function seatField(strategies, label) {
  const choice = make("select", "bot");
  choice.append(...strategies.map(({ title }, number) => new Option(title, String(number))));
  const line = make("p", "note strategy-line");
  const describe = () => line.replaceChildren(...describedBy(strategies[Number(choice.value)]));
  choice.addEventListener("change", describe);
  describe();
  return make("div", "seat-field", make("label", "field", label, choice), line);
}

/** @param {OfferedStrategy} strategy */
function describedBy({ name, card }) {
  return card ? [make("span", "", name), cardLink(card)] : [make("span", "", name)];
}

/**
 * Make a link to a strength card.
 * @param {string} address
 */
function cardLink(address) {
  const link = make("a", "card-link", "strength card");
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener";
  return link;
}

/** @param {Opponent[]} opponents */
export function listOpponents(opponents) {
  part("opponents").replaceChildren(...opponents.flatMap(opponentItem));
}

/**
 * Make an item for a strategy, which may sit in several seats.
 * @param {Opponent} opponent
 * @param {number} place
 * @param {Opponent[]} all
 */
function opponentItem({ title, card }, place, all) {
  const seats = all.filter((one) => one.title === title);
  if (seats[0] !== all[place]) return [];
  const count = seats.length > 1 ? `${seats.length} × ` : "";
  return [make("li", "", count + title, ...(card ? [" ", cardLink(card)] : []))];
}
