import { parseArgs } from 'node:util';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

export const USAGE = `usage: npm run investigate:replay -- ID|FILE… [--url URL] [--data DIR] [--dry-run] [--json]

Asks the model of TIDEWATCH_LLM_* about investigations as they are recorded, and says what is left of its claims. Nothing is
written.
  ID         an investigation, read from the service
  FILE       the same as a file: what GET /api/v1/investigations/ID answers
  --url      where the service is (TIDEWATCH_URL, else that of this machine); its key is TIDEWATCH_API_KEY
  --data     the data directory whose admin-key is taken where no key is given
  --dry-run  print what the model would be asked, and do not ask
  --json     print an object a line`;

export interface ReplayCommand {
  /** Ids and files. */
  readonly which: readonly string[];
  readonly url: string | undefined;
  readonly data: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Reads the command line; null if help is requested. Throws UsageError. */
export function readCommandLine(args: readonly string[]): ReplayCommand | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  if (positionals.length === 0) throw new UsageError(USAGE);
  const { url, data, 'dry-run': dryRun = false, json = false } = values;
  return { which: positionals, url, data, dryRun, json };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        data: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
