import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { safeJson } from './safe-text.ts';
import { type Cell, type Column, formatTable } from './table.ts';

export type Paint = 'red' | 'yellow' | 'green' | 'cyan' | 'gray' | 'bold';

type Stream = Writable & { isTTY?: boolean; columns?: number; hasColors?(env?: object): boolean };

/** Where a command says what it found (`print`, `json`, `table`) and what it wants to remark besides (`note`). */
export interface Terminal {
  /** Text that is safe already. */
  print(text: string): Promise<void>;
  /** One object, exactly: indented on a terminal, else in one line. */
  json(value: unknown): Promise<void>;
  /** One object of several, in one line. */
  jsonLine(value: unknown): Promise<void>;
  table(columns: readonly Column[], rows: readonly (readonly (string | Cell)[])[]): Promise<void>;
  /** To the error stream, so that it never mixes with results. */
  note(text: string): void;
  paint(colour: Paint, text: string): string;
  /** Whether a person watches the remarks. */
  readonly watched: boolean;
}

/** Colours appear on a terminal alone, and there unless NO_COLOR or TERM=dumb speak against it. */
export function createTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stdout.isTTY === true;
  const coloured = interactive && (stdout.hasColors?.(env) ?? false);
  const paint = (colour: Paint, text: string) =>
    coloured ? styleText(colour, text, { validateStream: false }) : text;

  /** Waits where the reader is slower than we are. */
  function print(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (stdout.write(text)) resolve();
      else stdout.once('drain', resolve);
    });
  }

  return {
    print,
    paint,
    watched: stderr.isTTY === true,
    json: (value) => print(`${safeJson(value, interactive ? 2 : undefined)}\n`),
    jsonLine: (value) => print(`${safeJson(value)}\n`),
    table: (columns, rows) =>
      print(
        formatTable(columns, rows, interactive ? (stdout.columns ?? null) : null, (text) =>
          paint('gray', text),
        ),
      ),
    note: (text) => void stderr.write(`${text}\n`),
  };
}
