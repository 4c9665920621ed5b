import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { safeJson } from './safe-text.ts';
import { type Cell, type Column, formatTable } from './table.ts';

export type Paint = 'red' | 'yellow' | 'green' | 'cyan' | 'gray' | 'bold';

type Stream = Writable & { isTTY?: boolean; columns?: number; hasColors?(env?: object): boolean };

/** The output of a command: results (`print`, `json`, `table`) and remarks (`note`). */
export interface Terminal {
  /** Prints text unchanged. What others chose must be made safe for a terminal by `safeText` before. */
  print(text: string): Promise<void>;
  /** Prints one object as JSON: indented on a terminal, otherwise in one line. */
  json(value: unknown): Promise<void>;
  /** Prints one of several objects as JSON in one line. */
  jsonLine(value: unknown): Promise<void>;
  table(columns: readonly Column[], rows: readonly (readonly (string | Cell)[])[]): Promise<void>;
  /** Writes a remark to standard error, separate from the results. */
  note(text: string): void;
  paint(colour: Paint, text: string): string;
  /** True if standard error is a terminal, where progress is useful. */
  readonly showsProgress: boolean;
}

/** Creates the output of a command. Colours are only used on a terminal, and not with NO_COLOR or TERM=dumb. */
export function createTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stdout.isTTY === true;
  const coloured = interactive && (stdout.hasColors?.(env) ?? false);
  const paint = (colour: Paint, text: string) =>
    coloured ? styleText(colour, text, { validateStream: false }) : text;

  /** Prints, and waits while the reader is slower than the output. */
  function print(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (stdout.write(text)) resolve();
      else stdout.once('drain', resolve);
    });
  }

  return {
    print,
    paint,
    showsProgress: stderr.isTTY === true,
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
