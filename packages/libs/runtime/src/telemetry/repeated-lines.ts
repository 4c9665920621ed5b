/** The arguments of a call of a logger: fields, text and further ones. */
export type LineArguments = unknown[];

export interface RepeatedLinesOptions {
  /** How long further lines of a kind are only counted after one was written, ms. */
  windowMs: number;
  /** The maximum number of kinds; beyond it, the kind that was written longest ago is summed up early. */
  maxKinds: number;
}

/** Writes a summary line: at the level of the repeated lines, or at `info` if they have ended. */
export type WriteLine = (args: LineArguments, level: 'own' | 'info') => void;

interface Kind {
  write: WriteLine;
  /** The newest line that was counted and not written. */
  last: LineArguments;
  /** The number of lines since the last one that was written. */
  repeated: number;
  /** The number of lines since the first one. */
  total: number;
  since: number;
  timer: NodeJS.Timeout;
}

/**
 * Limits what a failing dependency writes to the log. The first line of a kind (its text and error code, or a text without
 * its numbers) is written at once; after each window, the newest further line is written with the number of repetitions,
 * and after a window without any, a line says that they ended. Lines with fields but no error are not limited.
 */
export class RepeatedLines {
  readonly #options: RepeatedLinesOptions;
  readonly #kinds = new Map<string, Kind>();

  constructor(options: RepeatedLinesOptions) {
    this.#options = options;
  }

  /** Writes a line at once, or counts it. */
  take(args: LineArguments, write: WriteLine): void {
    const name = kindOf(args);
    if (name === null) {
      write(args, 'own');
      return;
    }
    const known = this.#kinds.get(name);
    if (known !== undefined) {
      known.repeated += 1;
      known.last = args;
      known.write = write;
      return;
    }
    const [oldest] = this.#kinds.keys();
    if (oldest !== undefined && this.#kinds.size >= this.#options.maxKinds) this.#forget(oldest);
    const kind = { write, last: args, repeated: 0, total: 1, since: Date.now(), timer: this.#wait(name) };
    this.#kinds.set(name, kind);
    write(args, 'own');
  }

  #wait(name: string): NodeJS.Timeout {
    const timer = setTimeout(() => this.#endWindow(name), this.#options.windowMs);
    timer.unref();
    return timer;
  }

  #endWindow(name: string): void {
    const kind = this.#kinds.get(name);
    if (kind === undefined) return;
    if (kind.repeated > 0) {
      this.#sumUp(kind);
      kind.timer = this.#wait(name);
      return;
    }
    this.#kinds.delete(name);
    if (kind.total === 1) return;
    const { total: times, since, last } = kind;
    const fields = { of: textOf(last), times, seconds: Math.round((Date.now() - since) / 1_000) };
    kind.write([fields, 'no longer repeated'], 'info');
  }

  #forget(name: string): void {
    const kind = this.#kinds.get(name);
    if (kind === undefined) return;
    clearTimeout(kind.timer);
    this.#kinds.delete(name);
    if (kind.repeated > 0) this.#sumUp(kind);
  }

  #sumUp(kind: Kind): void {
    const fields = typeof kind.last[0] === 'string' ? {} : (kind.last[0] as object);
    const rest = typeof kind.last[0] === 'string' ? kind.last : kind.last.slice(1);
    kind.total += kind.repeated;
    kind.write([{ ...fields, repeated: kind.repeated }, ...rest], 'own');
    kind.repeated = 0;
  }
}

function textOf(args: LineArguments): string {
  const text = typeof args[0] === 'string' ? args[0] : args[1];
  return typeof text === 'string' ? text : '';
}

/** The number of characters at the start of a text that distinguish one kind of line from another. */
const MAX_KIND_CHARS = 200;

/** Returns the kind of a line; null for a line with fields but without an error, since each such line differs. */
function kindOf(args: LineArguments): string | null {
  const [fields] = args;
  // Lines without fields, as from the log of the database: times, pids and ports differ from line to line.
  if (typeof fields === 'string') return plain(fields);
  if (typeof fields !== 'object' || fields === null || fields instanceof Error) return null;
  const { err, error = err, kafka } = fields as { err?: unknown; error?: unknown; kafka?: unknown };
  // Lines of Kafka's client about each connection attempt differ in port and delay.
  if (kafka !== undefined) return plain(textOf(args));
  if (error === undefined || error === null) return null;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const what = typeof error === 'string' ? '' : String(code ?? name ?? '');
  return `${plain(textOf(args))}\n${what}`;
}

function plain(text: string): string {
  return text.slice(0, MAX_KIND_CHARS).replace(/\d+/g, '0');
}
