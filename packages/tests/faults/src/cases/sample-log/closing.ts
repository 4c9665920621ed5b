import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { readEndedDays } from '@tidewatch/store/sample-days/ended-days';
import { catchUp } from '../../check/lag.ts';
import { countUnsealed, readSealedTo } from '../../check/packed-samples.ts';
import type { FaultCase, FaultContext } from '../../fault-case.ts';
import { type OwnPayload, samplesOf, send } from '../../harness/payloads.ts';
import { waitFor } from '../../harness/wait.ts';
import { FULL_MS, fillAndFree } from '../database/disk-full.ts';
import { CLOSING_NOTED } from '../database/statements.ts';
import { holdJob, JOB_MOMENTS, type JobMoment, killWriterAt, type LeasedJob } from './strikes.ts';

const MOMENTS = Object.keys(JOB_MOMENTS) as JobMoment[];
const JOBS = ['seal', 'close-days'] as const;
const HOST = 'of-past-days';
const METRIC = 'cpu_percent';
/** Days that ended so long ago are closed although their samples still arrive, ms. */
const OVER_MS = DAY_MS + 2 * HOUR_MS;
/** The samples of the load are of such a day whatever the time is. */
export const OF_PAST_DAYS_MS = OVER_MS + DAY_MS + HOUR_MS;

/** Sends samples of each of some days before the load; returns their values by time, ms. */
export async function sendPastDays(
  { installation, random }: FaultContext,
  days: number,
): Promise<Map<number, number>> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const sent = new Map<number, number>();
  for (let ago = 3; ago < 3 + days; ago += 1) {
    const payloads = Array.from({ length: 60 }, (_, index): OwnPayload => {
      const time = today - ago * DAY_MS + index * 20 * MINUTE_MS + 7_000;
      const value = Math.floor(random() * 10_000) / 100;
      sent.set(time, value);
      return { host: HOST, time, metrics: { [METRIC]: value } };
    });
    await send(installation, payloads);
  }
  return sent;
}

/** Waits until every ended day with samples is closed; throws if a sample of the past days is not stored as it was sent. */
export async function requirePastDays(
  { installation }: Pick<FaultContext, 'installation'>,
  sent: ReadonlyMap<number, number>,
): Promise<void> {
  const { sql } = installation.store;
  await waitFor('all past days are closed', 150_000, async () => {
    const days = await readEndedDays(sql, Date.now());
    return days.every(({ isEmpty }) => isEmpty);
  });
  const found = await samplesOf(installation, HOST, METRIC);
  const wrong = found.filter(({ time, value }) => sent.get(time) !== value).length;
  if (found.length !== sent.size || wrong > 0)
    throw new Error(
      `${found.length} of ${sent.size} samples of past days are stored, ${wrong} with another value`,
    );
}

/** How often each job of the writer has failed since its start. */
async function failuresOf({ installation }: FaultContext, job: LeasedJob): Promise<number> {
  const response = await fetch(`${installation.one('writer').url}/metrics`);
  const found = new RegExp(`^tidewatch_writer_job_failures_total\\{[^}]*job="${job}"[^}]*\\} (\\d+)`, 'm');
  return Number(found.exec(await response.text())?.[1] ?? 0);
}

/** Ingest, seals and the closing of days find no space, and go on once there is some. */
export const closedOnFullDisk: FaultCase = {
  id: '23b',
  fault: "PostgreSQL's disk full for 15 s while samples are stored and sealed and days are closed",
  failpoints: ['postgres without space', 'seals on the full disk', 'a closing failed', 'all days closed'],
  needs: ['disks'],
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000, loadAgeMs: OF_PAST_DAYS_MS },
  async run(context) {
    const { installation, fired, note } = context;
    const { sql } = installation.store;
    const writer = installation.one('writer');
    const sent = await sendPastDays(context, 3);
    await catchUp(installation, 60_000);
    await waitFor(
      'the log is sealed',
      60_000,
      async () => (await countUnsealed(installation.store.sql)) < 100,
    );
    // A log that was not sealed for some seconds needs more space than pages have left.
    for (const job of JOBS) await holdJob(sql, job, 60_000);
    await sleep(8_000);
    await writer.kill();
    await writer.start();
    for (const job of JOBS) await holdJob(sql, job, 1_000);
    const before = await readSealedTo(sql);
    const [sealed] = await Promise.all([
      sleep(FULL_MS - 2_000).then(() => readSealedTo(sql).catch(() => before)),
      fillAndFree(context, ['postgres']),
    ]);
    const failures = await failuresOf(context, 'seal');
    // A seal that finds room in pages that are not full succeeds.
    if (failures > 0 || sealed > before) fired('seals on the full disk');
    note(`on the full disk ${failures} seals failed, and ${sealed - before} transactions were sealed`);
    if ((await failuresOf(context, 'close-days')) > 0) fired('a closing failed');
    if (!writer.isRunning()) await writer.start();
    await requirePastDays(context, sent);
    fired('all days closed');
  },
};

/** The writer is killed in each part of the closing of a day, while late samples of the same days arrive. */
export const killedInClosing: FaultCase = {
  id: '23a',
  fault: 'writer killed (kill -9) at named moments of the closing of days whose samples still arrive',
  failpoints: [...MOMENTS, 'all days closed'],
  shape: { sampleLayout: 'log', sealIntervalMs: 1_000, loadAgeMs: OF_PAST_DAYS_MS },
  async run(context) {
    const { installation, fired } = context;
    const sent = await sendPastDays(context, MOMENTS.length);
    await catchUp(installation, 60_000);
    await waitFor(
      'the log is sealed',
      60_000,
      async () => (await countUnsealed(installation.store.sql)) < 100,
    );
    const { sql } = installation.store;
    // The start of a writer looks for days to close at once.
    await installation.one('writer').kill();
    await holdJob(sql, 'close-days');
    await installation.one('writer').start();
    for (const moment of MOMENTS) {
      await killWriterAt(context, moment, CLOSING_NOTED, 'close-days');
      fired(moment);
    }
    await holdJob(sql, 'close-days', 0);
    await requirePastDays(context, sent);
    fired('all days closed');
  },
};
