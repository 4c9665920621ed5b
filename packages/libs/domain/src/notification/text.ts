/** Controls of C0 and C1, separators of lines, and marks that turn or hide what follows them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/**
 * `text` as one line of what can be seen: names come from agents and go into headers, subjects and messages, where a
 * line break begins something new and a bidirectional mark makes a name look like another.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
}

/** `text` of at most `most` UTF-16 units, which is what providers count; cut between characters, with an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 2);
  const splits = before >= 0xd800 && before <= 0xdbff;
  return `${text.slice(0, splits ? most - 2 : most - 1)}…`;
}
