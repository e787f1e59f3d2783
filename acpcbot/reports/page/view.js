// What a reader chose: from and to the page's address, and the rows that it leaves.

/** @import {Behind, Report, View} from "./types.js" */

const DAY_S = 86400;

/**
 * Return a name as it comes back from an address.
 * @param {string} name
 */
const addressed = (name) => new URLSearchParams([["name", name]]).get("name") ?? "";

/**
 * @param {string[]} names
 * @param {string | null} wanted
 */
const placeOf = (names, wanted) =>
  wanted === null ? -1 : names.findIndex((name) => addressed(name) === wanted);

/**
 * Return the view with nothing chosen.
 * @param {Report} report
 * @returns {View}
 */
export function wholeView({ data }) {
  return {
    player: data.order[0],
    opponent: -1,
    position: -1,
    streets: [0, data.streets.length - 1],
    pot: [0, Number.POSITIVE_INFINITY],
    since: "",
    until: "",
    log: -1,
    starred: false,
    behind: null,
    order: "",
    hand: -1,
    curves: [],
  };
}

/**
 * Return the view without its filters: player, hand and curves stay.
 * @param {Report} report
 * @param {View} view
 */
export function withoutFilters(report, { player, hand, curves }) {
  return { ...wholeView(report), player, hand, curves };
}

/**
 * Return the view that an address names; what it names wrongly is as if it were not there.
 * @param {Report} report
 * @param {string} fragment
 * @returns {View}
 */
export function parseView(report, fragment) {
  const { data } = report;
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const view = wholeView(report);
  const player = placeOf(data.players, words.get("player"));
  const log = placeOf(data.sources, words.get("log"));
  return {
    ...view,
    player: player < 0 ? view.player : player,
    opponent: placeOf(data.players, words.get("opponent")),
    position: placeOf(data.seats, words.get("position")),
    streets: parseStreets(data.streets, words.get("street")),
    pot: parsePot(words.get("pot")),
    since: parseDay(words.get("since")),
    until: parseDay(words.get("until")),
    log,
    starred: words.has("starred"),
    behind: parseBehind(report, words.get("behind")),
    order: words.get("order") ?? "",
    hand: parseHand(report, words),
    curves: words
      .getAll("curve")
      .map((name) => placeOf(data.players, name))
      .filter((place) => place >= 0),
  };
}

/**
 * @param {string[]} names
 * @param {string | null} text
 * @returns {[number, number]}
 */
function parseStreets(names, text) {
  const last = names.length - 1;
  const first = names.indexOf((text ?? "").replace(/\+$/, ""));
  if (first < 0) return [0, last];
  return text?.endsWith("+") ? [first, last] : [first, first];
}

/**
 * @param {string | null} text
 * @returns {[number, number]}
 */
function parsePot(text) {
  const [, from, below] = (text ?? "").match(/^([\d.]*)-([\d.]*)$/) ?? [];
  return potBounds(from ?? "", below ?? "");
}

/**
 * Return the bounds of a pot that two texts name; an empty one is no bound.
 * @param {string} from
 * @param {string} below
 * @returns {[number, number]}
 */
export function potBounds(from, below) {
  const high = below === "" ? Number.NaN : Number(below);
  return [Number(from) || 0, Number.isNaN(high) ? Number.POSITIVE_INFINITY : high];
}

/** @param {string | null} text */
const parseDay = (text) => (text && !Number.isNaN(Date.parse(text)) ? text : "");

/**
 * @param {Report} report
 * @param {string | null} text
 * @returns {Behind | null}
 */
function parseBehind({ data }, text) {
  const [, title, name, part] = (text ?? "").match(/^([^:]*):(.*?)(?::(count|chances))?$/) ?? [];
  if (title === "statistic" && (part === "count" || part === "chances")) {
    const place = data.statistics.findIndex((each) => each.name === name);
    return place < 0 ? null : { kind: "statistic", place, part };
  }
  const place = data.groupings.findIndex((each) => each.title === title);
  const label = data.groupings[place]?.labels.indexOf(name ?? "") ?? -1;
  return label < 0 ? null : { kind: "group", place, label };
}

/**
 * @param {Report} report
 * @param {URLSearchParams} words
 */
function parseHand({ data, columns }, words) {
  if (!words.has("hand")) return -1;
  const id = Number(words.get("hand"));
  const log = words.has("hand-log") ? placeOf(data.sources, words.get("hand-log")) : 0;
  const line = words.has("hand-line") ? Number(words.get("hand-line")) : -1;
  const { id: ids, source, line: lines } = columns;
  for (let hand = 0; hand < data.numHands; hand++) {
    if (ids[hand] !== id || source[hand] !== log) continue;
    if (line < 0 || lines[hand] === line) return hand;
  }
  return -1;
}

/**
 * Return the words of an address that name a hand, as reports/page_data.py has them.
 * @param {Report} report
 * @param {number} hand
 * @returns {[string, string][]}
 */
