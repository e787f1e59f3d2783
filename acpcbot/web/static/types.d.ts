// The messages between the page and its server, and the elements of index.html by their ids.
// Chips are counted over the whole hand; cards are text as on the wire, hidden ones are left out.

import type { GridAction, StrategyRow } from "./grid_types.js";
import type { StudyData } from "./study_types.js";

// What the server draws: web/table_view.py

/** Pieces of a text; numbers are chips. */
export type Words = (string | number)[];

export interface Seat {
  place: number;
  name: string;
  /** The name of the position. */
  label: string;
  isButton: boolean;
  cards: string;
  numCards: number;
  spent: number;
  bet: number;
  /** The share of the pot that the seat bet or raised on this street. */
  share: number | null;
  left: number | null;
  folded: boolean;
  lastAction: Words;
  /** The name of the hand, at a showdown. */
  made: string;
  won: number | null;
}

export interface View {
  street: string;
  board: string;
  pot: number;
  bigBlind: number;
  actor: number;
  caption: Words;
  /** The cards of the winning hand, at a showdown. */
  lifted: string;
  seats: Seat[];
}

// What a person may do, and the totals: web/session.py

export interface Preset {
  name: string;
  to: number;
}

export interface Raise {
  word: "bet" | "raise";
  isFixed: boolean;
  least: number;
  most: number;
  presets: Preset[];
}

export interface Choices {
  fold: boolean;
  call: number;
  pot: number;
  /** The chips of the pot that a call can win. */
  winnable: number;
  /** The chips that a player must have put in to stay, over the whole hand. */
  maxSpent: number;
  bigBlind: number;
  spentBefore: number;
  raise: Raise | null;
}

export interface WinRate {
  hands: number;
  chips: number;
  mbb: number;
  halfWidth: number | null;
}

export interface Tally {
  chips: WinRate;
  aivat: WinRate;
}

export interface HistoryRow {
  hand: number;
  cards: string;
  board: string;
  chips: number;
  skill: number | null;
}

// The study of a hand that is over: web/study.py

export interface Split {
  chips: number;
  skill: number;
  luck: number;
  lucks: { what: string; chips: number }[];
}

export interface SplitText {
  split: Split | null;
  note: string;
}

export interface UnansweredDecision {
  name: string;
  street: string;
  /** The number of the view of the hand's replay in which the bot is about to act. */
  step: number;
  board: string;
  cards: string;
  pot: number;
  toCall: number;
  lastAction: string;
  actions: GridAction[];
}

export interface Decision extends UnansweredDecision {
  taken: number;
  /** With the hand held. */
  probabilities: number[];
  /** Over all hands in the range. */
  frequencies: number[];
  own: string;
  /** By class of hands: the share that is in the range, and the probability of each action. */
  classes: Record<string, StrategyRow>;
  /** Null in games with more than two hole cards. */
  study: Omit<StudyData, "strategy"> | null;
}

// The person's decisions, judged: web/judging.py. Values and costs are in big blinds.

export interface JudgedDecision {
  /** The number of the decision among all of its hand. */
  place: number;
  /** The number of the view of the hand's replay in which the person is about to act. */
  step: number;
  street: string;
  position: string;
  cards: string;
  board: string;
  pot: number;
  toCall: number;
  action: string;
  lastAction: string;
  actions: GridAction[];
  /** Places among the actions; -1 for an action that the strategy lacks. */
  taken: number;
  preferred: number;
  /** With the hand held. */
  probabilities: number[];
  values: number[];
  takenValue: number;
  /** Null where the strategy has no answer. */
  cost: number | null;
  standardError: number;
  /** Half of the 95 % interval of the cost; 0 where it is exact. */
  halfWidth: number;
  isExact: boolean;
  numDeals: number;
  note: string;
}

export interface Spot extends JudgedDecision {
  hand: number;
}

export interface CostRow {
  label: string;
  decisions: number;
  cost: number;
  halfWidth: number;
}

// What the lobby offers: web/lobby.py

export interface OfferedStrategy {
  name: string;
  title: string;
  /** The address of its strength card. */
  card: string | null;
}

export interface Game {
  name: string;
  title: string;
  numBots: number;
  strategies: OfferedStrategy[];
}

