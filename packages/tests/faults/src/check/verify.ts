import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '@tidewatch/bench/api';
import { isIntact, type LedgerReport } from '@tidewatch/bench/ledger/check';
import { type AlertReport, compareAlerts } from '@tidewatch/bench/ledger/compare-alerts';
import type { Ledger } from '@tidewatch/bench/ledger/ledger';
import { recountRollups, recountRows } from '@tidewatch/bench/ledger/recount';
import type { Plan } from '@tidewatch/bench/load/plan';
import type { BenchRule } from '@tidewatch/bench/rules';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import type { Sql } from '@tidewatch/database/connection';
import { countDirty } from '@tidewatch/store/rollups/drain';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { disagreeing } from '@tidewatch/writer/testing/recount';
import type { Installation } from '../harness/installation.ts';
import { compareEvents, type EventReport } from './events.ts';
import { catchUp } from './lag.ts';
import { comparePacked, countUnsealed } from './packed-samples.ts';
import { recountBySql } from './recount-by-sql.ts';

/** The result of comparing an installation's stored data with the samples that were sent to it. */
export interface Verdict {
  rows: LedgerReport;
  alerts: AlertReport;
  events: EventReport;
  deadLetters: number;
  /** The time from the end of the load until all records were applied, seconds. */
  caughtUpSeconds: number;
  /** Descriptions of everything that is wrong; empty if all is right. */
  faults: string[];
}

export interface Expectation {
  plan: Plan;
  ledger: Ledger;
  rules: readonly BenchRule[];
  /** Records that must be in the dead letters. */
  deadLetters: number;
}

const CATCH_UP_MS = 90_000;
const SETTLE_MS = 90_000;
const EXAMPLES = 5;

/**
 * Compares all stored data with the ledger: each acknowledged sample is stored exactly once and nothing else, rollups equal
 * a recount, each alert exists once with its times, and each transition has one event.
 */
export async function verify(installation: Installation, expected: Expectation): Promise<Verdict> {
  const { plan, ledger, rules } = expected;
  const caughtUpSeconds = await catchUp(installation, CATCH_UP_MS);
  await settle(installation);
  return { ...(await compare(installation, plan, ledger, rules, expected.deadLetters)), caughtUpSeconds };
}

/** Compares without waiting for consumers to catch up, so the installation must be idle. */
export async function compare(
  installation: Installation,
  plan: Plan,
  ledger: Ledger,
  rules: readonly BenchRule[],
  deadLettersExpected: number,
): Promise<Omit<Verdict, 'caughtUpSeconds'>> {
  const { sql } = installation.store;
  const api = createApi(installation.one('query-api').url, installation.key);
  const faults: string[] = [];
  const blame = (what: string, count: number, examples: readonly unknown[] = []) => {
    if (count > 0) faults.push([`${count} ${what}`, ...examples.slice(0, EXAMPLES)].join('\n  '));
  };
  const unsettled = ledger.sent.filter((sent, index) => sent !== ledger.acknowledged[index]).length;
  blame('connections whose last request had no answer', unsettled);
  const rows = await recountRows(sql, plan, ledger);
  if (!isIntact(rows))
    faults.push(['rows differ from the ledger', ...rows.examples.slice(0, EXAMPLES)].join('\n  '));
  const rollups = await recountRollups(api, plan, ledger);
  blame('series whose rollups differ from a recount of the ledger', rollups.length, rollups);
  const read = await recountBySql(installation.reader.sql, plan, ledger);
  blame('series whose samples by SQL differ from the ledger', read.length, read);
  const wrong =
    (await readSampleLayout(sql)) === 'log' ? await comparePacked(sql) : await compareRollups(sql);
  blame('rollups or chunks that are wrong', wrong.length, wrong);
  const alerts = await compareAlerts(sql, plan, ledger, rules);
  blame('alerts missing', alerts.missing.length, alerts.missing);
  blame('alerts that nothing calls for, or twice', alerts.unexpected.length, alerts.unexpected);
  const events = await compareEvents(installation);
  blame('transitions of alerts without an event', events.missing);
  blame('events too many', events.extra);
  blame('events that were not published', events.unpublished);
  blame('published events that were not written', events.unknown);
  const [letters] = await installation.admin.fetchTopicOffsets(
    installation.prefix + TOPICS.samplesDeadLetter,
  );
  const deadLetters = Number(letters?.high ?? 0);
  if (deadLetters !== deadLettersExpected)
    faults.push(`${deadLetters} dead letters in place of ${deadLettersExpected}`);
  return { rows, alerts, events, deadLetters, faults };
}

/** Returns descriptions of the buckets of rows that differ from their samples. */
async function compareRollups(sql: Sql): Promise<string[]> {
  const wrong: string[] = [];
  for (const tier of ROLLUP_TIERS)
    for (const row of await disagreeing(sql, tier)) wrong.push(JSON.stringify(row));
  return wrong;
}

/** Waits until buckets that have ended are recomputed, the log is sealed and all events are published. */
async function settle({ store: { sql } }: Installation): Promise<void> {
  for (const deadline = performance.now() + SETTLE_MS; ; await sleep(250)) {
    const dirty = await countDirty(sql, Date.now());
    const [row] = await sql<{ events: number }[]>`
      select count(*)::integer as events from outbox where sequence is null`;
    const events = row?.events ?? 0;
    const unsealed = await countUnsealed(sql);
    if ([...Object.values(dirty), events, unsealed].every((count) => count === 0)) return;
    if (performance.now() > deadline)
      throw new Error(
        `timeout: the installation did not become idle: ${JSON.stringify({ dirty, events, unsealed })}`,
      );
  }
}
