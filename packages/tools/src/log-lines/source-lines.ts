/** A call of a logger that writes a warning, an error or a fatal line. */
export interface LogCall {
  level: 'warn' | 'error' | 'fatal';
  /** The constant texts that the call can write; null if it writes a text that is not in the source. */
  messages: string[] | null;
}

/** Matches the beginning of `logger.warn(…)`, and of `log('warn', …)` for the log of the embedded PostgreSQL. */
const CALL = /\b(?:logger|log)(?:\.(warn|error|fatal)\(|\('(warn|error|fatal)', )/g;
const MESSAGE =
  /^(?:[\w.]+ \? )?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?: : ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))?$/;
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** Finds the logger calls in a source text. The message is the only argument or the last text among the arguments. */
export function logCallsOf(source: string): LogCall[] {
  return [...source.matchAll(CALL)].map((match) => {
    const level = (match[1] ?? match[2]) as LogCall['level'];
    const given = argumentsFrom(source, match.index + match[0].length);
    const position = match[2] !== undefined || given.length === 1 ? 0 : 1;
    const parts = MESSAGE.exec((given[position] ?? '').replaceAll(/\s+/g, ' '));
    if (parts === null) return { level, messages: conditional(given[position] ?? '') };
    return { level, messages: [parts[1], parts[2]].filter((text) => text !== undefined).map(textOf) };
  });
}

/** The two texts of `condition ? 'one' : 'other'`, where the condition is a call. */
function conditional(argument: string): string[] | null {
  const parts = /\? '([^']*)'\s*: '([^']*)'$/.exec(argument.trim());
  return parts === null ? null : [parts[1] ?? '', parts[2] ?? ''];
}

function textOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

/** The texts of the arguments of a call, starting after its parenthesis. */
function argumentsFrom(source: string, start: number): string[] {
  const found: string[] = [];
  const open: string[] = [];
  let begin = start;
  let quote = '';
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at] as string;
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === "'" || sign === '"' || sign === '`') quote = sign;
    else if (sign in CLOSING) open.push(CLOSING[sign] as string);
    else if (sign === open.at(-1)) open.pop();
    else if (open.length === 0 && (sign === ',' || sign === ')')) {
      found.push(source.slice(begin, at).trim());
      begin = at + 1;
      if (sign === ')') break;
    }
  }
  return found.filter((text) => text !== '');
}
