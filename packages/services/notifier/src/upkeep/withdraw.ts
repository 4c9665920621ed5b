import { type Sql, transact } from '@tidewatch/database/connection';
import { notifiedAlertOf } from '@tidewatch/store/alerts/notified-alert';
import { lockSilencedNotices, withdrawNotices } from '@tidewatch/store/notifications/withdraw';
import { NoticeFacts } from '../planning/notice-facts.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';

/** Max number of notices in one transaction. */
const BATCH_SIZE = 500;

/**
 * Withdraws queued notices (waiting for a retry, or in a digest) of alerts that a silence matches. They become withheld
 * notices, which upkeep follows up on when the silence ends.
 */
export async function withdraw(options: PlanningOptions & { sql: Sql }, now: number): Promise<void> {
  if (options.silences.active.size === 0) return;
  for (let taken = BATCH_SIZE; taken === BATCH_SIZE; ) {
    taken = await transact(options.sql, async (tx) => {
      const queued = await lockSilencedNotices(tx, BATCH_SIZE);
      if (queued.length === 0) return 0;
      const states = queued.map(({ alert }) => notifiedAlertOf(alert));
      const facts = await NoticeFacts.read(tx, states, now, options);
      const silenced = queued.filter((_, i) => facts.isSilenced(states[i] as (typeof states)[number]));
      await withdrawNotices(tx, silenced, now, options.newId);
      return silenced.length;
    });
  }
}
