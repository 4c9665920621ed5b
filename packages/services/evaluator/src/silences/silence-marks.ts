import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { CompiledSilence } from '@tidewatch/domain/silence/silence';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import { Lease } from '@tidewatch/store/leases/lease';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { readSilenceChanges, recordEndedSilences, type SilenceKey } from '@tidewatch/store/silences/ends';
import { silenceEvent } from '@tidewatch/store/silences/event';
import { SilenceSet } from '@tidewatch/store/silences/silence-set';
import { type Marking, markBegun, markEnded, markLeft } from './mark-alerts.ts';
import { WorksInParts } from './work-in-parts.ts';

export interface SilenceMarksOptions extends ServiceEnvironment {
  sql: Sql;
  newId: (prefix: 'evt') => string;
  /** Called after each transaction that left events in the outbox. */
  onEvents?: () => void;
  /** Default 1,000. */
  everyMs?: number;
}

export interface SilenceMarks {
  start(): void;
  stop(): Promise<void>;
}

const LEASE = 'silence-marks';
/**
 * A period of a silence is compared with alerts again after this delay, ms, because some alerts may have been uncommitted
 * before.
 */
const AGAIN_AFTER_MS = 5_000;
/** Max time of a round, ms; silences are then read again before the remaining work continues. */
const MAX_ROUND_MS = 500;
/** Pause before the next round while work remains. */
const REST_AFTER_MS = 20;
/** Interval of looking for silences, ms, where there are none and commits of new ones are announced. */
const EVERY_MS_WITHOUT_SILENCES = 5_000;
/** Interval of comparing silences with changed tags. */
const TAGS_EVERY_MS = 10_000;

/**
 * Emits the end of silences, and marks each active alert with the silence that mutes it. Runs in one process at a time,
 * which holds a lease. The notifier reads silences itself.
 */
export function createSilenceMarks(options: SilenceMarksOptions): SilenceMarks {
  const { sql, clock, newId, holder, logger, commits, everyMs = 1_000 } = options;
  const unmuted = options.metrics.counter(
    'tidewatch_alerts_unmuted_total',
    'Active alerts whose silence has ended, by whether another silence mutes them.',
    ['outcome'],
  );
  const lease = new Lease({ sql, name: LEASE, holder, isAlone: commits !== undefined });
  const silences = new SilenceSet();
  /**
   * When each period of a silence was first compared with alerts, and the periods compared twice; empty after the lease was
   * taken.
   */
  const marked = new Map<string, number>();
  const done = new Set<string>();
  /** Periods of silences that are being compared with alerts. */
  const comparing = new Set<string>();
  const works = new WorksInParts();
  let tagsAt = Number.NEGATIVE_INFINITY;
  const rounds = createRounds({
    async round() {
      await compare();
      if (!works.isEmpty) return Math.min(everyMs, REST_AFTER_MS);
      const isAtRest = commits !== undefined && silences.isEmpty;
      return isAtRest ? Math.max(everyMs, EVERY_MS_WITHOUT_SILENCES) : everyMs;
    },
    onFailure(error) {
      giveUpWork();
      logger.warn({ err: error }, 'comparing silences with alerts failed; retrying');
    },
    minPauseMs: everyMs,
    maxPauseMs: everyMs,
  });

  async function inTransaction(work: (tx: Transaction) => Promise<void>): Promise<void> {
    await sql.begin(async (tx) => {
      await lease.fence(tx);
      await work(tx);
    });
  }

  async function emitEnds(tx: Transaction, now: number): Promise<void> {
    const ended = await recordEndedSilences(tx, now);
    const entries = ended.map((row) => ({
      organizationId: row.organization_id,
      event: silenceEvent(newId('evt'), 'silence.ended', row, now),
    }));
    await appendEvents(tx, entries);
  }

  const marking: Marking = { sql, silences, clock, inTransaction };

  /** Runs the parts of the work one after the other, then `note`. */
  async function* noting(parts: AsyncGenerator<void>, note: () => void): AsyncGenerator<void> {
    yield* parts;
    note();
  }

  function addNewWindows(now: number): void {
    const windows = new Map<string, CompiledSilence>();
    for (const silence of silences.active.values())
      windows.set(`${silence.id}/${silence.stateAt(now).until}`, silence);
    for (const window of [...marked.keys()]) if (!windows.has(window)) marked.delete(window);
    for (const window of [...done]) if (!windows.has(window)) done.delete(window);
    const due = [...windows].filter(
      ([window]) =>
        !(done.has(window) || comparing.has(window)) &&
        now - (marked.get(window) ?? Number.NEGATIVE_INFINITY) >= AGAIN_AFTER_MS,
    );
    for (const [organizationId, own] of Map.groupBy(due, ([, silence]) => silence.organizationId)) {
      const names = own.map(([window]) => window);
      const note = () => {
        for (const window of names) {
          comparing.delete(window);
          if (marked.has(window)) done.add(window);
          else marked.set(window, now);
        }
      };
      for (const window of names) comparing.add(window);
      const begun = own.map(([, silence]) => silence);
      const parts = noting(markBegun(marking, organizationId, begun), note);
      works.add(`begun ${names.join()}`, { organizationId, parts });
    }
  }

  function addWork(endedMutes: readonly SilenceKey[], now: number): void {
    for (const silence of endedMutes) {
      const parts = markEnded(marking, silence, (counts) => {
        unmuted.inc({ outcome: 'unmuted' }, counts.unmuted);
        unmuted.inc({ outcome: 'still_muted' }, counts.moved);
      });
      works.add(`ended ${silence.id}`, { organizationId: silence.org, parts });
    }
    addNewWindows(now);
    if (now >= tagsAt && now - tagsAt < TAGS_EVERY_MS) return;
    tagsAt = now;
    for (const silence of silences.active.values())
      if (silence.asksForTags)
        works.add(`left ${silence.id}`, {
          organizationId: silence.organizationId,
          parts: markLeft(marking, silence),
        });
  }

  function giveUpWork(): void {
    comparing.clear();
    works.clear();
  }

  async function compare(): Promise<void> {
    if (!(await lease.held())) {
      giveUpWork();
      marked.clear();
      done.clear();
      return;
    }
    const now = clock();
    let changes = await readSilenceChanges(sql, now);
    if (changes.hasEnded) {
      await inTransaction((tx) => emitEnds(tx, now));
      options.onEvents?.();
      changes = await readSilenceChanges(sql, now);
    }
    await silences.refresh(sql, changes.revision, now);
    addWork(changes.endedMutes, now);
    const began = performance.now();
    await works.run(() => rounds.isStopped() || performance.now() - began >= MAX_ROUND_MS);
  }

  commits?.onCommit(rounds.nudge);
  return {
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await lease.release().catch(() => undefined);
    },
  };
}
