// The data of a grid of 13 x 13 classes of hands: reports/hand_grid.py writes it for reports and
// solved games, study.js makes it of what the server of a table tells.

/** A colour with its meaning; *fill* is the end of a class of fills.css. */
export interface LegendItem {
  fill: string;
  text: string;
  isTaken?: boolean;
}

/** One class of hands. *parts* are fills with their shares of the width, *height* is from 0 to 1,
 *  *facts* go before what the parts say in words, *small* is a second line where there is room,
 *  *link* makes the cell a link. */
export interface Cell {
  parts: [fill: string, share: number, text: string][];
  height: number;
  facts: string;
  small?: string;
  link?: string;
}

export interface HandGrid {
  label: string;
  /** Words in front of the legend. */
  title?: string;
  legend: LegendItem[];
  cells: Record<string, Cell>;
  note: string;
  absent: string;
  /** The class that is held, if one is. */
  own?: string;
  /** True where cells are chosen by painting: those in *cells* are. */
  isEditable?: boolean;
}

export interface GridAction {
  text: string;
  fill: string;
}

/** The reach of a class of hands, and the probability of each action. */
export type StrategyRow = [reach: number, ...probabilities: number[]];

/** A strategy at one decision. Without *frequencies*, which go into the legend, there is none. */
export interface StrategyData {
  label: string;
  actions: GridAction[];
  frequencies?: number[];
  rows: Record<string, StrategyRow>;
  /** What else is known of a class, in words: in place of how much of it is in the range. */
  facts?: Record<string, string>;
  small?: Record<string, string>;
  own?: string;
  taken?: number;
}