export interface Opponent {
  name: string;
  title: string;
  card: string | null;
}

// Messages of the server

export interface Loading {
  type: "loading";
  text: string;
  done: number;
  total: number;
  failures: string[];
  isOver: boolean;
}

export interface Failed {
  type: "failed";
  reason: string;
}

export interface Lobby {
  type: "lobby";
  games: Game[];
  canWatch: boolean;
}

export interface Opening {
  type: "opening";
  game: string;
}

export interface Seated {
  type: "seated";
  table: string;
  log: string;
  game: string;
  bigBlind: number;
  opponents: Opponent[];
}

export interface Gone {
  type: "gone";
}

export interface Table {
  type: "table";
  hand: number;
  phase: "waiting" | "turn" | "over" | "ended";
  views: View[];
  captions: Words[];
  notice: string;
  choices: Choices | null;
  /** The number of the decision, while it is the person's turn. */
  turn?: number;
}

export interface History {
  type: "history";
  rows: HistoryRow[];
  numHands: number;
  tally: Tally;
}

export interface HandSplit extends SplitText {
  type: "split";
  hand: number;
}

export interface Thoughts extends SplitText {
  type: "thoughts";
  hand: number;
  decisions: (Decision | UnansweredDecision)[];
  /** What happened in the hand: the caption of each view of its replay. */
  line: string[];
  silent: string[];
}

/** The study of a decision with estimated values. */
export interface Estimated {
  type: "estimated";
  hand: number;
  /** The number of the decision in ``Thoughts``. */
  place: number;
  study: Decision["study"];
}

export interface Judged {
  type: "judged";
  hand: number;
  by: string | null;
  isDone: boolean;
  decisions: JudgedDecision[];
  note: string;
}

export interface Costs {
  type: "costs";
  by: string | null;
  hands: number;
  /** The number of hands that are not judged yet. */
  waiting: number;
  unjudged: number;
  total: CostRow;
  groups: { title: string; rows: CostRow[] }[];
  spots: Spot[];
}

/** A spot that is dealt again. */
export interface SpotAgain {
  type: "spot";
  hand: number;
  place: number;
  view: View;
  captions: Words[];
  choices: Choices;
}

/** The answer to a spot, judged. */
export interface Verdict {
  type: "verdict";
  hand: number;
  decision: JudgedDecision;
}

export interface OwnReplay {
  type: "replay";
  log: null;
  hand: number;
  title: string;
  views: View[];
}

export interface LogReplay {
  type: "replay";
  match: number;
  log: number;
  hand: number;
  number: number;
  title: string;
  views: View[];
}

export interface Ended {
  type: "ended";
  reason: string;
  log: string;
  tally: Tally;
}

export interface Refused {
  type: "refused";
  reason: string;
}

export type Message =
  | Loading
  | Failed
  | Lobby
  | Opening
  | Seated
  | Gone
  | Table
  | History
  | HandSplit
  | Thoughts
  | Estimated
  | Judged
  | Costs
  | SpotAgain
  | Verdict
  | OwnReplay
  | LogReplay
  | Matches
  | Pots
  | Ended
  | Refused;

/** What hears each type of message. */
export type Listeners = {
  [Type in Message["type"]]: (message: Extract<Message, { type: Type }>) => void;
};

// Requests of the page: web/requests.py

export type Request =
  | { type: "sit"; game: number; bots: number[]; name: string }
  | { type: "resume"; table: string }
  | { type: "act"; hand: number; turn: number; action: string }
  | { type: "deal"; hand: number }
  | { type: "leave" }
  | { type: "explain"; hand: number }
  | { type: "estimate"; hand: number; place: number }
  | { type: "replay"; hand: number }
  | { type: "drill"; hand: number; place: number }
  | { type: "answer"; hand: number; place: number; action: string }
  | { type: "watch" }
  | { type: "largest"; match: number; count: number }
  | { type: "show"; match: number; log: number; hand: number }
  | { type: "find"; match: number; log: number; number: number };

export type Send = (request: Request) => void;

// The elements of index.html that scripts name

