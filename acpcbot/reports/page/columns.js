// The columns of a report: unpacked from the page, and what follows from them.

/** @import {Numbers, Packed, Report, ReportData} from "./types.js" */

const ARRAYS = {
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/**
 * Return the columns by name.
 * @param {Packed} packed
 * @returns {Promise<Record<string, Numbers>>}
 */
async function unpackedColumns({ arrays, bytes }) {
  const letters = atob(bytes);
  const compressed = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) {
    compressed[place] = letters.charCodeAt(place);
  }
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const columns = Object.entries(arrays).map(([name, [kind, offset, length, areSteps]]) => {
    const column = new ARRAYS[/** @type {keyof typeof ARRAYS} */ (kind)](buffer, offset, length);
    return [name, areSteps ? sumsOf(column) : column];
  });
  return Object.fromEntries(columns);
}

/** @param {Numbers} steps */
function sumsOf(steps) {
  const sums = new Float64Array(steps.length);
  let sum = 0;
  for (let place = 0; place < steps.length; place++) {
    sum += steps[place];
    sums[place] = sum;
  }
  return sums;
}

/**
 * Return the report that the page carries.
 * @param {ReportData} data
 * @returns {Promise<Report>}
 */
export async function readReport(data) {
  const columns = await unpackedColumns(data.packed);
  const numSeats = data.seats.length;
  const chips = { name: "chips", values: columns["chips"] };
  const further = data.columns.map((name, place) => ({
    name,
    values: columns[`further${place}`],
  }));
  return {
    data,
    columns,
    numSeats,
    plain: plainChips(columns["player"], columns["chips"], numSeats),
    results: [chips, ...further],
    measures: measuresOf(data, columns),
    rowsOf: rowFinder(columns["player"]),
    replayPlace: placeFinder(columns["replayed"]),
  };
}

/**
 * Return the chips that each row's player won in the hand: those of all its seats.
 * @param {Numbers} player
 * @param {Numbers} chips
 * @param {number} numSeats
 * @returns {Numbers}
 */
function plainChips(player, chips, numSeats) {
  let plain = chips;
  for (let row = 0; row < player.length; row++) {
    const first = row - (row % numSeats);
    for (let other = first; other < first + numSeats; other++) {
      if (other === row || player[other] !== player[row]) continue;
      if (plain === chips) plain = Float64Array.from(chips);
      plain[row] += chips[other];
    }
  }
  return plain;
}

/**
 * @param {ReportData} data
 * @param {Record<string, Numbers>} columns
 */
function measuresOf(data, columns) {
  /** @type {Report["measures"]} */
  const measures = {};
  const flags = columns["flags"];
  for (const [bit, name] of data.flags.entries()) {
    measures[name] = (row) => (flags[row] >>> bit) & 1;
  }
  for (const [place, name] of data.sums.entries()) {
    const column = columns[`sum${place}`];
    measures[name] = (row) => column[row];
  }
  return measures;
}

/**
 * Return a function that finds the rows of a player, each player's once.
 * @param {Numbers} player
 */
function rowFinder(player) {
  /** @type {Map<number, Int32Array>} */
  const found = new Map();
  /** @param {number} wanted */
  return (wanted) => {
    const known = found.get(wanted);
    if (known) return known;
    const rows = new Int32Array(player.length);
    let count = 0;
    for (let row = 0; row < player.length; row++) {
      if (player[row] === wanted) rows[count++] = row;
    }
    const own = rows.slice(0, count);
    found.set(wanted, own);
    return own;
  };
}

/**
 * Return a function that finds the place of a hand in *replayed*, which rises.
 * @param {Numbers} replayed
 */
function placeFinder(replayed) {
  /** @param {number} hand */
  return (hand) => {
    let [low, high] = [0, replayed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (replayed[middle] < hand) low = middle + 1;
      else high = middle;
    }
    return replayed[low] === hand ? low : -1;
  };
}
