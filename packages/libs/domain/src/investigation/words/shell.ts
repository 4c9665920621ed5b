import { oneLine } from '../../notification/text.ts';

/**
 * A text as one argument of a POSIX shell: between single quotes, those inside closed, escaped and opened again. Controls are
 * taken out first, since they can move what a terminal shows.
 */
export function shellQuoted(text: string): string {
  return `'${oneLine(text).replaceAll("'", "'\\''")}'`;
}
