/**
 * Control characters of a terminal (C0, DEL, C1), line separators and marks of text direction, because names that others
 * chose must not move the cursor or imitate other text.
 */
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const spell = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text with harmful characters replaced by their escapes, safe to print on a terminal. */
export function safeText(text: string): string {
  return text.replace(HARMFUL, spell);
}

/** JSON of the same value that is also safe to print on a terminal. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL, (character) =>
    character === '\n' ? character : spell(character),
  );
}
