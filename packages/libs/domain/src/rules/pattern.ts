/**
 * Compiles a pattern in which `*` matches any characters, or none; everything else is literal and case-sensitive. The time
 * to match is linear in the text for each `*`.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  const first = parts[0] as string;
  if (parts.length === 1) return (text) => text === pattern;
  const last = parts.at(-1) as string;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    let position = first.length;
    const end = text.length - last.length;
    for (const part of middle) {
      const found = text.indexOf(part, position);
      if (found < 0 || found + part.length > end) return false;
      position = found + part.length;
    }
    return true;
  };
}

/** A test that is true if any of the patterns matches. */
export function compilePatterns(patterns: readonly string[]): (text: string) => boolean {
  const literals = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wildcards = patterns.filter((pattern) => pattern.includes('*')).map(compilePattern);
  if (wildcards.length === 0) return (text) => literals.has(text);
  return (text) => literals.has(text) || wildcards.some((matches) => matches(text));
}
