// One hand, step by step. The rules were applied when the page was made: this only adds up chips.
import { element } from "./hand_grid.js";

/** @import {Replay, Report, State} from "./types.js" */

const CARD_RANKS = "23456789TJQKA";
const CARD_SUITS = "cdhs";
const SUIT_SIGNS = "♣♦♥♠";
const NO_CARD = 255;
const NEXT_STREET = 254;
const NUM_KINDS = 8;
const [FOLD, , CALL, BET, RAISE] = [0, 1, 2, 3, 4];
const KIND_WORDS = ["folds", "checks", "calls", "bets", "raises to"];

/** @param {number} chips */
const chipNumber = (chips) => chips.toLocaleString("en-US", { maximumFractionDigits: 2 });

/** @param {number} chips */
const signed = (chips) =>
  chips > 0 ? `+${chipNumber(chips)}` : chips < 0 ? `−${chipNumber(-chips)}` : "±0";

/** @param {Report} report */
const cardsWidth = ({ data, numSeats }) =>
  numSeats * data.numHoleCards + (data.boardSizes.at(-1) ?? 0);

/**
 * Return the cards of a hand that can be replayed, all seats' hole cards and the board, as text.
 * @param {Report} report
 * @param {number} hand
 */
export function handCards(report, hand) {
  const width = cardsWidth(report);
  const first = report.replayPlace(hand) * width;
  return Array.from(report.columns["cards"].subarray(first, first + width), cardText).join("");
}

/** @param {number} card */
const cardText = (card) => (card === NO_CARD ? "" : CARD_RANKS[card >> 2] + CARD_SUITS[card & 3]);

/**
 * Return the hole cards in a row, none if its hand cannot be replayed.
 * @param {Report} report
 * @param {number} row
 */
export function holeCards(report, row) {
  const place = report.replayPlace(Math.floor(row / report.numSeats));
  if (place < 0) return [];
  const size = report.data.numHoleCards;
  const first = place * cardsWidth(report) + (row % report.numSeats) * size;
  return Array.from(report.columns["cards"].subarray(first, first + size));
}

/**
 * Return the elements of cards.
 * @param {number[]} cards
 */
export function drawCards(cards) {
  return cards
    .filter((card) => card !== NO_CARD)
    .map((card) => {
      const isRed = (card & 3) === 1 || (card & 3) === 2;
      return element(
        "span",
        isRed ? "card red" : "card",
        CARD_RANKS[card >> 2] + SUIT_SIGNS[card & 3],
      );
    });
}

/**
 * Return a hand that can be replayed, with the states to step through.
 * @param {Report} report
 * @param {number} hand
 * @returns {Replay}
 */
export function unfold(report, hand) {
  const { columns, numSeats, data } = report;
  const { ends, code, spent, player, chips } = columns;
  const place = report.replayPlace(hand);
  const betting = columns["betting"][place];
  const seats = data.seats.map((_, seat) => seat);
  const players = seats.map((seat) => player[hand * numSeats + seat]);
  const names = players.map((one) => data.players[one]);
  let state = firstState(report);
  const states = [state];
  for (let at = betting ? ends[betting - 1] : 0; at < ends[betting]; at++) {
    state =
      code[at] === NEXT_STREET
        ? nextStreet(report, state)
        : afterAction(report, state, code[at], spent[at], names);
    states.push(state);
  }
  const won = seats.map((seat) => chips[hand * numSeats + seat]);
  states.push(result(report, state, hand, won, names));
  const width = cardsWidth(report);
  const cards = Array.from(columns["cards"].subarray(place * width, (place + 1) * width));
  return {
    hand,
    players,
    holeCards: seats.map((seat) => holeCards(report, hand * numSeats + seat)),
    board: cards.slice(numSeats * data.numHoleCards),
    states,
  };
}

/**
 * @param {Report} report
 * @returns {State}
 */
