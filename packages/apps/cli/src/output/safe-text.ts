/**
 * Controls of a terminal (C0, DEL, C1), line separators, and marks that turn the direction of text: what others named so
 * must neither move the cursor nor pass for something else.
 */
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const spell = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text as it may be shown on a terminal: what is harmful is spelled out. */
export function safeText(text: string): string {
  return text.replace(HARMFUL, spell);
}

/** JSON whose text is harmless on a terminal too and reads as the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL, (character) =>
    character === '\n' ? character : spell(character),
  );
}
