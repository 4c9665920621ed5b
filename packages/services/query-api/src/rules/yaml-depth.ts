import { Lexer } from 'yaml';

const OPENING = new Set(['[', '{']);
const CLOSING = new Set([']', '}']);
/** Characters that each begin another level if several of them are in one line. */
const INDICATORS = new Set(['-', '?', ':']);

/**
 * The fault of a YAML text that nests deeper than `deepest`, by brackets or by indicators in one line. Reads only tokens
 * and stops there, because a parser takes seconds for a hundred thousand opened lists.
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
