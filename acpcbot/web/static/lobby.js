// The choice of a game and of the bots that sit down.

import { make, part } from "./dom.js";

/** @import {Game, Send} from "./types.js" */

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
  const options = games.map(({ name }, place) => new Option(name, String(place)));
  part("game").replaceChildren(...options);
  if (chosen !== "" && Number(chosen) < games.length) part("game").value = chosen;
  fillSeats();
}

function fillSeats() {
  const { numBots, strategies } = games[Number(part("game").value)];
  const fields = Array.from({ length: numBots }, (_, place) => {
    const choice = make("select", "bot");
    const options = strategies.map(
      ({ name, note }, number) => new Option(note ? `${name} — ${note}` : name, String(number)),
    );
    choice.append(...options);
    const label = numBots === 1 ? "Opponent " : `Opponent ${place + 1} `;
    return make("label", "field", label, choice);
  });
  part("seats-to-fill").replaceChildren(...fields);
}
