import { redact } from './redact.ts';

/**
 * What cannot be seen or turns the direction of text: controls, marks of direction, zero-width characters, the invisible
 * copy of ASCII in the tags block, private and unassigned characters, halves of surrogate pairs, fillers, and selectors of
 * variants. Text hides orders in them that people do not see and models read.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]|[\u115f\u1160\u3164\uffa0]|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]/gu;
const SPACES = /[\s\p{Z}]+/gu;
/** Spelled as an identifier of ours, whole or in part. Names may imitate them; real ones stand where we put them. */
const LOOKS_LIKE_AN_ID = /\b(?:evd|fnd)_\w*/giu;

/** How much of a text is looked at before it is cut, so that patterns have bounded work. */
const LOOKED_AT = 2_048;

/** One line that people see as it is: invisible characters removed, spaces joined. */
export function visibleText(text: string): string {
  return text
    .replace(/[\p{Zl}\p{Zp}\t\n\v\f\r]/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .trim();
}

/**
 * Text that others chose (names, tags, comments, questions) as a model may be shown it: one visible line without secrets
 * and without anything spelled like an id of evidence, of `limit` characters at most.
 */
export function cleanText(text: string, limit: number): string {
  const visible = visibleText(text.slice(0, LOOKED_AT));
  return shorten(redact(visible).replace(LOOKS_LIKE_AN_ID, '(id)'), limit);
}

/** At most `limit` characters, the last of them an ellipsis where something was cut. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
