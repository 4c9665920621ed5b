/**
 * Splits a comma-separated list. A comma in an entry is escaped by a backslash, or the entry is in double quotes; `\\`
 * is one backslash, and any other backslash is literal.
 */
export function splitList(text: string): string[] {
  return splitAt(text, ',', Number.POSITIVE_INFINITY).map(readEntry);
}

/**
 * Splits `name:value` at the first colon outside of the name, which may escape or quote colons. The value is unchanged.
 * Undefined if there is no such colon.
 */
export function splitNameAndValue(text: string): { name: string; value: string } | undefined {
  const [name, ...rest] = splitAt(text, ':', 1);
  return rest.length === 0 ? undefined : { name: readEntry(name as string), value: rest[0] as string };
}

/** Splits a text at the first `most` separators that are neither escaped nor quoted; the pieces keep their escapes. */
function splitAt(text: string, separator: string, most: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let index = 0;
  while (index < text.length && pieces.length < most) {
    if (index === start && text[index] === '"') {
      const end = quotedEnd(text, index);
      if (end !== -1 && (end + 1 === text.length || text[end + 1] === separator)) index = end + 1;
    }
    if (text[index] === separator) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
    index += text[index] === '\\' ? 2 : 1;
  }
  return [...pieces, text.slice(start)];
}

/** The index of the closing quote of the quoted text that begins at `start`; -1 if there is none. */
function quotedEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += text[index] === '\\' ? 2 : 1)
    if (text[index] === '"') return index;
  return -1;
}

function readEntry(piece: string): string {
  const isQuoted = piece.length >= 2 && piece.startsWith('"') && quotedEnd(piece, 0) === piece.length - 1;
  return (isQuoted ? piece.slice(1, -1) : piece).replace(/\\([\\",:])/g, '$1');
}
