import { randomUUID } from 'node:crypto';
import { transact } from '@tidewatch/database/connection';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import { PollPause } from '@tidewatch/runtime/process/poll-pause';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import {
  type Claim,
  type ClaimedInvestigation,
  ClaimLostError,
  claimInvestigation,
  failAbandoned,
  releaseClaim,
} from '@tidewatch/store/investigations/claim';
import { investigationEvent } from '@tidewatch/store/investigations/event';
import { hasOpenInvestigations, readInvestigationQueue } from '@tidewatch/store/investigations/queue-state';
import { reopenDue } from '@tidewatch/store/investigations/reopen';
import type { InvestigationRow } from '@tidewatch/store/investigations/row';
import { failInvestigation } from '@tidewatch/store/investigations/write-run';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { RunOutcome } from '../investigator-metrics.ts';
import type { Pace } from './pace.ts';
import { LEASE_MS, renewDuringRun } from './renew-during-run.ts';
import { type RunParts, runInvestigation } from './run.ts';

export interface WorkerOptions extends RunParts {
  /** The name under which this process claims investigations. */
  holder: string;
  /** The maximum number of concurrent runs. */
  atOnce: number;
  /** How long to rest between two runs. */
  pace: Pace;
  /** How often the queue is polled without a nudge, ms: default 1,000, and five times as much with `commits` while it is empty. */
  pollIntervalMs?: number;
  /** Announces to this process what is committed in it: investigations that somebody asks for, and events about runs. */
  commits?: CommitSignal | undefined;
  /** How long a claim lasts without renewal, after which another process may take it over, ms. Default 10,000. */
  leaseMs?: number;
  /** The time limit of the statistics, ms. Default 60,000. */
  statisticsTimeoutMs?: number;
}

export interface Worker {
  start(): void;
  /** Polls the queue now. */
  nudge(): void;
  /** When the queue was last polled, by the clock; null before the first poll and while polling fails. */
  polledAt(): number | null;
  /** Starts no further run and releases the claims of running ones, so that another process continues them. */
  stop(): Promise<void>;
}

/** The time limit of a run with a model, and the part of it that is reserved to store the result. */
const RUN_TIMEOUT_MS = 180_000;
const STORE_RESERVE_MS = 10_000;
const MAX_ATTEMPTS = 3;
/** How long after a failed run the next attempt starts, ms. */
const RETRY_DELAY_MS = 5_000;
const UPKEEP_INTERVAL_MS = 5_000;
const MAX_PAUSE_MS = 10_000;

/**
 * The type of the event that ends a failed run: a rerun that fails leaves the investigation completed, with its earlier
 * findings.
 */
function endOf({ status }: InvestigationRow): 'completed' | 'failed' {
  return status === 'completed' ? 'completed' : 'failed';
}

class DeadlineError extends Error {
  override name = 'DeadlineError';
}
class StoppingError extends Error {
  override name = 'StoppingError';
}

