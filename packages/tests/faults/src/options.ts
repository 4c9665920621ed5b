import { parseArgs } from 'node:util';

export interface FaultOptions {
  /** Ids of the cases to run; null runs all cases. */
  cases: string[] | null;
  seed: number;
  /** If true, each fault is repeated only a few times. */
  short: boolean;
  /** The file for the table of results; null to write none. */
  report: string | null;
  /** Whether to keep logs and data after the run. */
  keep: boolean;
  help: boolean;
}

/** An argument is invalid; the message names it and its fault. */
export class OptionError extends Error {}

export const USAGE = `Does every fault of the catalogue to real processes under load and compares all that is stored with a ledger.

  npm run test:faults -- [--case ID,ID] [--seed N] [--short] [--report FILE] [--keep]

  --case ID,ID   only these, such as 2,5c
  --seed N       decides the load and every random moment; one is drawn where none is given
  --short        does each fault a few times only
  --report FILE  puts the results into the tables of a document, such as docs/reliability.md
  --keep         leaves logs and data behind, and says where

A case that this machine cannot run is skipped and counted; with CI=true that is a failure.
`;

/** Reads the command line. Throws an `OptionError` if an argument is invalid. */
export function readOptions(args: readonly string[], drawn: number): FaultOptions {
  const values = parse(args);
  const cases = values.case?.split(',') ?? null;
  return {
    cases,
    seed: values.seed === undefined ? drawn : readSeed(values.seed),
    short: values.short ?? false,
    report: values.report ?? null,
    keep: values.keep ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        case: { type: 'string' },
        seed: { type: 'string' },
        short: { type: 'boolean' },
        report: { type: 'string' },
        keep: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed < 2 ** 31) return seed;
  throw new OptionError(`--seed must be a whole number below ${2 ** 31}, not "${text}"`);
}
