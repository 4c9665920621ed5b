import { randomUUID } from 'node:crypto';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import { transact } from '@tidewatch/store/database/connection';
import {
  type Claim,
  type ClaimedInvestigation,
  ClaimLostError,
  claimInvestigation,
  failAbandoned,
  releaseClaim,
  renewClaim,
} from '@tidewatch/store/investigations/claim';
import { investigationEvent } from '@tidewatch/store/investigations/event';
import { readInvestigationQueue } from '@tidewatch/store/investigations/queue-state';
import { reopenDue } from '@tidewatch/store/investigations/reopen';
import type { InvestigationRow } from '@tidewatch/store/investigations/row';
import { failInvestigation } from '@tidewatch/store/investigations/write-run';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { RunOutcome } from '../investigator-metrics.ts';
import { type RunParts, runInvestigation } from './run.ts';

export interface WorkerOptions extends RunParts {
  /** Names this process among those that could run an investigation. */
  holder: string;
  /** How many runs are under way at once. */
  atOnce: number;
  /** How often the queue is looked at without a nudge, ms. Default 1,000. */
  pollEveryMs?: number;
  /** How long nobody else takes over what this process does not renew, ms. Default 10,000. */
  leaseMs?: number;
  /** The longest that the statistics may take, ms. Default 60,000. */
  statisticsWithinMs?: number;
}

export interface Worker {
  start(): void;
  /** There is something in the queue. */
  nudge(): void;
  /** When the queue was last looked at, by the clock; null before the first time and while it cannot be. */
  lookedAt(): number | null;
  /** Begins nothing any more, and leaves what is under way to whoever comes next. */
  stop(): Promise<void>;
}

/** The longest that a run may take where a model is asked, and what of it is left to store what the model said, ms. */
const RUN_WITHIN_MS = 180_000;
const STORE_WITHIN_MS = 10_000;
const ATTEMPTS_AT_MOST = 3;
/** A run that could not be ended is begun again after this, ms. */
const AGAIN_AFTER_MS = 5_000;
const UPKEEP_EVERY_MS = 5_000;
const MAX_PAUSE_MS = 10_000;

/** A run that fails after one that came to its end leaves what that found. */
function endOf({ status }: InvestigationRow): 'completed' | 'failed' {
  return status === 'completed' ? 'completed' : 'failed';
}

class DeadlineError extends Error {
  override name = 'DeadlineError';
}
class StoppingError extends Error {
  override name = 'StoppingError';
}

