// The data of the study of a decision, on the pages of solved games and of the table:
// reports/study_data.py.

import type { StrategyData } from "./grid_types.js";

/** The reach, the equity and the value of a hand, or their means over a class. */
export type RangeRow = [reach: number, equity: number | null, value: number | null];

/** A player's range. *rows* belong to *hands*. */
export interface RangeData {
  name: string;
  classes: Record<string, RangeRow>;
  hands: string[];
  rows: RangeRow[];
  /** Of estimated values: half the widths of their 95 % intervals, by hand. */
  halfWidths?: (number | null)[];
  /** The same by class, or more. */
  classHalfWidths?: Record<string, number | null>;
}

export interface StudyData {
  /** The actor's strategy by class of hands. */
  strategy: StrategyData;
  /** False in games whose hands do not fill the grid: all of them are listed. */
  isChart: boolean;
  pot: number;
  /** What a reach is: how often a hand is held, or how much of it is in the range. */
  reachWords: "held" | "in the range";
  /** The actor's first. */
  ranges: RangeData[];
  /** Of each hand of the actor the probability of each action. */
  probabilities: number[][];
  /** Of each hand of the actor the value of each action; empty where it is not known. */
  actionValues: (number | null)[][];
  /** Of estimated values: half the widths of their 95 % intervals, as above. */
  actionHalfWidths?: (number | null)[][];
  /** The same of what the best action is worth more. */
  leadHalfWidths?: (number | null)[][];
  notes: string[];
  /** The actor's own hand, where it is known. */
  held?: string;
  /** True if values can be asked for: they are estimates, which take a while. */
  canEstimate?: boolean;
}

export type StudyWhat = "strategy" | "range" | "equity" | "value";

/** What a study shows: a view of the hands of a player, by name. */
export interface StudyView {
  what: StudyWhat;
  who: string;
}
