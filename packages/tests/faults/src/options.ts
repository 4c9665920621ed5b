import { readCommandOptions } from '@tidewatch/runtime/settings/command-options';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';

export interface FaultOptions {
  /** Ids of the cases to run; null runs all cases. */
  cases: string[] | null;
  seed: number;
  /** How databases keep samples; undefined for that of new databases of the product. */
  sampleLayout: SampleLayout | undefined;
  /** If true, each fault is repeated only a few times. */
  short: boolean;
  /** The file for the table of results; null to write none. */
  report: string | null;
  /** Whether to keep logs and data after the run. */
  keep: boolean;
  help: boolean;
}

export const USAGE = `Does every fault of the catalogue to real processes under load and compares all that is stored with a ledger.

  npm run test:faults -- [--case ID,ID] [--seed N] [--layout rows|log] [--short] [--report FILE] [--keep]

  --case ID,ID   only these, such as 2,5c
  --seed N       decides the load and every random moment; one is drawn where none is given
  --layout rows|log  keeps samples in this way, if not as new databases do
  --short        does each fault a few times only
  --report FILE  puts the results into the tables of a document, such as docs/reliability.md
  --keep         leaves logs and data behind, and says where

A case that this machine cannot run is skipped and counted; with CI=true that is a failure.
`;

const OPTIONS = {
  case: { type: 'string' },
  seed: { type: 'string' },
  layout: { type: 'string' },
  short: { type: 'boolean', default: false },
  report: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the command line. Throws a `ConfigError` if an argument is invalid. */
export function readOptions(args: readonly string[], drawn: number): FaultOptions {
  const { case: cases, seed, layout, report = null, ...flags } = readCommandOptions(args, OPTIONS, USAGE);
  return {
    ...flags,
    cases: cases?.split(',') ?? null,
    seed: seed === undefined ? drawn : readSeed(seed),
    sampleLayout: layout === undefined ? undefined : readLayout(layout),
    report,
  };
}

function readLayout(text: string): SampleLayout {
  if (text === 'rows' || text === 'log') return text;
  throw new ConfigError(`--layout must be rows or log, not "${text}"`);
}

function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed < 2 ** 31) return seed;
  throw new ConfigError(`--seed must be a whole number below ${2 ** 31}, not "${text}"`);
}