/** Runs what is in the queue. Every process may: each claims what it runs, and renews the claim while it does. */
export function createWorker(options: WorkerOptions): Worker {
  const { sql, clock, newId, logger, metrics, holder, atOnce } = options;
  const pollEveryMs = options.pollEveryMs ?? 1_000;
  const leaseMs = options.leaseMs ?? 10_000;
  const statisticsWithinMs = options.statisticsWithinMs ?? 60_000;
  const runs = new Set<Promise<void>>();
  const aborts = new Set<AbortController>();
  let lookedAt: number | null = null;
  let keptUpAt = Number.NEGATIVE_INFINITY;
  const rounds = createRounds({
    round: look,
    onFailure(error) {
      lookedAt = null;
      logger.warn({ err: error }, 'the queue of investigations cannot be read; what is in it stays');
    },
    shortestPauseMs: pollEveryMs,
    longestPauseMs: MAX_PAUSE_MS,
  });

  /** Begins what there is room for; answers when to look again, ms. */
  async function look(): Promise<number> {
    if (performance.now() - keptUpAt > UPKEEP_EVERY_MS) {
      keptUpAt = performance.now();
      await keepUp();
    }
    while (runs.size < atOnce && !rounds.isStopped()) {
      const holderOfRun = `${holder}/${randomUUID()}`;
      const investigation = await claim(holderOfRun);
      lookedAt = clock();
      if (investigation === null) break;
      begin(investigation, {
        organizationId: investigation.org_id,
        id: investigation.id,
        holder: holderOfRun,
      });
    }
    lookedAt = clock();
    return pollEveryMs;
  }

  async function keepUp(): Promise<void> {
    await transact(sql, async (tx) => {
      await reopenDue(tx, clock());
      const failed = await failAbandoned(tx, ATTEMPTS_AT_MOST, clock());
      for (const { id } of failed) {
        metrics.ended('failed', 0);
        logger.error({ investigation: id }, 'an investigation was begun too often and never ended');
      }
      await appendEvents(
        tx,
        failed.map((row) => ({ organizationId: row.org_id, event: eventOf(endOf(row), row) })),
      );
    });
    metrics.queue(await readInvestigationQueue(sql), clock());
  }

  function eventOf(
    became: 'started' | 'completed' | 'failed',
    row: Parameters<typeof investigationEvent>[2],
  ) {
    const told = { now: clock(), publicUrl: options.publicUrl };
    return investigationEvent(newId('evt'), `investigation.${became}`, row, told);
  }

  async function claim(holderOfRun: string): Promise<ClaimedInvestigation | null> {
    return transact(sql, async (tx) => {
      const claimed = await claimInvestigation(tx, {
        holder: holderOfRun,
        leaseMs,
        maxAttempts: ATTEMPTS_AT_MOST,
        now: clock(),
      });
      if (claimed?.attempts === 1) {
        await appendEvents(tx, [{ organizationId: claimed.org_id, event: eventOf('started', claimed) }]);
      }
      return claimed;
    });
  }

  function begin(investigation: ClaimedInvestigation, held: Claim): void {
    const abort = new AbortController();
    aborts.add(abort);
    // Claimed while stopping: it is given back at once.
    if (rounds.isStopped()) abort.abort(new StoppingError());
    const work = run(investigation, held, abort).finally(() => {
      runs.delete(work);
      aborts.delete(abort);
      metrics.running(runs.size);
      rounds.nudge();
    });
    runs.add(work);
    metrics.running(runs.size);
  }

  async function run(
    investigation: ClaimedInvestigation,
    held: Claim,
    abort: AbortController,
  ): Promise<void> {
    const began = performance.now();
    const abortAfter = (ms: number) => setTimeout(() => abort.abort(new DeadlineError()), ms).unref();
    let deadline = abortAfter(statisticsWithinMs);
    const extend = () => {
      clearTimeout(deadline);
      const left = RUN_WITHIN_MS - (performance.now() - began);
      deadline = abortAfter(left);
      return clock() + left - STORE_WITHIN_MS;
    };
    const endRenewal = renew(held, abort);
    let outcome: RunOutcome;
    try {
      outcome = await runInvestigation(investigation, held, { signal: abort.signal, extend }, options);
    } catch (error) {
      outcome = await giveUp(investigation, held, abort.signal.aborted ? abort.signal.reason : error);
    } finally {
      clearTimeout(deadline);
      endRenewal();
    }
    metrics.ended(outcome, (performance.now() - began) / 1_000);
  }

  /** Keeps the claim while the run goes on; ends the run where it is lost. Answers how to end the renewal. */
  function renew(held: Claim, abort: AbortController): () => void {
    let timer: NodeJS.Timeout | undefined;
    const schedule = () => {
      timer = setTimeout(async () => {
        try {
          if (!(await renewClaim(sql, held, leaseMs))) abort.abort(new ClaimLostError(`${held.id} was lost`));
        } catch (error) {
          logger.debug({ err: error, investigation: held.id }, 'a claim could not be renewed');
        }
        if (!abort.signal.aborted && timer !== undefined) schedule();
      }, leaseMs / 10);
      timer.unref();
    };
    schedule();
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }

  /** What becomes of a run that did not come to its end. */
  async function giveUp(
    investigation: ClaimedInvestigation,
    held: Claim,
    error: unknown,
  ): Promise<RunOutcome> {
    if (error instanceof ClaimLostError) return 'lost';
    const isLast = investigation.attempts >= ATTEMPTS_AT_MOST;
    try {
      if (error instanceof StoppingError) {
        await releaseClaim(sql, held, { pauseMs: 0, isCounted: false });
        return 'interrupted';
      }
      logger.warn({ err: error, investigation: held.id }, 'an investigation could not be run to its end');
      if (error instanceof DeadlineError || isLast) {
        const why =
          error instanceof DeadlineError
            ? 'it took too long'
            : 'its facts could not be read, or what it found not stored';
        await transact(sql, async (tx) => {
          const row = await failInvestigation(tx, held, why, clock());
          await appendEvents(tx, [{ organizationId: row.org_id, event: eventOf(endOf(row), row) }]);
        });
        return 'failed';
      }
      await releaseClaim(sql, held, { pauseMs: AGAIN_AFTER_MS, isCounted: true });
    } catch (failure) {
      if (failure instanceof ClaimLostError) return 'lost';
      logger.warn({ err: failure, investigation: held.id }, 'the end of a run could not be recorded');
    }
    return 'interrupted';
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    lookedAt: () => lookedAt,
    async stop() {
      const lastRound = rounds.stop();
      for (const abort of aborts) abort.abort(new StoppingError());
      await lastRound;
      await Promise.allSettled([...runs]);
    },
  };
}
