import { parseArgs } from 'node:util';
import { ConfigError } from '@tidewatch/runtime/config';

export interface StackArguments {
  gateways: number;
  writers: number;
  evaluators: number;
  notifiers: number;
  investigators: number;
  /** Whether what dies is started again. */
  restart: boolean;
  help: boolean;
}

export const USAGE = `Runs the distributed topology on this machine: Kafka, PostgreSQL, Redis, and a process for each service.

  npm run stack -- [--gateways N] [--writers N] [--evaluators N] [--notifiers N] [--investigators N] [--no-restart]

  --gateways N, --writers N, --evaluators N, --notifiers N, --investigators N   how many processes of each, 1 by default
  --no-restart                                                                  leaves a process that dies dead
`;

/** Throws ConfigError with a sentence for people. */
export function readArguments(args: readonly string[]): StackArguments {
  const number = { type: 'string', default: '1' } as const;
  const options = {
    gateways: number,
    writers: number,
    evaluators: number,
    notifiers: number,
    investigators: number,
    'no-restart': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    return {
      gateways: countOf('gateways', values.gateways),
      writers: countOf('writers', values.writers),
      evaluators: countOf('evaluators', values.evaluators),
      notifiers: countOf('notifiers', values.notifiers),
      investigators: countOf('investigators', values.investigators),
      restart: !values['no-restart'],
      help: values.help,
    };
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError((error as Error).message);
  }
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new ConfigError(`--${name} must be a whole number from 1 to 64`);
}
