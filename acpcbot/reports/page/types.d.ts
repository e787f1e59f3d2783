// The data of a report's hand replayer: reports/replay.py writes it.

import type { HandGrid } from "./grid_types.js";

/** One hand. *steps* are actions as seat, letter and chips spent, with "/" before each street. */
export type Row = [
  index: number,
  source: number,
  line: number,
  id: number,
  players: number[],
  holes: string,
  board: string,
  steps: string,
  won: number[],
  further: (number | null)[][],
];

export interface ReplayData {
  players: string[];
  sources: string[];
  seats: string[];
  streets: string[];
  blinds: number[];
  stacks: (number | null)[];
  numHands: number;
  columns: string[];
  hands: Row[];
  /** Winnings by starting hand, by player; none in games without such a grid. */
  grids: HandGrid[];
}

/** What the page shows after a step of a hand; lists are by seat. */
export interface State {
  spent: number[];
  before: number[];
  folded: boolean[];
  lastAction: string[];
  street: number;
  actor: number;
  caption: string;
  won: number[] | null;
}

export interface Hand {
  index: number;
  source: number;
  line: number;
  id: number;
  players: number[];
  holeCards: string[];
  boards: string[];
  states: State[];
}

/** The elements of page.html that the script names. */
export interface Parts {
  back: HTMLButtonElement;
  board: HTMLDivElement;
  caption: HTMLParagraphElement;
  count: HTMLSpanElement;
  data: HTMLScriptElement;
  filter: HTMLElement;
  first: HTMLButtonElement;
  forward: HTMLButtonElement;
  found: HTMLParagraphElement;
  last: HTMLButtonElement;
  next: HTMLButtonElement;
  place: HTMLInputElement;
  player: HTMLSelectElement;
  pot: HTMLParagraphElement;
  previous: HTMLButtonElement;
  replayer: HTMLElement;
  seats: HTMLOListElement;
}