function firstState({ data: { blinds } }) {
  return {
    spent: [...blinds],
    before: blinds.map(() => 0),
    folded: blinds.map(() => false),
    lastAction: blinds.map((blind) => (blind ? `posts ${chipNumber(blind)}` : "")),
    street: 0,
    actor: -1,
    caption: "The cards are dealt.",
    won: null,
  };
}

/**
 * @param {Report} report
 * @param {State} state
 * @returns {State}
 */
function nextStreet({ data }, state) {
  const street = state.street + 1;
  const lastAction = state.lastAction.map(() => "");
  const caption = `The ${data.streets[street]} is dealt.`;
  return { ...state, street, before: [...state.spent], lastAction, actor: -1, caption };
}

/**
 * @param {Report} report
 * @param {State} state
 * @param {number} code
 * @param {number} chips
 * @param {string[]} names
 * @returns {State}
 */
function afterAction({ data }, state, code, chips, names) {
  const [seat, kind] = [Math.floor(code / NUM_KINDS), code % NUM_KINDS];
  const isAllIn = kind >= BET && chips === data.stacks[seat];
  const words = isAllIn
    ? `goes all-in for ${chipNumber(chips - state.before[seat])}`
    : actionWords(kind, chips, state.spent[seat], state.before[seat]);
  return {
    ...state,
    actor: seat,
    spent: replaced(state.spent, seat, chips),
    folded: replaced(state.folded, seat, kind === FOLD),
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
 * @param {number} kind
 * @param {number} spent
 * @param {number} spentBefore
 * @param {number} atStreetStart
 */
function actionWords(kind, spent, spentBefore, atStreetStart) {
  if (kind === CALL) return `${KIND_WORDS[kind]} ${chipNumber(spent - spentBefore)}`;
  if (kind === BET || kind === RAISE) {
    return `${KIND_WORDS[kind]} ${chipNumber(spent - atStreetStart)}`;
  }
  return KIND_WORDS[kind];
}

/**
 * @param {Report} report
 * @param {State} state
 * @param {number} hand
 * @param {number[]} won
 * @param {string[]} names
 * @returns {State}
 */
function result({ results, numSeats }, state, hand, won, names) {
  const winners = won.flatMap((chips, seat) =>
    chips > 0 ? [`${names[seat]} wins ${chipNumber(chips)}`] : [],
  );
  const lastAction = won.map((chips, seat) => {
    const others = results.slice(1).flatMap(({ name, values }) => {
      const value = values[hand * numSeats + seat];
      return Number.isNaN(value) ? [] : [`${name} ${signed(value)}`];
    });
    return [signed(chips), ...others].join(" · ");
  });
  const caption = `${winners.join(", ") || "Nobody wins anything"}.`;
  return { ...state, actor: -1, lastAction, won, caption };
}

/**
 * Return the element of a seat after a step.
 * @param {Report} report
 * @param {Replay} shown
 * @param {State} state
 * @param {number} seat
 */
export function drawSeat({ data }, shown, state, seat) {
  const stack = data.stacks[seat];
  const spent = state.spent[seat];
  const left = stack === null ? `${chipNumber(spent)} in` : `${chipNumber(stack - spent)} left`;
  const lastAction = element("div", "last-action", state.lastAction[seat]);
  if (state.won) {
    const won = state.won[seat];
    lastAction.classList.add(won > 0 ? "won" : won < 0 ? "lost" : "even");
  }
  const drawn = element(
    "li",
    "seat",
    element("div", "label", data.seats[seat]),
    element("div", "name", data.players[shown.players[seat]]),
    element("div", "cards", ...drawCards(shown.holeCards[seat])),
    element("div", "chips", left),
    lastAction,
  );
  drawn.classList.toggle("acting", state.actor === seat);
  drawn.classList.toggle("folded", state.folded[seat]);
  return drawn;
}

/**
 * Return the text of the pot after a step.
 * @param {State} state
 */
export const potText = ({ spent }) =>
  `pot ${chipNumber(spent.reduce((sum, chips) => sum + chips, 0))}`;