function handWords({ data, columns }, hand) {
  /** @type {[string, string][]} */
  const words = [["hand", String(columns["id"][hand])]];
  if (data.sources.length > 1) words.push(["hand-log", data.sources[columns["source"][hand]]]);
  if (data.needsLine) words.push(["hand-line", String(columns["line"][hand])]);
  return words;
}

/**
 * Return the address of a view within the page.
 * @param {Report} report
 * @param {View} view
 */
export function viewLink(report, view) {
  const { data } = report;
  const whole = wholeView(report);
  const [from, below] = view.pot;
  const [first, last] = view.streets;
  const words = new URLSearchParams();
  /** @type {(name: string, isChosen: boolean, text: string) => void} */
  const add = (name, isChosen, text) => {
    if (isChosen) words.append(name, text);
  };
  add("player", view.player !== whole.player, data.players[view.player]);
  add("opponent", view.opponent >= 0, data.players[view.opponent]);
  add("position", view.position >= 0, data.seats[view.position]);
  const isLater = last === whole.streets[1] && first < last;
  add("street", first > 0 || last < whole.streets[1], data.streets[first] + (isLater ? "+" : ""));
  const hasPot = from > 0 || below < Number.POSITIVE_INFINITY;
  add("pot", hasPot, `${from}-${Number.isFinite(below) ? below : ""}`);
  add("since", view.since !== "", view.since);
  add("until", view.until !== "", view.until);
  add("log", view.log >= 0, data.sources[view.log]);
  add("starred", view.starred, "yes");
  if (view.behind) words.append("behind", behindText(report, view.behind));
  add("order", view.order !== "", view.order);
  for (const player of view.curves) words.append("curve", data.players[player]);
  if (view.hand >= 0) {
    for (const [name, text] of handWords(report, view.hand)) words.append(name, text);
  }
  return `#${words}`;
}

/**
 * @param {Report} report
 * @param {Behind} behind
 */
function behindText({ data }, behind) {
  if (behind.kind === "statistic") {
    return `statistic:${data.statistics[behind.place].name}:${behind.part}`;
  }
  const { title, labels } = data.groupings[behind.place];
  return `${title}:${labels[behind.label]}`;
}

/**
 * Return what of a view chooses rows: equal texts choose the same ones.
 * @param {Report} report
 * @param {View} view
 */
export function filterText(report, view) {
  return viewLink(report, { ...view, hand: -1, behind: null, order: "", curves: [] });
}

/**
 * Return the rows of *player* that the filters of a view leave.
 * @param {Report} report
 * @param {View} view
 * @param {number} player
 * @param {ReadonlySet<number>} stars
 */
export function filteredRows({ data, columns, numSeats, rowsOf }, view, player, stars) {
  const rows = rowsOf(player);
  const { source, pot, time } = columns;
  const reached =
    columns[`group${data.groupings.findIndex(({ title }) => title === "last street")}`];
  const [first, last] = view.streets;
  const [from, below] = view.pot.map((bound) => bound * data.unitChips);
  const since = view.since ? Date.parse(view.since) / 1000 : Number.NEGATIVE_INFINITY;
  const until = view.until ? Date.parse(view.until) / 1000 + DAY_S : Number.POSITIVE_INFINITY;
  const isTimed = view.since !== "" || view.until !== "";
  const found = new Int32Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const hand = Math.floor(row / numSeats);
    if (view.position >= 0 && row % numSeats !== view.position) continue;
    if (reached[row] < first || reached[row] > last) continue;
    if (pot[hand] < from || pot[hand] >= below) continue;
    if (view.log >= 0 && source[hand] !== view.log) continue;
    if (view.starred && !stars.has(hand)) continue;
    if (isTimed && !(time && time[hand] >= 0 && time[hand] >= since && time[hand] < until))
      continue;
    if (
      view.opponent >= 0 &&
      !sits(columns["player"], hand * numSeats, numSeats, row, view.opponent)
    )
      continue;
    found[count++] = row;
  }
  return found.slice(0, count);
}

/**
 * Return whether a player has a seat, other than that of *row*, from *first* on.
 * @param {import("./types.js").Numbers} players
 * @param {number} first
 * @param {number} numSeats
 * @param {number} row
 * @param {number} wanted
 */
function sits(players, first, numSeats, row, wanted) {
  for (let other = first; other < first + numSeats; other++) {
    if (other !== row && players[other] === wanted) return true;
  }
  return false;
}

/**
 * Return those of *rows* that are behind a number.
 * @param {Report} report
 * @param {Int32Array} rows
 * @param {Behind | null} behind
 */
export function rowsBehind({ data, columns, measures }, rows, behind) {
  if (!behind) return rows;
  if (behind.kind === "statistic") {
    const measure = measures[data.statistics[behind.place][behind.part]];
    return rows.filter((row) => measure(row) > 0);
  }
  const group = columns[`group${behind.place}`];
  return rows.filter((row) => group[row] === behind.label);
}
