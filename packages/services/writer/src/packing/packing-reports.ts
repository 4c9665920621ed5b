import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { WriterMeters } from '../writer-metrics.ts';

/** The metrics that the jobs change which pack a log. */
const METERS = [
  'blockDaysClosed',
  'chunksRewritten',
  'chunksWritten',
  'damagedRows',
  'daysToClose',
  'jobFailing',
  'jobFailures',
  'samplesSealed',
  'unsealedAge',
  'unsealedBytes',
] as const satisfies readonly (keyof WriterMeters)[];
type Meter = (typeof METERS)[number];

/** What the jobs report that pack a log. */
export interface PackingReports {
  meters: Pick<WriterMeters, Meter>;
  logger: Pick<Logger, Level>;
}

type Level = 'info' | 'warn' | 'error';
type Change = 'inc' | 'set';

/** A report as a message between threads; `args` are labels and a value. An error among the fields is an object. */
export type PackingReport =
  | { kind: 'metric'; meter: Meter; change: Change; args: (object | number)[] }
  | { kind: 'line'; level: Level; fields: { err?: unknown }; text: string };

/** Returns reports of which each is passed to `post`. */
export function postReports(post: (report: PackingReport) => void): PackingReports {
  const change =
    (meter: Meter, change: Change) =>
    (...args: (object | number)[]) =>
      post({ kind: 'metric', meter, change, args });
  const line = (level: Level) => (fields: { err?: unknown }, text: string) =>
    post({
      kind: 'line',
      level,
      fields: { ...fields, ...('err' in fields ? { err: sentError(fields.err) } : {}) },
      text,
    });
  const meters = METERS.map((meter) => [meter, { inc: change(meter, 'inc'), set: change(meter, 'set') }]);
  return {
    meters: Object.fromEntries(meters),
    logger: { info: line('info'), warn: line('warn'), error: line('error') } as PackingReports['logger'],
  };
}

/** Passes a posted report on. */
export function passReport(report: PackingReport, { meters, logger }: PackingReports): void {
  if (report.kind === 'line') logger[report.level](report.fields, report.text);
  else
    (meters[report.meter] as unknown as Record<Change, (...args: unknown[]) => void>)[report.change](
      ...report.args,
    );
}

/** The fields of an error that log lines have; a copy of an Error by itself would lose its name and code. */
function sentError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    name,
    message,
    stack,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(cause === undefined ? {} : { cause: sentError(cause) }),
  };
}
