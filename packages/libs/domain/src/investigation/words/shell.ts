import { oneLine } from '../../notification/text.ts';

/**
 * Quotes a text as one argument of a POSIX shell. Control characters are removed, since they can change what a terminal
 * shows.
 */
export function shellQuoted(text: string): string {
  return `'${oneLine(text).replaceAll("'", "'\\''")}'`;
}
