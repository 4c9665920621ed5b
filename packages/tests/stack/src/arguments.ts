import { readCommandOptions } from '@tidewatch/runtime/settings/command-options';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

export interface StackArguments {
  gateways: number;
  writers: number;
  evaluators: number;
  notifiers: number;
  investigators: number;
  /** True if a process that ends is restarted. */
  restart: boolean;
  help: boolean;
  version: boolean;
  /** Settings from the command line. */
  given: { port?: string | undefined; 'data-dir'?: string | undefined };
}

export const USAGE = `Runs the distributed topology on this machine: Kafka, PostgreSQL, Redis, and a process for each service.

  npm run stack -- [--gateways N] [--writers N] [--evaluators N] [--notifiers N] [--investigators N] [--no-restart]
                   [--port N] [--data-dir DIR]

  --gateways N, --writers N, --evaluators N, --notifiers N, --investigators N   how many processes of each, 1 by default
  --no-restart                                                                  leaves a process that dies dead
  --port N                                                                      the port; TIDEWATCH_PORT, 8230 by default
  --data-dir DIR                                                                TIDEWATCH_DATA_DIR, .tidewatch-stack by default
  --version, --help
`;

/** Reads the command line. Throws ConfigError with a message for users. */
export function readArguments(args: readonly string[]): StackArguments {
  const number = { type: 'string', default: '1' } as const;
  const options = {
    gateways: number,
    writers: number,
    evaluators: number,
    notifiers: number,
    investigators: number,
    'no-restart': { type: 'boolean', default: false },
    port: { type: 'string' },
    'data-dir': { type: 'string' },
    version: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const values = readCommandOptions(args, options, USAGE);
  return {
    gateways: countOf('gateways', values.gateways),
    writers: countOf('writers', values.writers),
    evaluators: countOf('evaluators', values.evaluators),
    notifiers: countOf('notifiers', values.notifiers),
    investigators: countOf('investigators', values.investigators),
    restart: !values['no-restart'],
    help: values.help,
    version: values.version,
    given: { port: values.port, 'data-dir': values['data-dir'] },
  };
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new ConfigError(`--${name} must be a whole number from 1 to 64`);
}
