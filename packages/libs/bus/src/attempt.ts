import type { Consumer, Delivery, RollbackOutcome, Verdict } from './bus.ts';

/** Runs `work` in one transaction: commits when it resolves, rolls back and throws when it rejects. */
export type Transact<Tx> = <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;

export interface DeadLetter {
  delivery: Delivery<unknown>;
  consumer: string;
  reason: string;
}

/** For each delivery that consumers processed only in part: the part of its value that is still to be processed. */
export type Rests = ReadonlyMap<Delivery<unknown>, unknown>;

/**
 * The result of one transaction that passed a batch to the consumers. `outage`: the store is unavailable. `unknown`: the
 * result of COMMIT was lost. `consumer`: the consumer that ran when the transaction failed. `rests`: the unprocessed parts
 * of deliveries; if `unknown`, they are valid only if the commit took place.
 */
export type Attempt =
  | { ok: true; deadLetters: DeadLetter[]; rests: Rests }
  | { ok: false; error: unknown; outage: boolean; unknown: boolean; consumer: string; rests: Rests };

/** A consumer returned `retry`: the whole batch is delivered again. */
export class RetryRequestedError extends Error {
  override name = 'RetryRequestedError';
}

const OUTAGE_CODE =
  /^(CONNECTION_|CONNECT_|ECONN|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|08|53|57P|58|25006|25P0[34])/;

/**
 * Returns true if the error means that the database is unreachable, full or read-only, so that the data are not the
 * cause.
 */
export function isOutage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && OUTAGE_CODE.test(code);
}

/** PostgreSQL's error classes for wrong data: data exception and program limit exceeded. */
const DATA_FAULT = /^(22|54)/;

/** Returns true if the error means that the data themselves are wrong, so that a retry can never succeed. */
export function isDataFault(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && DATA_FAULT.test(code)) || (cause !== undefined && isDataFault(cause));
}

function deadLettersOf<Tx>(
  consumer: Consumer<unknown, Tx>,
  batch: readonly Delivery<unknown>[],
  verdicts: readonly Verdict[],
): DeadLetter[] {
  if (verdicts.length !== batch.length) {
    throw new Error(
      `the consumer ${consumer.name} returned ${verdicts.length} verdicts for ${batch.length} deliveries`,
    );
  }
  const found: DeadLetter[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict.kind === 'retry') throw new RetryRequestedError(`${consumer.name}: ${verdict.reason}`);
    const delivery = batch[index];
    if (verdict.kind === 'deadLetter' && delivery !== undefined) {
      found.push({ delivery, consumer: consumer.name, reason: verdict.reason });
    }
  }
  return found;
}

/**
 * Returns the deliveries that the next consumer receives. Puts the unprocessed parts of deliveries into `rests`, and
 * into `origins` the delivery from which each processed part was made.
 */
function takenOf(
  batch: readonly Delivery<unknown>[],
  verdicts: readonly Verdict[],
  rests: Map<Delivery<unknown>, unknown>,
  origins: Map<Delivery<unknown>, Delivery<unknown>>,
): readonly Delivery<unknown>[] {
  if (!verdicts.some(({ kind }) => kind === 'part')) return batch;
  const taken: Delivery<unknown>[] = [];
  for (const [index, delivery] of batch.entries()) {
    const verdict = verdicts[index];
    if (verdict?.kind !== 'part') {
      taken.push(delivery);
      continue;
    }
    rests.set(delivery, verdict.rest);
    if (verdict.done === null) continue;
    const part = { ...delivery, value: verdict.done };
    origins.set(part, delivery);
    taken.push(part);
  }
  return taken;
}

/**
 * Passes the batch to each consumer in one transaction, then calls their `committed` or `rolledBack`. In that
 * transaction, `bury` makes dead letters durable, and `left` stores the unprocessed parts of deliveries.
 */
export async function attempt<Tx>(
  transact: Transact<Tx>,
  consumers: readonly Consumer<unknown, Tx>[],
  batch: readonly Delivery<unknown>[],
  bury: (letters: readonly DeadLetter[]) => Promise<void> = async () => undefined,
  left: (tx: Tx, rests: Rests) => Promise<void> = async () => undefined,
): Promise<Attempt> {
  let stage: 'before' | 'working' | 'committing' = 'before';
  let working = '';
  const rests = new Map<Delivery<unknown>, unknown>();
  try {
    const deadLetters = await transact(async (tx) => {
      stage = 'working';
      const found: DeadLetter[] = [];
      let taken = batch;
      rests.clear();
      const origins = new Map<Delivery<unknown>, Delivery<unknown>>();
      for (const consumer of consumers) consumer.prepare?.(batch, tx);
      for (const consumer of consumers) {
        working = consumer.name;
        const verdicts = await consumer.handle(taken, tx);
        for (const letter of deadLettersOf(consumer, taken, verdicts))
          found.push({ ...letter, delivery: origins.get(letter.delivery) ?? letter.delivery });
        taken = takenOf(taken, verdicts, rests, origins);
      }
      await bury(found);
      await left(tx, rests);
      stage = 'committing';
      return found;
    });
    for (const consumer of consumers) consumer.committed?.();
    return { ok: true, deadLetters, rests };
  } catch (error) {
    // TypeScript does not track assignments inside the callback.
    const reached = stage as 'before' | 'working' | 'committing';
    const outcome: RollbackOutcome = reached === 'committing' ? 'unknown' : 'rolled_back';
    for (const consumer of consumers) consumer.rolledBack?.(outcome);
    return {
      ok: false,
      error,
      outage: reached === 'before' || isOutage(error),
      unknown: reached === 'committing',
      consumer: working,
      rests,
    };
  }
}
