import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { RepeatedLines } from './repeated-lines.ts';

export type Logger = PinoLogger;

export interface LoggerOptions {
  /** The role of the process, in every line. */
  name: string;
  level?: string;
  /** Writes coloured lines for a terminal instead of JSON. */
  pretty?: boolean;
  /** The stream that log lines are written to; standard output by default. */
  destination?: DestinationStream;
}

/** How often a repeated line about an unavailable dependency is written, and how many kinds of lines are tracked. */
const REPEATED = { windowMs: 30_000, maxKinds: 256 };
const { warn: WARN, error: ERROR } = pino.levels.values as { warn: number; error: number };

const LEVELS: ReadonlySet<string | undefined> = new Set([...Object.keys(pino.levels.values), 'silent']);

const SECRET_FIELDS = [
  'key',
  'apiKey',
  'secret',
  'password',
  'token',
  'authorization',
  'headers',
  'rawHeaders',
  'cookie',
];
const KEY_TEXT = /\btw_[A-Za-z0-9]+_[A-Za-z0-9_-]{16,}/g;
const CREDENTIALS_IN_ADDRESS = /(\w:\/\/[^\s:/@"]*:)[^\s@/"]+@/g;

/** Hides texts that look like API keys, or like passwords in addresses, anywhere in a line. */
export function withoutSecrets(line: string): string {
  return line.replace(KEY_TEXT, 'tw_[hidden]').replace(CREDENTIALS_IN_ADDRESS, '$1[hidden]@');
}

/**
 * Creates a pino logger that writes one JSON object per line, without fields and texts that look like secrets. Repeated
 * warnings and errors are counted and summed up (see RepeatedLines).
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination =
    options.destination ??
    (options.pretty
      ? pretty({ colorize: true, ignore: 'pid,hostname,name', translateTime: 'SYS:HH:MM:ss.l', sync: true })
      : pino.destination({ dest: 1, sync: true }));
  const repeated = new RepeatedLines(REPEATED);
  return pino(
    {
      name: options.name,
      // Falls back to a valid level, because an invalid one is reported by name when the settings are read.
      level: LEVELS.has(options.level ?? '') ? options.level : 'info',
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[hidden]' },
      hooks: {
        streamWrite: withoutSecrets,
        logMethod(args, method, level) {
          if (level < WARN || level > ERROR) return method.apply(this, args);
          return repeated.take(args, (line, at) => {
            const write = at === 'info' ? this.info : method;
            write.apply(this, line as Parameters<typeof method>);
          });
        },
      },
    },
    destination,
  );
}

/** A logger for tests that writes nothing. */
export function createSilentLogger(): Logger {
  return pino({ level: 'silent' });
}