export interface Parts {
  actions: HTMLDivElement;
  after: HTMLElement;
  amount: HTMLInputElement;
  auto: HTMLInputElement;
  "big-blinds": HTMLInputElement;
  board: HTMLDivElement;
  call: HTMLButtonElement;
  "cost-spots": HTMLOListElement;
  "cost-tables": HTMLDivElement;
  costs: HTMLElement;
  "costs-total": HTMLParagraphElement;
  deal: HTMLButtonElement;
  drill: HTMLElement;
  "drill-all": HTMLButtonElement;
  "drill-answer": HTMLDivElement;
  "drill-close": HTMLButtonElement;
  "drill-next": HTMLButtonElement;
  "drill-title": HTMLElement;
  failures: HTMLUListElement;
  fast: HTMLInputElement;
  fold: HTMLButtonElement;
  game: HTMLSelectElement;
  "game-name": HTMLParagraphElement;
  hand: HTMLInputElement;
  "hand-back": HTMLButtonElement;
  "hand-count": HTMLSpanElement;
  "hand-forward": HTMLButtonElement;
  history: HTMLTableElement;
  "history-unit": HTMLElement;
  leave: HTMLButtonElement;
  live: HTMLInputElement;
  loading: HTMLDivElement;
  "loading-bar": HTMLProgressElement;
  "loading-text": HTMLSpanElement;
  lobby: HTMLElement;
  log: HTMLSelectElement;
  "log-field": HTMLElement;
  "match-list": HTMLUListElement;
  matches: HTMLElement;
  "more-pots": HTMLButtonElement;
  name: HTMLInputElement;
  notice: HTMLParagraphElement;
  opponents: HTMLUListElement;
  "only-live": HTMLInputElement;
  "only-live-field": HTMLElement;
  opening: HTMLParagraphElement;
  playing: HTMLSpanElement;
  pot: HTMLParagraphElement;
  pots: HTMLOListElement;
  presets: HTMLDivElement;
  raise: HTMLButtonElement;
  said: HTMLParagraphElement;
  saved: HTMLParagraphElement;
  seats: HTMLOListElement;
  "seats-to-fill": HTMLDivElement;
  "show-costs": HTMLButtonElement;
  "show-play": HTMLButtonElement;
  "show-watch": HTMLButtonElement;
  side: HTMLElement;
  sit: HTMLFormElement;
  "sit-down": HTMLButtonElement;
  size: HTMLInputElement;
  sizes: HTMLDivElement;
  sound: HTMLInputElement;
  "spots-title": HTMLElement;
  "step-back": HTMLButtonElement;
  "step-close": HTMLButtonElement;
  "step-first": HTMLButtonElement;
  "step-forward": HTMLButtonElement;
  "step-last": HTMLButtonElement;
  "step-play": HTMLButtonElement;
  "step-title": HTMLSpanElement;
  steps: HTMLDivElement;
  story: HTMLOListElement;
  table: HTMLElement;
  tally: HTMLDListElement;
  unit: HTMLSpanElement;
  trouble: HTMLParagraphElement;
  views: HTMLElement;
  watch: HTMLElement;
  "watch-note": HTMLParagraphElement;
  watched: HTMLElement;
}

// Matches that are watched: web/watched_match.py

export interface MatchScore {
  name: string;
  chips: number;
  mbb: number;
  /** Half of the 95 % interval, null for a single deal. */
  halfWidth: number | null;
}

export interface WatchedMatch {
  match: number;
  name: string;
  players: string[];
  game: string;
  bigBlind: number;
  state: "reading" | "waiting" | "playing" | "over";
  /** The seconds without a hand, 0 for a few. */
  quietS: number;
  problem: string;
  hands: number;
  /** The hands of the whole match, 0 where nothing tells. */
  planned: number;
  deals: number;
  scores: MatchScore[];
  perMinute: number | null;
  secondsLeft: number | null;
  newest: { log: number; hand: number } | null;
  /** With the numbers of the first and the last hand, none in an empty log. */
  logs: { name: string; hands: number; numbers: number[] }[];
}

/** Matches that have changed, all of them at first; *count* is how many there are. */
export interface Matches {
  type: "matches";
  matches: WatchedMatch[];
  count: number;
  note: string;
}

export interface Pot {
  log: number;
  hand: number;
  number: number;
  chips: number;
  board: string;
  won: { name: string; chips: number }[];
}

export interface Pots {
  type: "pots";
  match: number;
  pots: Pot[];
}
