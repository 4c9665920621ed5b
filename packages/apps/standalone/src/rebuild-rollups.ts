import { parseArgs } from 'node:util';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { z } from 'zod';
import { INSTALLATION_USAGE, readInstallation } from './installation/installation.ts';
import { rebuildInstallation } from './rollups/rebuild-installation.ts';
import { rebuildReport } from './rollups/report.ts';

const USAGE =
  'usage: npm run storage:rebuild-rollups -- [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--repair]\n' +
  INSTALLATION_USAGE;

const dateSchema = z.iso.date().transform((text) => Date.parse(text));

const logger = createLogger({ name: 'rollups', level: process.env.TIDEWATCH_LOG_LEVEL || 'warn' });
try {
  const { from, to, repairs } = readArguments();
  const installation = readInstallation(process.env);
  const rebuilt = await rebuildInstallation(installation, { from, to, repairs, now: Date.now() }, logger);
  for (const line of rebuildReport(rebuilt, repairs)) console.log(line);
  if (rebuilt.damaged.length > 0 || (rebuilt.differing > 0 && !repairs)) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** The days that begin in `[from, to)`, ms. Throws TypeError for other arguments. */
function readArguments(): { from: number; to: number; repairs: boolean } {
  const { from, to, repair } = parsed();
  const begin = from === undefined ? Number.NEGATIVE_INFINITY : readDate('--from', from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : readDate('--to', to) + DAY_MS;
  if (begin >= end) throw new TypeError(`--from must not be after --to.\n${USAGE}`);
  return { from: begin, to: end, repairs: repair === true };
}

function parsed() {
  try {
    return parseArgs({
      options: { from: { type: 'string' }, to: { type: 'string' }, repair: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new TypeError(`${(error as Error).message}\n${USAGE}`);
  }
}

function readDate(option: string, text: string): number {
  const { data } = dateSchema.safeParse(text);
  if (data === undefined) throw new TypeError(`${option} must be a day such as 2026-11-30.\n${USAGE}`);
  return data;
}
