import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { type SampleState, takeSampleState } from '../sample-log/sample-layout.ts';
import { ConversionError } from './conversion-error.ts';

/** How long writers wait at most for one attempt, and for how long they are not disturbed after it, ms. */
const MAX_WAIT_MS = 1_000;
const RETRY_MS = 1_000;
const MAX_TRIES = 300;

/** Makes writers of rows write the log as well, from a moment on; every row that is older is committed then. */
export function beginConversion(sql: Sql): Promise<void> {
  return changeState(sql, async (tx, { layout, isConverting }) => {
    if (layout === 'log' || isConverting) return;
    await tx`update storage_backend set is_converting = true`;
    await tx`update closed_days set is_converted = false where is_converted`;
  });
}

/** Makes readers read the log, and writers write it alone. What began before still reads rows. */
export function switchToLog(sql: Sql): Promise<void> {
  return changeState(sql, async (tx) => {
    await tx`update storage_backend set sample_layout = 'log'`;
  });
}

/** Ends the conversion, once no rows are left. */
export function endConversion(sql: Sql): Promise<void> {
  return changeState(sql, async (tx) => {
    await tx`update storage_backend set is_converting = false`;
  });
}

/** Changes the state while no transaction writes samples. Throws ConversionError if some take too long again and again. */
async function changeState(
  sql: Sql,
  change: (tx: Transaction, state: SampleState) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await transact(sql, async (tx) => {
        await tx`select set_config('lock_timeout', ${`${MAX_WAIT_MS}ms`}, true)`;
        await change(tx, await takeSampleState(tx));
      });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tries >= MAX_TRIES)
        throw new ConversionError(
          'Transactions that write samples take longer than a second each. Convert again when there is less load.',
        );
    }
    await sleep(RETRY_MS);
  }
}
