import { redact } from './redact.ts';

/**
 * Characters that are invisible or change the direction of text: controls, zero-width characters, the tags block, private
 * and unassigned characters, unpaired surrogates, fillers and variation selectors. They can hide instructions that models
 * read and people do not see.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]|[\u115f\u1160\u3164\uffa0]|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]/gu;
const SPACES = /[\s\p{Z}]+/gu;
/** Text that looks like an id of evidence or findings. Names may imitate ids; real ids are added after the cleaning. */
const LOOKS_LIKE_AN_ID = /\b(?:evd|fnd)_\w*/giu;

/** Longer input is cut before the patterns run, to bound their work. */
const MAX_INPUT_CHARACTERS = 2_048;

/** Turns a text into one line without invisible characters and with single spaces. */
export function visibleText(text: string): string {
  return text
    .replace(/[\p{Zl}\p{Zp}\t\n\v\f\r]/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .trim();
}

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * Cleans text that others chose (names, tags, comments, questions) for a model: one visible line of at most `limit`
 * characters, without secrets and without text that looks like an id of evidence. `realIds` are ids that the text may cite.
 */
export function cleanText(text: string, limit: number, realIds = NO_IDS): string {
  const visible = visibleText(text.slice(0, MAX_INPUT_CHARACTERS));
  const cited = redact(visible).replace(LOOKS_LIKE_AN_ID, (id) => (realIds.has(id) ? id : '(id)'));
  return shorten(cited, limit);
}

/** Shortens a text to at most `limit` characters; the last one is an ellipsis if text was cut off. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
