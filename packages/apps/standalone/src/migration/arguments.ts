import { parseArgs } from 'node:util';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

export const USAGE = `migrate [--partitions N]

  --partitions N   gives the topic of samples N partitions, while gateways, writers and evaluators are stopped and
                   nothing is left to read; it is refused otherwise
`;

const MAX_PARTITIONS = 1_000;

/**
 * Reads the command line; `partitions` is null to leave their number unchanged. Throws ConfigError with a message for
 * users.
 */
export function readArguments(args: readonly string[]): { partitions: number | null } {
  const text = partitionsArgument(args);
  if (text === undefined) return { partitions: null };
  const partitions = Number(text);
  if (/^\d+$/.test(text) && partitions >= 1 && partitions <= MAX_PARTITIONS) return { partitions };
  throw new ConfigError(`--partitions must be a whole number from 1 to ${MAX_PARTITIONS}, not "${text}"`);
}

function partitionsArgument(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { partitions: { type: 'string' } } }).values.partitions;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
