import { parseArgs } from 'node:util';

export interface EvaluationOptions {
  /** How many seeds for each kind and each combination of noise, interval and delay. */
  readonly seeds: number;
  /** Fits the weights of the ranking instead of judging. */
  readonly fit: boolean;
  /** A folder for the pictures of docs/investigations.md; null for none. */
  readonly pictures: string | null;
  readonly json: string | null;
  readonly help: boolean;
}

/** A sentence for people that says which argument is wrong, and how. */
export class OptionError extends Error {}

const DEFAULT_SEEDS = 4;

export const USAGE = `Judges investigations on incidents whose causes are known.

  npm run eval:investigations -- [--seeds N] [--pictures FOLDER] [--json FILE] [--fit]

  --seeds N          incidents of each kind for each of 18 combinations of noise, interval and delay; ${DEFAULT_SEEDS} by default,
                     1 to 100
  --pictures FOLDER  draws what docs/investigations.md shows, from these results
  --json FILE        writes the figures to a file
  --fit              fits the weights of the ranking on seeds of their own and prints them; judges nothing
`;

/** Throws an `OptionError` where an argument is wrong. */
export function readOptions(args: string[]): EvaluationOptions {
  const { values } = parsed(args);
  const seeds = Number(values.seeds ?? DEFAULT_SEEDS);
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > 100)
    throw new OptionError(`--seeds must be a whole number from 1 to 100, not ${values.seeds}`);
  return {
    seeds,
    fit: values.fit ?? false,
    pictures: values.pictures ?? null,
    json: values.json ?? null,
    help: values.help ?? false,
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seeds: { type: 'string' },
        fit: { type: 'boolean' },
        pictures: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}
