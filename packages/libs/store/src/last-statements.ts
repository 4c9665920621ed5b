import type { Transaction } from './connection.ts';

type Send = () => Promise<unknown>;

const left = new WeakMap<object, Send[]>();

/** Lets statements be left to the end of a transaction; for whoever sends them with its commit. */
export function takesLast(tx: Transaction): void {
  left.set(tx, []);
}

/**
 * Leaves statements to the end of a transaction, where they travel with its `commit`: a round trip less. `send` must have
 * sent them all when it answers its promise. Where one fails nothing of the transaction is stored, and it fails with that
 * error. Answers false, and leaves nothing, where the transaction does not take any: see `Store.transactReading`.
 */
export function sendLast(tx: Transaction, send: Send): boolean {
  const sends = left.get(tx);
  sends?.push(send);
  return sends !== undefined;
}

/** Sends what was left to the end of a transaction; rejects with what failed first. Whoever ends the transaction asks once. */
export async function sendAllLast(tx: Transaction): Promise<void> {
  const sends = left.get(tx) ?? [];
  left.delete(tx);
  await Promise.all(sends.map((send) => send()));
}
