import { attempt, isOutage, type Transact } from '../../attempt.ts';
import type { Consumer, Delivery } from '../../bus.ts';

/** Thrown to roll back a transaction that only tests whether deliveries can be stored. */
class ProbeEndedError extends Error {
  override name = 'ProbeEndedError';
}

/** Finds the deliveries that make every transaction fail, by bisection. Throws once the store is unavailable. */
export async function findPoison<Tx>(
  transact: Transact<Tx>,
  consumer: Consumer<unknown, Tx>,
  batch: readonly Delivery<unknown>[],
): Promise<Delivery<unknown>[]> {
  if (batch.length === 0 || (await succeeds(transact, consumer, batch))) return [];
  if (batch.length === 1) return [...batch];
  const middle = Math.ceil(batch.length / 2);
  return [
    ...(await findPoison(transact, consumer, batch.slice(0, middle))),
    ...(await findPoison(transact, consumer, batch.slice(middle))),
  ];
}

async function succeeds<Tx>(
  transact: Transact<Tx>,
  consumer: Consumer<unknown, Tx>,
  batch: readonly Delivery<unknown>[],
): Promise<boolean> {
  const probing: Transact<Tx> = (work) =>
    transact(async (tx) => {
      await work(tx);
      throw new ProbeEndedError('the trial transaction succeeded');
    });
  const result = await attempt(probing, [consumer], batch);
  if (!result.ok && isOutage(result.error)) throw result.error;
  return !result.ok && result.error instanceof ProbeEndedError;
}