/** Runs the investigations of the queue. Several processes share the queue: each claims its runs and renews the claims. */
export function createWorker(options: WorkerOptions): Worker {
  const { sql, clock, newId, logger, metrics, holder, atOnce, pace } = options;
  const pollIntervalMs = options.pollIntervalMs ?? 1_000;
  const { commits } = options;
  const pause = new PollPause({
    everyMs: pollIntervalMs,
    atRestMs: (commits === undefined ? 1 : 5) * pollIntervalMs,
  });
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const statisticsTimeoutMs = options.statisticsTimeoutMs ?? 60_000;
  const runs = new Set<Promise<void>>();
  const aborts = new Set<AbortController>();
  /** Runs that ended and are followed by a rest. */
  let resting = 0;
  let polledAt: number | null = null;
  let upkeepAt = Number.NEGATIVE_INFINITY;
  const rounds = createRounds({
    round: poll,
    onFailure(error) {
      polledAt = null;
      logger.warn({ err: error }, 'could not read the queue of investigations; retrying');
    },
    minPauseMs: pollIntervalMs,
    maxPauseMs: MAX_PAUSE_MS,
  });

  commits?.onCommit(rounds.nudge);

  /** Starts as many runs as are allowed. Returns when to poll again, ms. */
  async function poll(): Promise<number> {
    if (performance.now() - upkeepAt > UPKEEP_INTERVAL_MS) {
      upkeepAt = performance.now();
      await doUpkeep();
    }
    // Cheaper than the transaction of a claim, which nearly always finds nothing.
    const isAnyOpen = await hasOpenInvestigations(sql);
    while (isAnyOpen && runs.size + resting < atOnce && !rounds.isStopped()) {
      const holderOfRun = `${holder}/${randomUUID()}`;
      const investigation = await claim(holderOfRun);
      polledAt = clock();
      if (investigation === null) {
        pace.idle();
        break;
      }
      commits?.emit();
      begin(investigation, {
        organizationId: investigation.organization_id,
        id: investigation.id,
        holder: holderOfRun,
      });
    }
    if (!isAnyOpen) pace.idle();
    polledAt = clock();
    return pause.after(isAnyOpen, performance.now());
  }

  async function doUpkeep(): Promise<void> {
    const queue = await readInvestigationQueue(sql, clock());
    metrics.queue(queue, clock());
    if (!queue.isAnyDue && queue.queued + queue.running === 0) return;
    await transact(sql, async (tx) => {
      await reopenDue(tx, clock());
      const failed = await failAbandoned(tx, MAX_ATTEMPTS, clock());
      for (const { id } of failed) {
        metrics.ended('failed', 0);
        logger.error(
          { investigation: id, attempts: MAX_ATTEMPTS },
          'an investigation failed: every attempt was interrupted',
        );
      }
      await appendEvents(
        tx,
        failed.map((row) => ({ organizationId: row.organization_id, event: eventOf(endOf(row), row) })),
      );
    });
    metrics.queue(await readInvestigationQueue(sql, clock()), clock());
  }

  function eventOf(
    status: 'started' | 'completed' | 'failed',
    row: Parameters<typeof investigationEvent>[2],
  ) {
    const context = { now: clock(), publicUrl: options.publicUrl };
    return investigationEvent(newId('evt'), `investigation.${status}`, row, context);
  }

  async function claim(holderOfRun: string): Promise<ClaimedInvestigation | null> {
    return transact(sql, async (tx) => {
      const claimed = await claimInvestigation(tx, {
        holder: holderOfRun,
        leaseMs,
        maxAttempts: MAX_ATTEMPTS,
        now: clock(),
      });
      if (claimed?.attempts === 1) {
        await appendEvents(tx, [
          { organizationId: claimed.organization_id, event: eventOf('started', claimed) },
        ]);
      }
      return claimed;
    });
  }

  function begin(investigation: ClaimedInvestigation, held: Claim): void {
    const abort = new AbortController();
    aborts.add(abort);
    // A claim that was made while stopping is released at once.
    if (rounds.isStopped()) abort.abort(new StoppingError());
    const began = performance.now();
    const work = run(investigation, held, abort).finally(() => {
      runs.delete(work);
      aborts.delete(abort);
      metrics.running(runs.size);
      rest(pace.restAfter(performance.now() - began));
    });
    runs.add(work);
    metrics.running(runs.size);
  }

  /** Leaves the place of a run empty for so long, ms, and then polls the queue. */
  function rest(ms: number): void {
    resting += 1;
    const end = () => {
      resting -= 1;
      rounds.nudge();
    };
    if (ms === 0) end();
    else setTimeout(end, ms).unref();
  }

  async function run(
    investigation: ClaimedInvestigation,
    held: Claim,
    abort: AbortController,
  ): Promise<void> {
    const began = performance.now();
    const abortAfter = (ms: number) => setTimeout(() => abort.abort(new DeadlineError()), ms).unref();
    let deadline = abortAfter(statisticsTimeoutMs);
    const extend = () => {
      clearTimeout(deadline);
      const left = RUN_TIMEOUT_MS - (performance.now() - began);
      deadline = abortAfter(left);
      return clock() + left - STORE_RESERVE_MS;
    };
    const endRenewal = renewDuringRun(held, abort, options);
    let outcome: RunOutcome;
    try {
      outcome = await runInvestigation(investigation, held, { signal: abort.signal, extend }, options);
    } catch (error) {
      outcome = await endIncompleteRun(
        investigation,
        held,
        abort.signal.aborted ? abort.signal.reason : error,
      );
    } finally {
      clearTimeout(deadline);
      endRenewal();
    }
    commits?.emit();
    metrics.ended(outcome, (performance.now() - began) / 1_000);
  }

  /** Records the end of a run that did not complete: failed, or to be retried. */
  async function endIncompleteRun(
    investigation: ClaimedInvestigation,
    held: Claim,
    error: unknown,
  ): Promise<RunOutcome> {
    if (error instanceof ClaimLostError) return 'lost';
    const isLast = investigation.attempts >= MAX_ATTEMPTS;
    try {
      if (error instanceof StoppingError) {
        await releaseClaim(sql, held, { pauseMs: 0, isCounted: false });
        return 'interrupted';
      }
      logger.warn({ err: error, investigation: held.id }, 'an attempt of an investigation failed');
      if (error instanceof DeadlineError || isLast) {
        const why =
          error instanceof DeadlineError
            ? 'it exceeded its time limit'
            : 'the data could not be read, or the findings could not be stored';
        await transact(sql, async (tx) => {
          const row = await failInvestigation(tx, held, why, clock());
          await appendEvents(tx, [{ organizationId: row.organization_id, event: eventOf(endOf(row), row) }]);
        });
        return 'failed';
      }
      await releaseClaim(sql, held, { pauseMs: RETRY_DELAY_MS, isCounted: true });
    } catch (failure) {
      if (failure instanceof ClaimLostError) return 'lost';
      logger.warn(
        { err: failure, investigation: held.id },
        'could not record the end of an attempt of an investigation; retrying once its lease expires',
      );
    }
    return 'interrupted';
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    polledAt: () => polledAt,
    async stop() {
      const lastRound = rounds.stop();
      for (const abort of aborts) abort.abort(new StoppingError());
      await lastRound;
      await Promise.allSettled([...runs]);
    },
  };
}
