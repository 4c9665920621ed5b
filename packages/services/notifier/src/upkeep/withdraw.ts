import { notifiedAlertOf } from '@tidewatch/store/alerts/notified-alert';
import { type Sql, transact } from '@tidewatch/store/database/connection';
import { lockSilencedNotices, withdrawNotices } from '@tidewatch/store/notifications/withdraw';
import { NoticeFacts } from '../planning/notice-facts.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';

/** Notices that one transaction takes back. */
const AT_ONCE = 500;

/**
 * Takes notices back that wait, for a retry or in a digest, while a silence has begun that matches their alerts: they are
 * withheld like any other, and made good when it ends.
 */
export async function withdraw(options: PlanningOptions & { sql: Sql }, now: number): Promise<void> {
  if (options.silences.active.size === 0) return;
  for (let taken = AT_ONCE; taken === AT_ONCE; ) {
    taken = await transact(options.sql, async (tx) => {
      const queued = await lockSilencedNotices(tx, AT_ONCE);
      if (queued.length === 0) return 0;
      const states = queued.map(({ alert }) => notifiedAlertOf(alert));
      const facts = await NoticeFacts.read(tx, states, now, options);
      const silenced = queued.filter((_, i) => facts.isSilenced(states[i] as (typeof states)[number]));
      await withdrawNotices(tx, silenced, now, options.newId);
      return silenced.length;
    });
  }
}
