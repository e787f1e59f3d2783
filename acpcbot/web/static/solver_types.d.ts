// The messages of the solver's requests, the files that it exports, and the elements of its page.

import type { StudyData } from "./study_types.js";

export interface Spot {
  board: string;
  pot: number;
  stack1: number;
  stack2: number;
  range1: string;
  range2: string;
  bets: string;
  target: number;
  seconds: number;
  int16: boolean;
}

/** What a spot takes; *freeBytes* is null where the system does not tell. */
export interface SpotSize {
  decisions: number;
  boards: number;
  bytes: number;
  freeBytes: number | null;
  seconds: number;
}

/** Iterations, seconds, and exploitability in per cent of the pot. */
export type CurvePoint = [iterations: number, seconds: number, percent: number];

export interface Job {
  job: number;
  label: string;
  spot: Spot;
  phase: "building" | "solving" | "solved" | "stopped" | "failed";
  isOwn: boolean;
  isKept: boolean;
  reason: string;
  elapsed: number;
  size: SpotSize | null;
  curve: CurvePoint[];
}

/** A range as text: by class of hands its mean weight, and what spells it. */
export interface RangeClasses {
  classes: Record<string, [weight: number, text: string]>;
  combos: number;
}

export type Follow = "decision" | "cards" | "end";

/** One decision of a file that `acpcbot solve --format json` writes. */
export interface SolvedDecision {
  after: string[];
  street: string;
  board: string;
  seat: number;
  pot_chips: number;
  to_call_chips: number;
  actions: string[];
  follows?: Follow[];
  frequencies: number[];
  hands: string[];
  weights: number[][];
  probabilities: number[][];
  ev_chips: (number | null)[][];
  equities?: (number | null)[][];
}

/** Such a file. */
export interface SolvedStreet {
  format: number;
  game: string;
  pot_chips: number;
  num_iterations: number;
  exploitability_chips: number;
  exploitability_percent: number;
  values_chips: number[];
  decisions: SolvedDecision[];
}

/** A solution with the streets and studies of it that were read; *job* is null for a file. */
export interface Solution {
  name: string;
  job: number | null;
  streets: { text: string; data: SolvedStreet }[];
  /** By the words that lead to their decisions. */
  studies: Map<string, StudyData>;
}

export interface Parts {
  bets: HTMLInputElement;
  "bet-presets": HTMLDivElement;
  board: HTMLInputElement;
  "board-cards": HTMLDivElement;
  compared: HTMLSelectElement;
  comparison: HTMLDivElement;
  curve: HTMLDivElement;
  decision: HTMLDivElement;
  effort: HTMLParagraphElement;
  export: HTMLButtonElement;
  int16: HTMLInputElement;
  load: HTMLInputElement;
  phase: HTMLParagraphElement;
  pot: HTMLInputElement;
  progress: HTMLElement;
  "progress-bar": HTMLProgressElement;
  range1: HTMLElement;
  range2: HTMLElement;
  reading: HTMLParagraphElement;
  seconds: HTMLInputElement;
  setup: HTMLElement;
  shown: HTMLSelectElement;
  size: HTMLParagraphElement;
  solution: HTMLElement;
  solve: HTMLButtonElement;
  spot: HTMLFormElement;
  stack1: HTMLInputElement;
  stack2: HTMLInputElement;
  "stacks-help": HTMLParagraphElement;
  stop: HTMLButtonElement;
  summary: HTMLParagraphElement;
  target: HTMLInputElement;
  trouble: HTMLParagraphElement;
}
