import { type Assignment, type Consumer, type Delivery, DONE, type Verdict } from '@tidewatch/bus/bus';
import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Transaction } from '@tidewatch/store/database/connection';
import { markTaken } from '@tidewatch/store/receipts/marks';
import { readRevisions } from '@tidewatch/store/revisions/revisions';
import { Engine, type EngineOptions } from './engine.ts';
import { evaluatorMetrics } from './evaluator-metrics.ts';
import { Mutex } from './mutex.ts';
import { PipelineProbe } from './pipeline-probe.ts';

export interface EvaluatorOptions extends EngineOptions {
  metrics: Metrics;
  logger: Logger;
  /** Told after each transaction that left events in the outbox, so that a relay need not wait for its turn. */
  onEvents?: () => void;
  /** How often heartbeats are passed on as events, by which the pipeline's end tells that all of it works, ms. Default never. */
  probeEveryMs?: number;
  /** How often edits and deletions are looked for while nothing comes, ms. Default 250. */
  tickEveryMs?: number;
}

export interface Evaluator {
  /** Subscribe it to the topic of samples, after the writer. */
  consumer: Consumer<SampleRecord, Transaction>;
  start(): Promise<void>;
  /** Ends the tick and stores the values that still wait. */
  stop(): Promise<void>;
}

/** A tick must not wait for rows that the bus's transaction holds while that waits for the tick. */
const TICK_LOCK_TIMEOUT = '100ms';
/** The pause between two transactions that do what is left of much, ms; others get theirs in between. */
const STORM_TICK_MS = 20;
/** Between two warnings of a limit that is reached, ms. */
const WARN_EVERY_MS = 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Evaluates samples against rules, as the first consumer in the transaction that stores them. */
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
  /** Ends the turn of the transaction that the bus has under way; null while there is none. */
  let endTurn: (() => void) | null = null;
  let assignment: Assignment<Transaction> | null = null;
  let oldestPublishedAt = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  /** When the transaction of the bus, and the last that was committed, read what there was to be looked for. */
  let readAt = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  let stopped = false;

  function finishTurn(): void {
    endTurn?.();
    endTurn = null;
  }

  function noteCommit(): void {
    const { heldBack } = engine.changes;
    if (heldBack > 0 && clock() - warnedAt >= WARN_EVERY_MS) {
      warnedAt = clock();
      const organizations = engine.instanceLimit.near().map(([organizationId]) => organizationId);
      const { limit } = engine.instanceLimit;
      logger.warn(
        { organizations, limit, heldBack },
        'an organization has reached its limit of alert instances',
      );
    }
    metrics.committed(engine.changes);
    if (engine.changes.events.length > 0) options.onEvents?.();
    engine.committed();
  }

  async function handle(batch: readonly Delivery<SampleRecord>[], tx: Transaction): Promise<Verdict[]> {
    if (endTurn) rolledBack();
    endTurn = await turns.acquire();
    takeAssignment();
    readAt = performance.now();
    const consumedAt = clock();
    oldestPublishedAt = batch[0]?.publishedAt ?? consumedAt;
    await engine.prepare(tx, await directory.watch(tx));
    await engine.load(
      tx,
      batch.flatMap(({ value }) => (value?.kind === 'samples' ? [value] : [])),
    );
    const verdicts: Verdict[] = [];
    const whole: Delivery<SampleRecord>[] = [];
    for (const delivery of batch) {
      const { value, partition } = delivery;
      if (value?.kind === 'samples') {
        const part = await engine.evaluate(value, { ...delivery, consumedAt });
        if (part !== null) {
          verdicts.push({ kind: 'part', ...part });
          continue;
        }
      } else if (value?.kind === 'heartbeat') {
        await engine.heartbeat(partition, value.at);
        probe.recordHeartbeat(partition, value.at);
      } else {
        verdicts.push({ kind: 'deadLetter', reason: 'neither samples nor a heartbeat' });
        continue;
      }
      whole.push(delivery);
      verdicts.push(DONE);
    }
    await engine.finish(tx);
    await markTaken(tx, 'evaluator', whole);
    if (options.probeEveryMs !== undefined) await probe.write(tx);
    return verdicts;
  }

  function committed(): void {
    if (!endTurn) return;
    directory.committed();
    noteCommit();
    probe.committed();
    metrics.lag((clock() - oldestPublishedAt) / 1_000);
    lookedAt = readAt;
    finishTurn();
  }

  function rolledBack(): void {
    if (!endTurn) return;
    directory.forget();
    engine.rolledBack();
    probe.rolledBack();
    metrics.rolledBack();
    finishTurn();
  }

  /** A new assignment counts from the next transaction on, so that none sees two. */
  function takeAssignment(): void {
    if (assignment === null) return;
    engine.assign(assignment);
    probe.assign(assignment);
    assignment = null;
  }

  /** For when nothing comes: a transaction of the bus does all of this too. */
  async function tick(): Promise<void> {
    if (endTurn || engine.isIdle(await readRevisions(sql))) return;
    const release = await turns.acquire();
    takeAssignment();
    let begun = false;
    try {
      const held = await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${TICK_LOCK_TIMEOUT}, true)`;
        if (!(await engine.hold(tx))) return false;
        begun = true;
        await engine.prepare(tx, await readRevisions(tx));
        await engine.finish(tx);
        return true;
      });
      if (held) noteCommit();
    } catch (error) {
      // Where the partitions could not even be held, memory is as it was.
      if (begun) engine.rolledBack();
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    } finally {
      release();
    }
  }

  function schedule(afterMs = tickEveryMs): void {
    if (stopped) return;
    timer = setTimeout(() => {
      const notDueForMs = engine.isLeft ? 0 : lookedAt + tickEveryMs - performance.now();
      if (notDueForMs > 0) return schedule(notDueForMs);
      ticking = tick()
        .catch((error) => logger.warn({ err: error }, 'the evaluator could not look for changed rules'))
        .finally(() => schedule(engine.isLeft ? Math.min(tickEveryMs, STORM_TICK_MS) : tickEveryMs));
    }, afterMs);
    timer.unref();
  }

  return {
    consumer: {
      name: 'evaluator',
      handle,
      committed,
      rolledBack,
      assigned(next) {
        // At once, while no transaction of the bus is under way that could have put services there.
        directory.clear();
        assignment = next;
      },
    },
    async start() {
      stopped = false;
      await tick();
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      await engine
        .flushNow(() => tick())
        .catch((error: unknown) => {
          logger.warn(
            { err: error },
            'the last values of active alerts were not stored; samples make them good',
          );
        });
    },
  };
}
