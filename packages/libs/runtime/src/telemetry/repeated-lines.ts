/** The arguments of a call of a logger: fields, text and further ones. */
export type LineArguments = unknown[];

export interface RepeatedLinesOptions {
  /** Window in which further lines of a kind are only counted after one was written, ms. */
  windowMs: number;
  /** Maximum number of kinds; beyond it the one that was written longest ago is summed up early. */
  maxKinds: number;
}

/** Writes a summary line: at the level of its kind, or at `info` where the lines have ended. */
export type WriteLine = (args: LineArguments, level: 'own' | 'info') => void;

interface Kind {
  write: WriteLine;
  /** The newest line that was only counted. */
  last: LineArguments;
  /** Lines since the last one that was written. */
  repeated: number;
  /** Lines since the first one. */
  total: number;
  since: number;
  timer: NodeJS.Timeout;
}

/**
 * Bounds what a failing dependency writes to the log. The first line of a kind is written at once, further ones are counted; after
 * each window with any, the newest is written with `repeated`, their number. After a window without any, one line says that
 * they have ended. A kind is the text of the line and the code of its error, or a text alone without its numbers. Lines with
 * fields but without an error are not bounded.
 */
export class RepeatedLines {
  readonly #options: RepeatedLinesOptions;
  readonly #kinds = new Map<string, Kind>();

  constructor(options: RepeatedLinesOptions) {
    this.#options = options;
  }

  /** Writes a line now, or counts it. */
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
  // A text alone, as in the log of the database, whose times, pids and ports differ from line to line.
  if (typeof fields === 'string') return plain(fields);
  if (typeof fields !== 'object' || fields === null || fields instanceof Error) return null;
  const { err, error = err, kafka } = fields as { err?: unknown; error?: unknown; kafka?: unknown };
  // Lines of Kafka's client about each connection attempt.
  if (kafka !== undefined) return plain(textOf(args));
  if (error === undefined || error === null) return null;
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const what = typeof error === 'string' ? '' : String(code ?? name ?? '');
  return `${plain(textOf(args))}\n${what}`;
}

function plain(text: string): string {
  return text.slice(0, MAX_KIND_CHARS).replace(/\d+/g, '0');
}
