// The data of a report's page: reports/page_data.py writes it. Rows are hands times seats.

export type Numbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Arrays in one buffer, by name; *areSteps* says that differences of neighbours are stored. */
export interface Packed {
  arrays: Record<string, [kind: string, offset: number, length: number, areSteps: boolean]>;
  bytes: string;
}

export interface Statistic {
  name: string;
  meaning: string;
  count: string;
  chances: string;
  is_factor: boolean;
}

export interface Grouping {
  title: string;
  labels: string[];
}

export interface ReportData {
  players: string[];
  /** The players as their sections follow each other. */
  order: number[];
  sources: string[];
  seats: string[];
  streets: string[];
  blinds: number[];
  stacks: (number | null)[];
  numHoleCards: number;
  boardSizes: number[];
  unitChips: number;
  numHands: number;
  columns: string[];
  statistics: Statistic[];
  /** Measures that are bits of the column flags, and those that are columns of their own. */
  flags: string[];
  sums: string[];
  groupings: Grouping[];
  chart: number;
  hasTimes: boolean;
  needsLine: boolean;
  packed: Packed;
}

/** The unpacked page: columns by name, and what follows from them. */
export interface Report {
  data: ReportData;
  columns: Record<string, Numbers>;
  numSeats: number;
  /** By row: the chips that its player won in the hand, with all its seats. */
  plain: Numbers;
  /** By column of results, chips first: its name and its values by row. */
  results: { name: string; values: Numbers }[];
  /** By name of a measure: its value in a row. */
  measures: Record<string, (row: number) => number>;
  /** The rows of a player. */
  rowsOf: (player: number) => Int32Array;
  /** The place of a hand among those that can be replayed, -1 if it cannot. */
  replayPlace: (hand: number) => number;
}

/** The hands behind a number: those that a statistic counts, or those of a group. */
export type Behind =
  | { kind: "statistic"; place: number; part: "count" | "chances" }
  | { kind: "group"; place: number; label: number };

/** What a reader chose. Players, positions, logs and hands are numbers, -1 if none is chosen. */
export interface View {
  player: number;
  opponent: number;
  position: number;
  /** The first and the last of the streets on which the player's hand may have ended. */
  streets: [number, number];
  /** Bounds of the pot in big blinds: at least the first, below the second. */
  pot: [number, number];
  since: string;
  until: string;
  log: number;
  starred: boolean;
  behind: Behind | null;
  order: string;
  hand: number;
  /** Players whose curves are drawn besides. */
  curves: number[];
}

export interface Winnings {
  numHands: number;
  chips: number;
  mean: number;
  halfWidth: number;
}

export interface Curve {
  numHands: number[];
  chips: number[];
  halfWidth: number[];
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

export interface Replay {
  hand: number;
  players: number[];
  holeCards: number[][];
  board: number[];
  states: State[];
}

/** The elements of page.html that the script names. */
export interface Parts {
  all: HTMLButtonElement;
  back: HTMLButtonElement;
  behind: HTMLElement;
  board: HTMLDivElement;
  caption: HTMLParagraphElement;
  chosen: HTMLSpanElement;
  clear: HTMLButtonElement;
  data: HTMLScriptElement;
  dates: HTMLElement;
  earlier: HTMLButtonElement;
  facts: HTMLParagraphElement;
  filter: HTMLFormElement;
  first: HTMLButtonElement;
  forward: HTMLButtonElement;
  found: HTMLParagraphElement;
  hands: HTMLElement;
  last: HTMLButtonElement;
  later: HTMLButtonElement;
  log: HTMLSelectElement;
  logs: HTMLElement;
  next: HTMLButtonElement;
  number: HTMLInputElement;
  opponent: HTMLSelectElement;
  opponents: HTMLElement;
  order: HTMLSelectElement;
  player: HTMLSelectElement;
  position: HTMLSelectElement;
  pot: HTMLParagraphElement;
  "pot-from": HTMLInputElement;
  "pot-to": HTMLInputElement;
  previous: HTMLButtonElement;
  range: HTMLSpanElement;
  replayer: HTMLElement;
  rows: HTMLDivElement;
  seats: HTMLOListElement;
  since: HTMLInputElement;
  star: HTMLButtonElement;
  starred: HTMLInputElement;
  street: HTMLSelectElement;
  title: HTMLElement;
  until: HTMLInputElement;
}
