/** C0 and C1 control characters, line separators, and marks that reverse or hide the following text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/**
 * `text` as one visible line: names come from agents and are put into headers, subjects and messages, where a line break
 * would start a new field and a bidirectional mark could disguise a name.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
}

/** Cuts `text` to at most `most` UTF-16 units, which is what providers count, between characters and with an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 2);
  const splits = before >= 0xd800 && before <= 0xdbff;
  return `${text.slice(0, splits ? most - 2 : most - 1)}…`;
}
