import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { RepeatedLines } from './repeated-lines.ts';

export type Logger = PinoLogger;

export interface LoggerOptions {
  /** The role of the process, in every line. */
  name: string;
  level?: string;
  /** Coloured lines for people instead of JSON; for a terminal. */
  pretty?: boolean;
  /** The stream that log lines are written to; standard output by default. */
  destination?: DestinationStream;
}

/** Each line about an unavailable dependency is written at this interval, however often it is retried. */
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

/** Hides what looks like a key, or like a password in an address, anywhere in a line. */
export function withoutSecrets(line: string): string {
  return line.replace(KEY_TEXT, 'tw_[hidden]').replace(CREDENTIALS_IN_ADDRESS, '$1[hidden]@');
}

/**
 * A pino logger: JSON by line, fields that carry secrets removed, key texts hidden even inside messages. Warnings and errors
 * that repeat are counted and summed up, as RepeatedLines says.
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
      // A level that does not exist is refused by name where the settings are read.
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

/** Writes nothing; for tests. */
export function createSilentLogger(): Logger {
  return pino({ level: 'silent' });
}
