import { readCommandOptions } from '@tidewatch/runtime/settings/command-options';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

export interface EvaluationOptions {
  /** The number of seeds for each kind of incident and each combination of noise, interval and delay. */
  readonly seeds: number;
  /** The number of the first seed that is tested. */
  readonly firstSeed: number;
  /** The keys of the requested parts, whose data must exist; empty for all parts. */
  readonly only: readonly string[];
  /** The directory with the recordings in the folders `petshop`, `nezha`, `servers` and `nab`. */
  readonly data: string;
  /** The number of times that the hosts of recorded incidents are renamed at random. */
  readonly renamings: number;
  /**
   * Whether to also choose the parameters of the host ranking on one scenario and test them on the other, and to vary each
   * parameter alone.
   */
  readonly thorough: boolean;
  /** Whether to fit the weights of the ranking instead of testing. */
  readonly fit: boolean;
  /** The folder for the pictures of docs/investigations.md; null to draw none. */
  readonly pictures: string | null;
  readonly json: string | null;
  readonly help: boolean;
}

const DEFAULT_SEEDS = 4;
const DEFAULT_FIRST_SEED = 1;
const DEFAULT_RENAMINGS = 20;
/** The default directory of recordings, beside the project. */
export const DEFAULT_DATA = '../shared/data';
/** The keys of `PARTS`; each is a flag of the command line. */
const FLAGS = ['synthetic', 'propagation', 'petshop', 'nezha', 'servers', 'nab'] as const;

export const USAGE = `Evaluates investigations on incidents whose causes are known.

  npm run eval:investigations -- [--synthetic] [--propagation] [--petshop] [--nezha] [--servers] [--nab]
                              [--seeds N] [--first-seed N] [--data FOLDER] [--renamings N] [--thorough] [--pictures FOLDER] [--json FILE] [--fit]

  --synthetic …      only these parts. Without one all are run, and those whose recording is missing are left out and named;
                     a part that is asked for fails without it
  --data FOLDER      where the recordings lie, in folders petshop, nezha, servers and nab (docs/investigations.md says whose they are);
                     ${DEFAULT_DATA} by default
  --renamings N      how many times the hosts of recorded incidents are renamed; ${DEFAULT_RENAMINGS} by default
  --thorough         with petshop: parameters chosen on one scenario for the other, and each varied by itself
  --seeds N          incidents of each kind for each of 18 combinations of noise, interval and delay; ${DEFAULT_SEEDS} by default,
                     1 to 100
  --first-seed N     which of the seeds is the first, so that figures can be taken from others; ${DEFAULT_FIRST_SEED} by default
  --pictures FOLDER  draws what docs/investigations.md shows, from these results
  --json FILE        writes the figures to a file
  --fit              fits the weights of the ranking on seeds of their own and prints them; tests nothing
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
  synthetic: flag,
  propagation: flag,
  petshop: flag,
  nezha: flag,
  servers: flag,
  nab: flag,
  seeds: text,
  'first-seed': text,
  data: { ...text, default: DEFAULT_DATA },
  renamings: text,
  thorough: flag,
  fit: flag,
  pictures: text,
  json: text,
  help: flag,
} as const;

/** Reads the command line. Throws a `ConfigError` if an argument is invalid. */
export function readOptions(args: readonly string[]): EvaluationOptions {
  const values = readCommandOptions(args, OPTIONS, USAGE);
  const { data, thorough, fit, help, pictures = null, json = null } = values;
  return {
    seeds: count('seeds', values.seeds, DEFAULT_SEEDS),
    firstSeed: count('first-seed', values['first-seed'], DEFAULT_FIRST_SEED, 10_000),
    only: FLAGS.filter((each) => values[each]),
    renamings: count('renamings', values.renamings, DEFAULT_RENAMINGS),
    data,
    thorough,
    fit,
    help,
    pictures,
    json,
  };
}

function count(name: string, given: string | undefined, otherwise: number, most = 100): number {
  const number = Number(given ?? otherwise);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new ConfigError(`--${name} must be a whole number from 1 to ${most}, not ${given}`);
  return number;
}
