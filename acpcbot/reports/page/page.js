// The replayer and the player filter of a report. The rules were applied when the page was made:
// this script only adds up chips.
import { drawShown } from "./hand_grid.js";

/** @import {Hand, Parts, ReplayData, Row, State} from "./types.js" */
(() => {
  /** @type {Record<string, string>} */
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  /** @type {Record<string, string>} */
  const WORDS = { f: "folds", k: "checks", c: "calls", b: "bets", r: "raises to" };
  // Seats side by side, by how many there are: rows as even as they can be.
  /** @type {Record<number, number>} */
  const COLUMNS = { 4: 4, 6: 3, 7: 4, 8: 4 };

  /**
   * @template {keyof Parts} Id
   * @param {Id} id
   */
  const part = (id) => /** @type {Parts[Id]} */ (document.getElementById(id));

  /** @type {ReplayData} */
  const data = JSON.parse(part("data").textContent);

  /** @param {number} chips */
  const number = (chips) => chips.toLocaleString("en-US", { maximumFractionDigits: 2 });

  /** @param {number} chips */
  const signed = (chips) =>
    chips > 0 ? `+${number(chips)}` : chips < 0 ? `−${number(-chips)}` : "±0";

  // From a hand's data to the states to step through

  /**
   * @param {Row} row
   * @returns {Hand}
   */
  function unfold([index, source, line, id, players, holes, board, steps, won, further]) {
    const names = players.map((player) => data.players[player]);
    let state = firstState();
    const states = [state];
    for (const step of steps.split(" ")) {
      state = step === "/" ? nextStreet(state) : afterAction(state, step, names);
      states.push(state);
    }
    states.push(result(state, won, further, names));
    const [holeCards, boards] = [holes.split("|"), board.split("/")];
    return { index, source, line, id, players, holeCards, boards, states };
  }

  /** @returns {State} */
  function firstState() {
    return {
      spent: [...data.blinds],
      before: data.blinds.map(() => 0),
      folded: data.blinds.map(() => false),
      lastAction: data.blinds.map((blind) => (blind ? `posts ${number(blind)}` : "")),
      street: 0,
      actor: -1,
      caption: "The cards are dealt.",
      won: null,
    };
  }

  /**
   * @param {State} state
   * @returns {State}
   */
  function nextStreet(state) {
    const street = state.street + 1;
    const lastAction = state.lastAction.map(() => "");
    const caption = `The ${data.streets[street]} is dealt.`;
    return { ...state, street, before: [...state.spent], lastAction, actor: -1, caption };
  }

  /**
   * @param {State} state
   * @param {string} step
   * @param {string[]} names
   * @returns {State}
   */
  function afterAction(state, step, names) {
    const [seat, kind, chips] = [Number(step[0]), step[1], Number(step.slice(2))];
    const isAllIn = "br".includes(kind) && chips === data.stacks[seat];
    const words = isAllIn
      ? `goes all-in for ${number(chips - state.before[seat])}`
      : actionWords(kind, chips, state.spent[seat], state.before[seat]);
    return {
      ...state,
      actor: seat,
      spent: replaced(state.spent, seat, chips),
      folded: replaced(state.folded, seat, kind === "f"),
      lastAction: replaced(state.lastAction, seat, words),
      caption: `${names[seat]} ${words}.`,
    };
  }

  /**
   * @template Value
   * @param {Value[]} values
   * @param {number} seat
   * @param {Value} value
   */
  function replaced(values, seat, value) {
    return values.map((old, place) => (place === seat ? value : old));
  }

  /**
   * @param {string} kind
   * @param {number} spent
   * @param {number} spentBefore
   * @param {number} atStreetStart
   */
  function actionWords(kind, spent, spentBefore, atStreetStart) {
    if (kind === "c") return `${WORDS[kind]} ${number(spent - spentBefore)}`;
    if (kind === "b" || kind === "r") return `${WORDS[kind]} ${number(spent - atStreetStart)}`;
    return WORDS[kind];
  }

  /**
   * @param {State} state
   * @param {number[]} won
   * @param {(number | null)[][]} further
   * @param {string[]} names
   * @returns {State}
   */
  function result(state, won, further, names) {
    const winners = won.flatMap((chips, seat) =>
      chips > 0 ? [`${names[seat]} wins ${number(chips)}`] : [],
    );
    const lastAction = won.map((chips, seat) =>
      [signed(chips), ...otherwise(further[seat])].join(" · "),
    );
    const caption = `${winners.join(", ") || "Nobody wins anything"}.`;
    return { ...state, actor: -1, lastAction, won, caption };
  }

  /** @param {(number | null)[] | undefined} chips */
  function otherwise(chips = []) {
    return chips.flatMap((one, column) =>
      one === null ? [] : [`${data.columns[column]} ${signed(one)}`],
    );
  }

  // Drawing

  /**
   * @param {keyof HTMLElementTagNameMap} tag
   * @param {string} className
   * @param {(Node | string)[]} children
   */
  function make(tag, className, ...children) {
    const made = document.createElement(tag);
    made.className = className;
    made.append(...children);
    return made;
  }

  /** @param {string} text */
  function cards(text) {
    const pairs = text.match(/../g) || [];
    return pairs.map(([rank, suit]) =>
      make("span", "dh".includes(suit) ? "card red" : "card", rank + SUITS[suit]),
    );
  }

  /**
   * @param {Hand} shown
   * @param {State} state
   * @param {number} seat
   */
  function drawSeat(shown, state, seat) {
    const stack = data.stacks[seat];
    const spent = state.spent[seat];
    const left = stack === null ? `${number(spent)} in` : `${number(stack - spent)} left`;
    const lastAction = make("div", "last-action", state.lastAction[seat]);
    if (state.won) {
      const won = state.won[seat];
      lastAction.classList.add(won > 0 ? "won" : won < 0 ? "lost" : "even");
    }
    const drawn = make(
      "li",
      "seat",
      make("div", "label", data.seats[seat]),
      make("div", "name", data.players[shown.players[seat]]),
      make("div", "cards", ...cards(shown.holeCards[seat])),
      make("div", "chips", left),
      lastAction,
    );
    drawn.classList.toggle("acting", state.actor === seat);
    drawn.classList.toggle("folded", state.folded[seat]);
    return drawn;
  }

  /** @param {Hand} shown */
  function draw(shown) {
    const state = shown.states[step];
    const pot = state.spent.reduce((sum, chips) => sum + chips, 0);
    const source = `${data.sources[shown.source]}:${shown.line}`;
    part("board").replaceChildren(...shown.boards.slice(0, state.street + 1).flatMap(cards));
    part("pot").textContent = `pot ${number(pot)}`;
    part("seats").replaceChildren(...shown.players.map((_, seat) => drawSeat(shown, state, seat)));
    part("caption").textContent = state.caption;
    part("found").textContent = `hand ${shown.id} · ${source}${only}`;
    part("place").value = String(place + 1);
    part("place").max = String(rows.length);
    part("count").textContent = number(rows.length);
    part("first").disabled = part("back").disabled = step === 0;
    part("last").disabled = part("forward").disabled = step === shown.states.length - 1;
    part("previous").disabled = place === 0;
    part("next").disabled = place === rows.length - 1;
  }

  // The hand and the step that are shown

  let rows = data.hands;
  let only = "";
  let place = 0;
  let step = 0;
  /** @type {Hand | null} */
  let hand = null;

  /** @param {number} wanted */
  function open(wanted) {
    place = Math.max(0, Math.min(rows.length - 1, wanted));
    hand = unfold(rows[place]);
    step = 0;
    draw(hand);
  }

  /** @param {number} wanted */
  function go(wanted) {
    if (hand === null) return;
    step = Math.max(0, Math.min(hand.states.length - 1, wanted));
    draw(hand);
  }

  /** @type {["first" | "back" | "forward" | "last" | "previous" | "next", () => void][]} */
  const MOVES = [
    ["first", () => go(0)],
    ["back", () => go(step - 1)],
    ["forward", () => go(step + 1)],
    ["last", () => go(Number.POSITIVE_INFINITY)],
    ["previous", () => open(place - 1)],
    ["next", () => open(place + 1)],
  ];
  /** @type {Record<string, (typeof MOVES)[number][0]>} */
  const KEYS = {
    Home: "first",
    ArrowLeft: "back",
    ArrowRight: "forward",
    End: "last",
    p: "previous",
    n: "next",
  };

  /** @param {KeyboardEvent} event */
  function pressKey(event) {
    const { target, key } = event;
    const isTyping = target instanceof Element && ["INPUT", "SELECT"].includes(target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !(key in KEYS)) return;
    const [, move] = MOVES.find(([id]) => id === KEYS[key]) ?? MOVES[0];
    move();
    event.preventDefault();
  }

  function followLink() {
    const index = Number((location.hash.match(/^#hand-(\d+)$/) || [])[1]);
    if (!data.hands.some(([number]) => number === index)) return;
    if (!rows.some(([number]) => number === index)) show(-1);
    open(rows.findIndex(([number]) => number === index));
    part("replayer").scrollIntoView();
  }

  // Keys scroll what has the focus: tables that are wider than the page are stops of the tab key.
  function reachScrolls() {
    /** @type {NodeListOf<HTMLElement>} */
    const places = document.querySelectorAll(".scroll");
    for (const place of places) {
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
      else place.removeAttribute("tabindex");
    }
  }

  /** @param {string} value */
  function choosePlayer(value) {
    part("player").value = value;
    /** @type {NodeListOf<HTMLElement>} */
    const sections = document.querySelectorAll(".player");
    for (const [number, section] of sections.entries()) {
      section.hidden = value !== "" && number !== Number(value);
    }
    drawShown(data.grids);
    reachScrolls();
    const name = value === "" ? "" : sections[Number(value)].dataset["player"];
    show(value === "" ? -1 : data.players.indexOf(name ?? ""));
  }

  /**
   * Step through the hands of one player, or with -1 through all; the open hand stays open if it is
   * one of them.
   * @param {number} player
   */
  function show(player) {
    rows = player < 0 ? data.hands : data.hands.filter((row) => row[4].includes(player));
    only = rows.length < data.hands.length ? ` · hands of ${data.players[player]} only` : "";
    part("replayer").hidden = !rows.length;
    const index = hand?.index;
    const kept = rows.findIndex(([number]) => number === index);
    if (hand !== null && kept >= 0) {
      place = kept;
      draw(hand);
    } else if (rows.length) {
      open(0);
    }
  }

  window.addEventListener("resize", reachScrolls);
  window.addEventListener("beforeprint", () => drawShown(data.grids));
  for (const [id, move] of MOVES) part(id).addEventListener("click", move);
  part("place").addEventListener("change", () => open(Number(part("place").value) - 1 || 0));
  part("player").addEventListener("change", () => choosePlayer(part("player").value));
  document.addEventListener("keydown", pressKey);
  window.addEventListener("hashchange", followLink);
  document.addEventListener("click", ({ target }) => {
    // The same link again changes no address, and still leads back to its hand.
    const link = target instanceof Element ? target.getAttribute("href") : null;
    if (link === location.hash && location.hash) followLink();
  });
  const columns = COLUMNS[data.seats.length] || Math.min(5, data.seats.length);
  part("seats").style.setProperty("--columns", String(columns));
  part("filter").hidden = false;
  choosePlayer("0");
  followLink();
})();
