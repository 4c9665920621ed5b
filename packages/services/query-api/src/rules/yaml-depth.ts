import { Lexer } from 'yaml';

const OPENING = new Set(['[', '{']);
const CLOSING = new Set([']', '}']);
/** Each of them begins another level where several stand in one line. */
const INDICATORS = new Set(['-', '?', ':']);

/**
 * The fault of a text whose lists and maps nest deeper than `deepest` by brackets, or by indicators in one line. Reads tokens
 * only, and only up to there: a parser takes seconds for what opens a hundred thousand lists, before it finds that none closes.
 */
export function yamlDepthFault(text: string, deepest: number): { code: string; message: string } | undefined {
  let depth = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (OPENING.has(token)) depth += 1;
    else if (CLOSING.has(token)) depth = Math.max(0, depth - 1);
    else if (token === '\n' || token === '\r\n') inLine = 0;
    else if (INDICATORS.has(token) && depth === 0) inLine += 1;
    if (depth > deepest || inLine > deepest)
      return { code: 'too_deep', message: `Must not be nested more than ${deepest} levels deep.` };
  }
  return undefined;
}
