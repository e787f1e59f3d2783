// Choosing a game and who else sits down.

import { make, part } from "./dom.js";

const NAME = "acpcbot-name";
let games = [];

export function startLobby(onSit) {
  part("name").value = localStorage.getItem(NAME) || "";
  part("game").addEventListener("change", fillSeats);
  part("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    localStorage.setItem(NAME, part("name").value);
    const bots = [...document.querySelectorAll(".bot")].map((choice) => Number(choice.value));
    onSit({ type: "sit", game: Number(part("game").value), bots, name: part("name").value });
  });
}

export function fillLobby(offers) {
  games = offers;
  const chosen = part("game").value;
  part("game").replaceChildren(...games.map(({ name }, place) => new Option(name, place)));
  if (chosen !== "" && Number(chosen) < games.length) part("game").value = chosen;
  fillSeats();
}

function fillSeats() {
  const { numBots, strategies } = games[Number(part("game").value)];
  const fields = Array.from({ length: numBots }, (_, place) => {
    const choice = make("select", "bot");
    choice.append(...strategies.map(({ name, note }, number) => new Option(note ? `${name} — ${note}` : name, number)));
    return make("label", "field", numBots === 1 ? "Opponent " : `Opponent ${place + 1} `, choice);
  });
  part("seats-to-fill").replaceChildren(...fields);
}
