import { compilePattern } from './pattern.ts';

/**
 * Whether every text that one of the `inner` patterns matches also matches one of the `outer` patterns. Each `*` of an
 * inner pattern is replaced by a character that no pattern contains: only a `*` of an outer pattern matches that character.
 */
export function patternsCover(outer: readonly string[], inner: readonly string[]): boolean {
  const fresh = unusedCharacter([...outer, ...inner]);
  const covers = outer.map(compilePattern);
  return inner.every((pattern) => {
    const witness = pattern.replace(/\*+/g, fresh);
    return covers.some((matches) => matches(witness));
  });
}

function unusedCharacter(patterns: readonly string[]): string {
  const used = new Set(patterns.join(''));
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
}
