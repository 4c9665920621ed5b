import type { Transaction } from './driver.ts';
import { sendAhead } from './send-ahead.ts';

/** The statements of open transactions that are answered together with the commit. */
const sent = new WeakMap<object, Promise<unknown>[]>();

/** Makes `sendBeforeCommit` leave statements of this transaction in the returned list, for the caller to await with the commit. */
export function collectSent(tx: Transaction): readonly Promise<unknown>[] {
  const statements: Promise<unknown>[] = [];
  sent.set(tx, statements);
  return statements;
}

/**
 * Sends the last statement of a transaction without waiting for its result, so that the commit travels with it. The transaction
 * fails with the statement's error. Statements may follow, but what they throw is then a consequence of it.
 */
export async function sendBeforeCommit<S extends Promise<unknown> & { execute(): S }>(
  tx: Transaction,
  statement: S,
): Promise<void> {
  const statements = sent.get(tx);
  if (statements === undefined) await statement;
  else statements.push(sendAhead(statement));
}

/** The error of the first statement that failed; undefined if none did. Waits for all of them. */
export async function firstFailure(statements: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(statements);
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
}
