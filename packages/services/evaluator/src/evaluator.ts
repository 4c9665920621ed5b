import { type Assignment, type Consumer, type Delivery, DONE, type Verdict } from '@tidewatch/bus/bus';
import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { markTaken } from '@tidewatch/store/receipts/marks';
import { readRevisions } from '@tidewatch/store/revisions/revisions';
import { Engine } from './engine/engine.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import type { WrittenTransaction } from './engine/evaluation-transaction.ts';
import { evaluatorMetrics } from './evaluator-metrics.ts';
import { PipelineProbe } from './health/pipeline-probe.ts';
import { Mutex } from './mutex.ts';

export interface EvaluatorOptions extends EngineOptions, Pick<ServiceEnvironment, 'metrics' | 'logger'> {
  /** Called after each transaction that added events to the outbox, to wake a relay. */
  onEvents?: () => void;
  /** Interval of passing heartbeats on as events, which show that the whole pipeline works, ms. Default never. */
  probeEveryMs?: number;
  /** Interval of checking for edits and deletions while no records arrive, ms. Default 250. */
  tickEveryMs?: number;
}

export interface Evaluator {
  /** Must be subscribed to the topic of samples after the writer. */
  consumer: Consumer<SampleRecord, Transaction>;
  start(): Promise<void>;
  /** Checks for edits and deletions soon, since some may have been committed. */
  nudge(): void;
  /** Stops ticks and stores the waiting values. */
  stop(): Promise<void>;
}

/**
 * The lock timeout of a tick: the transaction of the bus holds row locks and waits for the tick to end, so a longer wait
 * would block both.
 */
const TICK_LOCK_TIMEOUT = '100ms';
/** Pause between two ticks while work remains, to let transactions of the bus run. */
const STORM_TICK_MS = 20;
/** Pause before a tick that could not check, since a transaction of the bus was running. */
const BUSY_TICK_MS = 50;
/** Interval of warnings about a reached limit. */
const WARN_EVERY_MS = MINUTE_MS;
const LOCK_NOT_AVAILABLE = '55P03';

