import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { takeClosedDays } from '../sample-days/closed-days.ts';

const MAX_TRIES = 5;

/**
 * Runs `work` in one transaction, whose statements have one snapshot, while nothing seals, closes or deletes packed samples: the snapshot
 * has the rows of everything that is in chunks and days. Needs two connections.
 */
export async function transactAlone<R>(sql: Sql, work: (tx: Transaction) => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries += 1)
    try {
      return await transact(sql, async (holder) => {
        // Taken by a transaction of its own, since a snapshot would be as old as the wait for the lock.
        await takeClosedDays(holder);
        return (await sql.begin('isolation level repeatable read', work)) as R;
      });
    } catch (error) {
      const isRace = (error as { code?: string }).code === '40001';
      if (!isRace || tries >= MAX_TRIES) throw error;
    }
}
