// Requests to the server's solver, and elements of its page.

/** @import {Parts} from "./solver_types.js" */

/**
 * Return the element of solver.html with this id.
 * @template {keyof Parts} Id
 * @param {Id} id
 */
export const part = (id) => /** @type {Parts[Id]} */ (document.getElementById(id));

/**
 * Ask the server; throws an Error with its reason where it refuses.
 * @param {string} name
 * @param {unknown} [question] sent as JSON; without it nothing is changed
 * @returns {Promise<string>}
 */
export async function ask(name, question) {
  const body = question === undefined ? {} : { method: "POST", body: JSON.stringify(question) };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/solver/${name}`, body);
  } catch {
    throw new Error("the server does not answer; start acpcbot table again");
  }
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(reasonOf(text));
}

/** @param {string} text */
function reasonOf(text) {
  try {
    return String(JSON.parse(text).reason);
  } catch {
    return text.trim() || "the server failed; its log says why";
  }
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