/** Evaluates samples by rules, as the first consumer in the transaction that stores them. */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { sql, clock, directory, logger, tickEveryMs = 250 } = options;
  const engine = new Engine(options);
  const metrics = evaluatorMetrics(options.metrics, {
    rules: () => engine.held.rules,
    services: () => engine.held.services,
    waiting: () => engine.held.waiting,
    instances: () => engine.instanceLimit,
  });
  const turns = new Mutex();
  const probe = new PipelineProbe(clock, options.newId, options.probeEveryMs ?? Number.POSITIVE_INFINITY);
  /** Releases the mutex that the bus’s transaction holds; null while there is none. */
  let endTurn: (() => void) | null = null;
  /** The writes of the current transaction of the bus; null until they are done. */
  let written: WrittenTransaction | null = null;
  let assignment: Assignment<Transaction> | null = null;
  let oldestPublishedAt = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  /** When the current transaction of the bus, and the last committed one, checked for edited rules. */
  let startedAt = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** When edits or deletions were last announced. */
  let nudgedAt = Number.NEGATIVE_INFINITY;
  let isTicking = false;
  /** Whether the next tick was moved to an earlier time because an alert storm has values to store. */
  let isHastened = false;
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  let stopped = true;

  function finishTurn(): void {
    written = null;
    endTurn?.();
    endTurn = null;
  }

  function noteCommit(transaction: WrittenTransaction): void {
    const { changes } = transaction;
    const { heldBack } = changes;
    if (heldBack > 0 && clock() - warnedAt >= WARN_EVERY_MS) {
      warnedAt = clock();
      const organizations = engine.instanceLimit.near().map(([organizationId]) => organizationId);
      const { limit } = engine.instanceLimit;
      logger.warn(
        { organizations, limit, heldBack },
        'limit of alert instances reached; breaches began no alert instance',
      );
    }
    metrics.committed(changes);
    if (changes.events.length > 0) options.onEvents?.();
    transaction.committed();
  }

  async function handle(batch: readonly Delivery<SampleRecord>[], tx: Transaction): Promise<Verdict[]> {
    if (endTurn) rolledBack();
    endTurn = await turns.acquire();
    takeAssignment();
    startedAt = performance.now();
    const consumedAt = clock();
    oldestPublishedAt = batch[0]?.publishedAt ?? consumedAt;
    const requests = batch.flatMap(({ value }) => (value?.kind === 'samples' ? [value] : []));
    const transaction = await engine.begin(tx, await directory.watch(tx), requests);
    const verdicts: Verdict[] = [];
    const whole: Delivery<SampleRecord>[] = [];
    for (const delivery of batch) {
      const { value, partition } = delivery;
      if (value?.kind === 'samples') {
        const evaluating = transaction.evaluate(value, delivery, consumedAt);
        const part = evaluating instanceof Promise ? await evaluating : evaluating;
        if (part !== null) {
          verdicts.push({ kind: 'part', ...part });
          continue;
        }
      } else if (value?.kind === 'heartbeat') {
        await transaction.heartbeat(partition, value.at);
        probe.recordHeartbeat(partition, value.at);
      } else {
        verdicts.push({ kind: 'deadLetter', reason: 'neither samples nor a heartbeat' });
        continue;
      }
      whole.push(delivery);
      verdicts.push(DONE);
    }
    written = await transaction.write();
    await markTaken(tx, 'evaluator', whole);
    if (options.probeEveryMs !== undefined) await probe.write(tx);
    return verdicts;
  }

  function committed(): void {
    if (!endTurn || !written) return;
    directory.committed();
    noteCommit(written);
    if (probe.committed()) options.onEvents?.();
    metrics.lag((clock() - oldestPublishedAt) / 1_000);
    checkedAt = startedAt;
    finishTurn();
    if (everyMs() < tickEveryMs) hasten();
  }

  function rolledBack(): void {
    if (!endTurn) return;
    directory.forget();
    engine.rolledBack();
    probe.rolledBack();
    metrics.rolledBack();
    finishTurn();
  }

  /** Applies a new assignment between two transactions. */
  function takeAssignment(): void {
    if (assignment === null) return;
    engine.assign(assignment);
    probe.assign(assignment);
    assignment = null;
  }

  /**
   * Checks for edited rules while no records arrive; otherwise the transactions of the bus do. Returns false if one of these is running,
   * which may have begun before the edit.
   */
  async function tick(): Promise<boolean> {
    if (endTurn) return false;
    if (engine.isIdle(await readRevisions(sql))) return true;
    const release = await turns.acquire();
    takeAssignment();
    let begun = false;
    try {
      const ticked = await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${TICK_LOCK_TIMEOUT}, true)`;
        if (!(await engine.hold(tx))) return null;
        begun = true;
        const transaction = await engine.begin(tx, await readRevisions(tx));
        return transaction.write();
      });
      if (ticked !== null) noteCommit(ticked);
      return true;
    } catch (error) {
      // Without the lock on the partitions, memory has not been changed.
      if (begun) engine.rolledBack();
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      return false;
    } finally {
      release();
    }
  }

  /** The interval of ticks, ms. */
  function everyMs(): number {
    return Math.min(tickEveryMs, engine.stormEveryMs);
  }

  function hasten(): void {
    if (isHastened || isTicking || stopped) return;
    isHastened = true;
    clearTimeout(timer);
    schedule();
  }

  function schedule(afterMs = everyMs()): void {
    if (stopped) return;
    timer = setTimeout(() => {
      isHastened = false;
      const notDueForMs = isUrgent() ? 0 : checkedAt + everyMs() - performance.now();
      if (notDueForMs > 0) return schedule(notDueForMs);
      const tickedAt = performance.now();
      isTicking = true;
      ticking = tick()
        .then((hasChecked) => {
          if (hasChecked) checkedAt = Math.max(checkedAt, tickedAt);
          return isUrgent() ? BUSY_TICK_MS : everyMs();
        })
        .catch((error) => {
          logger.warn({ err: error }, 'checking for changed rules failed; retrying');
          return tickEveryMs;
        })
        .then((pauseMs) => {
          isTicking = false;
          schedule(Math.min(everyMs(), engine.hasMore ? STORM_TICK_MS : pauseMs));
        });
    }, afterMs);
    timer.unref();
  }

  /** Whether a tick is due before its interval is over. */
  function isUrgent(): boolean {
    return engine.hasMore || nudgedAt >= checkedAt;
  }

  return {
    consumer: {
      name: 'evaluator',
      handle,
      committed,
      rolledBack,
      assigned(next) {
        // Cleared only here, where no transaction of the bus that could add entries is running.
        directory.clear();
        assignment = next;
      },
    },
    async start() {
      stopped = false;
      await tick();
      schedule();
    },
    nudge() {
      nudgedAt = performance.now();
      if (stopped || isTicking) return;
      clearTimeout(timer);
      schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      await engine
        .flushNow(async () => void (await tick()))
        .catch((error: unknown) => {
          logger.warn(
            { err: error },
            'stopping: storing the last values of active alerts failed; they are restored from samples at the next start',
          );
        });
    },
  };
}
