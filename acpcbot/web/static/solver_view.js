// A decision of a solution: the way to it, its actions, the next cards, and its study.

import { button, make, number, smallCards } from "./dom.js";
import { fillItem, percent } from "./hand_grid.js";
import { drawCardPicker, markCards } from "./solver_cards.js";
import { findDecision, followsOf } from "./solver_data.js";
import { findStudy } from "./solver_solutions.js";
import { drawStudy } from "./study_view.js";

/** @import {StudyData, StudyView} from "./study_types.js" */
/** @import {Solution, SolvedDecision} from "./solver_types.js" */

const NEXT_CARDS = { preflop: 3, flop: 1, turn: 1 };

/**
 * Draw the decision after these words, whose study was read; *go* hears of the words that are
 * chosen, *onView* of the view of the study.
 * @param {Solution} solution
 * @param {string[]} words
 * @param {(words: string[]) => void} go
 * @param {(view: StudyView) => void} onView
 */
export function drawDecision(solution, words, go, onView) {
  const [decision, study] = [findDecision(solution, words), findStudy(solution, words)];
  if (!decision || !study) return [make("p", "note", "This solution has no such decision.")];
  const facts = make("p", "note", `${decision.street} `, smallCards(decision.board));
  facts.append(` · pot ${number(decision.pot_chips)}`);
  if (decision.to_call_chips) facts.append(` · ${number(decision.to_call_chips)} to call`);
  const next = make("div", "next-cards");
  const isCards = followsOf(decision, solution).map((follow) => follow === "cards");
  /** @param {string} word */
  const act = (word) => {
    if (isCards[decision.actions.indexOf(word)]) {
      next.replaceChildren(...nextCards(decision, word, go));
    } else go([...words, word]);
  };
  return [
    path(solution, words, go),
    make("h3", "", `Seat ${decision.seat} to act`),
    facts,
    actions(solution, decision, study, act),
    next,
    drawStudy(study, onView),
  ];
}

/**
 * @param {Solution} solution
 * @param {string[]} words
 * @param {(words: string[]) => void} go
 */
function path(solution, words, go) {
  const steps = ["start", ...words].map((word, place) => {
    const [before, isHere] = [words.slice(0, place), place === words.length];
    const step =
      !isHere && isStop(solution, before)
        ? button(word, () => go(before))
        : make("span", "step", word);
    if (isHere) step.setAttribute("aria-current", "step");
    const actor = place ? findDecision(solution, words.slice(0, place - 1))?.seat : undefined;
    return make("li", "", ...(actor ? [make("span", "who", `Seat ${actor} `)] : []), step);
  });
  const list = make("ol", "line-so-far", ...steps);
  list.setAttribute("aria-label", "Way to this decision");
  return list;
}

/**
 * Return whether a decision comes after these words; before a card falls there is none.
 * @param {Solution} solution
 * @param {string[]} words
 */
const isStop = (solution, words) =>
  findDecision(solution, words) !== undefined ||
  (solution.job !== null &&
    (!words.length || /^([2-9TJQKA][cdhs])+$/.test(words[words.length - 1])));

/**
 * @param {Solution} solution
 * @param {SolvedDecision} decision
 * @param {StudyData} study
 * @param {(word: string) => void} act
 */
function actions(solution, decision, study, act) {
  const follows = followsOf(decision, solution);
  const items = study.strategy.actions.map(({ text: word, fill }, place) => {
    const text = fillItem("span", {
      fill,
      text: `${word} ${percent(decision.frequencies[place])}`,
    });
    if (follows[place] === "end") {
      return make("li", "action-end", text, make("span", "note", " ends the betting"));
    }
    const chosen = button("", () => act(word));
    chosen.append(text);
    chosen.dataset["action"] = word;
    return make("li", "", chosen);
  });
  const list = make("ul", "action-list", ...items);
  list.setAttribute("aria-label", "Actions, with their frequencies");
  return list;
}

/**
 * @param {SolvedDecision} decision
 * @param {string} action
 * @param {(words: string[]) => void} go
 */
function nextCards(decision, action, go) {
  const wanted = NEXT_CARDS[/** @type {keyof typeof NEXT_CARDS} */ (decision.street)] ?? 1;
  let chosen = "";
  const picker = drawCardPicker("Next cards of the board", (card) => {
    chosen = chosen.includes(card) ? chosen.replace(card, "") : chosen + card;
    markCards(picker, chosen, decision.board);
    if (chosen.length === 2 * wanted) go([...decision.after, action, chosen]);
  });
  markCards(picker, "", decision.board);
  const title = wanted > 1 ? `${wanted} cards` : "the next card";
  return [make("h4", "", `After ${action}: choose ${title}`), picker];
}
