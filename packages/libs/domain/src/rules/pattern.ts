const STAR = '*'.charCodeAt(0);

/**
 * Whether the text matches a pattern in which `*` matches any characters, or none; everything else is literal and case-sensitive. The
 * time is at most the length of the text times that of the longest piece between stars. Keeps no memory for a pattern: rules may have
 * many thousands of them.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resumed = 0;
  while (position < text.length) {
    const wanted = pattern.charCodeAt(at);
    if (wanted === STAR) {
      star = at;
      resumed = position;
      at += 1;
    } else if (wanted === text.charCodeAt(position)) {
      at += 1;
      position += 1;
    } else {
      if (star < 0) return false;
      // The last star takes one character more; what came before it stays matched as early as it can.
      resumed += 1;
      position = resumed;
      at = star + 1;
    }
  }
  while (pattern.charCodeAt(at) === STAR) at += 1;
  return at === pattern.length;
}

/** A test of texts by a pattern; see `matchesPattern`. */
export function compilePattern(pattern: string): (text: string) => boolean {
  return pattern.includes('*') ? (text) => matchesPattern(pattern, text) : (text) => text === pattern;
}

/** A test that is true if any of the patterns matches. */
export function compilePatterns(patterns: readonly string[]): (text: string) => boolean {
  const literals = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wildcards = patterns.filter((pattern) => pattern.includes('*'));
  if (wildcards.length === 0) return (text) => literals.has(text);
  return (text) => literals.has(text) || wildcards.some((pattern) => matchesPattern(pattern, text));
}
