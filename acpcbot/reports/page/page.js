"use strict";
// The replayer and the player filter of a report. The rules were applied when the page was made:
// this script only adds up chips.
(() => {
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const WORDS = { f: "folds", k: "checks", c: "calls", b: "bets", r: "raises to" };
  // Seats side by side, by how many there are: rows as even as they can be.
  const COLUMNS = { 4: 4, 6: 3, 7: 4, 8: 4 };
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);
  const number = (chips) => chips.toLocaleString("en-US", { maximumFractionDigits: 2 });

  // From a hand's data to the states to step through

  function unfold([index, source, line, id, players, holes, board, steps, won, further]) {
    const holeCards = holes.split("|");
    const boards = board.split("/");
    const states = [firstState(players)];
    for (const step of steps.split(" ")) {
      states.push(step === "/" ? nextStreet(states.at(-1)) : afterAction(states.at(-1), step, players));
    }
    states.push(result(states.at(-1), won, further, players));
    return { index, source, line, id, players, holeCards, boards, states };
  }

  function firstState(players) {
    const spent = [...data.blinds];
    return { spent, before: spent.map(() => 0), folded: spent.map(() => false),
      lastAction: blindWords(), street: 0, actor: -1, caption: "The cards are dealt.", won: null };
  }

  function blindWords() {
    return data.blinds.map((blind) => (blind ? `posts ${number(blind)}` : ""));
  }

  function nextStreet(state) {
    const street = state.street + 1;
    return { ...state, street, before: [...state.spent], lastAction: state.lastAction.map(() => ""), actor: -1,
      caption: `The ${data.streets[street]} is dealt.` };
  }

  function afterAction(state, step, players) {
    const [, seat, kind, spent] = step.match(/^(\d)(\w)(\d+)$/);
    const next = { ...state, actor: Number(seat), spent: [...state.spent],
      folded: [...state.folded], lastAction: [...state.lastAction] };
    next.spent[seat] = Number(spent);
    next.folded[seat] = kind === "f";
    next.lastAction[seat] = actionWords(kind, Number(spent), state.spent[seat], state.before[seat]);
    next.caption = `${data.players[players[seat]]} ${next.lastAction[seat]}.`;
    return next;
  }

  function actionWords(kind, spent, spentBefore, atStreetStart) {
    const amounts = { c: spent - spentBefore, b: spent - atStreetStart, r: spent - atStreetStart };
    return kind in amounts ? `${WORDS[kind]} ${number(amounts[kind])}` : WORDS[kind];
  }

  function result(state, won, further, players) {
    const winners = won.flatMap((chips, seat) => (chips > 0 ? [`${data.players[players[seat]]} wins ${number(chips)}`] : []));
    const lastAction = won.map((chips, seat) => [signed(chips), ...otherwise(further[seat])].join(" · "));
    const caption = `${winners.join(", ") || "Nobody wins anything"}.`;
    return { ...state, actor: -1, lastAction, won, caption };
  }

  function otherwise(chips = []) {
    return chips.flatMap((one, column) => (one === null ? [] : [`${data.columns[column]} ${signed(one)}`]));
  }

  function signed(chips) {
    return chips > 0 ? `+${number(chips)}` : chips < 0 ? `−${number(-chips)}` : "±0";
  }

  // Drawing

  function make(tag, className, ...children) {
    const made = document.createElement(tag);
    made.className = className;
    made.append(...children);
    return made;
  }

  function cards(text) {
    const pairs = text.match(/../g) || [];
    return pairs.map(([rank, suit]) => make("span", "dh".includes(suit) ? "card red" : "card", rank + SUITS[suit]));
  }

  function drawSeat(hand, state, seat) {
    const stack = data.stacks[seat];
    const left = stack === null ? `${number(state.spent[seat])} in` : `${number(stack - state.spent[seat])} left`;
    const holeCards = make("div", "cards", ...cards(hand.holeCards[seat]));
    const name = make("div", "name", data.players[hand.players[seat]]);
    const lastAction = make("div", "last-action", state.lastAction[seat]);
    if (state.won) lastAction.classList.add(state.won[seat] > 0 ? "won" : state.won[seat] < 0 ? "lost" : "even");
    const label = make("div", "label", data.seats[seat]);
    const drawn = make("li", "seat", label, name, holeCards, make("div", "chips", left), lastAction);
    drawn.classList.toggle("acting", state.actor === seat);
    drawn.classList.toggle("folded", state.folded[seat]);
    return drawn;
  }

  function draw() {
    const state = hand.states[step];
    part("board").replaceChildren(...hand.boards.slice(0, state.street + 1).flatMap(cards));
    part("pot").textContent = `pot ${number(state.spent.reduce((sum, chips) => sum + chips, 0))}`;
    part("seats").replaceChildren(...hand.players.map((_, seat) => drawSeat(hand, state, seat)));
    part("caption").textContent = state.caption;
    part("found").textContent = `hand ${hand.id} · ${data.sources[hand.source]}:${hand.line}${only}`;
    part("place").value = place + 1;
    part("place").max = shown.length;
    part("count").textContent = number(shown.length);
    part("first").disabled = part("back").disabled = step === 0;
    part("last").disabled = part("forward").disabled = step === hand.states.length - 1;
    part("previous").disabled = place === 0;
    part("next").disabled = place === shown.length - 1;
  }

  // The hand and the step that are shown

  let shown = data.hands;
  let only = "";
  let place = 0;
  let step = 0;
  let hand = null;

  function open(wanted, { atEnd = false } = {}) {
    place = Math.max(0, Math.min(shown.length - 1, wanted));
    hand = unfold(shown[place]);
    step = atEnd ? hand.states.length - 1 : 0;
    draw();
  }

  function go(wanted) {
    step = Math.max(0, Math.min(hand.states.length - 1, wanted));
    draw();
  }

  const moves = {
    first: () => go(0),
    back: () => go(step - 1),
    forward: () => go(step + 1),
    last: () => go(hand.states.length - 1),
    previous: () => open(place - 1),
    next: () => open(place + 1),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last", p: "previous", n: "next" };

  function pressKey(event) {
    const isTyping = ["INPUT", "SELECT"].includes(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    moves[keys[event.key]]();
    event.preventDefault();
  }

  function followLink() {
    const index = Number((location.hash.match(/^#hand-(\d+)$/) || [])[1]);
    if (!data.hands.some(([number]) => number === index)) return;
    if (!shown.some(([number]) => number === index)) show(-1);
    open(shown.findIndex(([number]) => number === index));
    part("replayer").scrollIntoView();
  }

  function choosePlayer(value) {
    part("player").value = value;
    const sections = [...document.querySelectorAll(".player")];
    sections.forEach((section, number) => { section.hidden = value !== "" && number !== Number(value); });
    show(value === "" ? -1 : data.players.indexOf(sections[Number(value)].dataset.player));
  }

  // Step through the hands of one player, or with -1 through all; the open hand stays open if it
  // is one of them.
  function show(player) {
    shown = player < 0 ? data.hands : data.hands.filter((one) => one[4].includes(player));
    only = shown.length < data.hands.length ? ` · hands of ${data.players[player]} only` : "";
    part("replayer").hidden = !shown.length;
    const kept = hand ? shown.findIndex(([number]) => number === hand.index) : -1;
    if (kept < 0 && shown.length) open(0);
    if (kept >= 0) { place = kept; draw(); }
  }

  for (const [id, move] of Object.entries(moves)) part(id).addEventListener("click", move);
  part("place").addEventListener("change", (event) => open(Number(event.target.value) - 1 || 0));
  part("player").addEventListener("change", (event) => choosePlayer(event.target.value));
  document.addEventListener("keydown", pressKey);
  window.addEventListener("hashchange", followLink);
  document.addEventListener("click", (event) => {
    // The same link again changes no address, and still leads back to its hand.
    if (event.target.getAttribute("href") === location.hash && location.hash) followLink();
  });
  part("seats").style.setProperty("--columns", COLUMNS[data.seats.length] || Math.min(5, data.seats.length));
  part("filter").hidden = false;
  choosePlayer("0");
  followLink();
})();
