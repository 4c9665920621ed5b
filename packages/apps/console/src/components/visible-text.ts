/** Control characters, and marks that reverse or hide the text after them: names come from agents and may hold any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with what cannot be seen as an escape such as `\u202e`, so that no name disguises another. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
