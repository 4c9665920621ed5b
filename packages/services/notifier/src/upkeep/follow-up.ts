import { FLAPPING_WITHIN_MS } from '@tidewatch/domain/alerting/flapping';
import { isPassing, type NoticeDecision } from '@tidewatch/domain/notification/decide-notice';
import { madeGoodAs } from '@tidewatch/domain/notification/owed';
import type { ChosenChannel } from '@tidewatch/domain/notification/plan';
import { wantsEvent } from '@tidewatch/domain/notification/wants-event';
import { alertEvent } from '@tidewatch/store/alerts/alert-event';
import { notifiedAlertOf } from '@tidewatch/store/alerts/notified-alert';
import { type Sql, type Transaction, transact } from '@tidewatch/store/database/connection';
import type { NotifiedAlert } from '@tidewatch/store/notifications/facts';
import {
  deleteEndedStates,
  findAlertsToRecheck,
  lockWithheld,
  type Outcome,
  type RecheckedAlert,
  type WithheldAlert,
  type WithheldPlace,
  writeOutcomes,
  writeRecheckedAlerts,
} from '@tidewatch/store/notifications/withheld';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { NoticeFacts } from '../planning/notice-facts.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';

export interface MakeGoodOptions extends PlanningOptions {
  sql: Sql;
  publicUrl: string | null;
}

/** Alerts that one transaction looks at. */
const AT_ONCE = 500;
/** An event that has not been planned after so long, ms, does not come any more. */
const LOST_AFTER_MS = 10 * 60_000;
/** Parts of one round; a fleet under one silence must not keep reminders waiting. */
const MAX_PARTS = 20;

/** Where the next round goes on looking; null at the beginning. */
export type Place = WithheldPlace | null;

/**
 * Looks through the alerts some channel of which was not notified for a reason that may pass. Where one has passed, appends
 * the event that is planned for these channels as any other is; where another holds by now, notes that. Each is made good
 * once, whoever else does this. Answers where the next round goes on.
 */
export async function makeGood(options: MakeGoodOptions, now: number, from: Place): Promise<Place> {
  let place = from;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    place = await transact(options.sql, (tx) => makePartGood(tx, options, now, place));
    if (place === null) break;
  }
  return place;
}

async function makePartGood(
  tx: Transaction,
  options: MakeGoodOptions,
  now: number,
  from: Place,
): Promise<Place> {
  const before = { calmBefore: now - FLAPPING_WITHIN_MS, lostBefore: now - LOST_AFTER_MS };
  const { passed, last } = await findAlertsToRecheck(tx, from, before, AT_ONCE);
  if (passed.length === 0) return last;
  const alerts = await lockWithheld(tx, passed, before.lostBefore);
  if (alerts.length < passed.length) await deleteEndedStates(tx, passed);
  if (alerts.length === 0) return last;
  const states = alerts.map(({ row }) => notifiedAlertOf(row));
  const facts = await NoticeFacts.read(tx, states, now, options);
  const found = alerts.map((alert, i) => lookAt(alert, states[i] as NotifiedAlert, facts));
  const good = found.flatMap(({ alert, type }) =>
    type === null ? [] : [{ alert, type, id: options.newId('evt') }],
  );
  const eventOf = new Map(good.map(({ alert, id }) => [alert.row.id, id]));
  await writeOutcomes(
    tx,
    found.flatMap(({ outcomes }) => outcomes),
  );
  await writeRecheckedAlerts(
    tx,
    found.map(({ alert: { row }, withheld }): RecheckedAlert => {
      const madeGoodBy = eventOf.get(row.id) ?? null;
      return { organizationId: row.org_id, alertId: row.id, withheld, madeGoodBy };
    }),
    now,
  );
  await appendEvents(
    tx,
    good.map(({ alert: { row, rule }, type, id }) => ({
      organizationId: row.org_id,
      event: alertEvent(id, `alert.${type}`, row, rule, { now, publicUrl: options.publicUrl }),
    })),
  );
  return last;
}

/** What is to be said of an alert now, and why some channels are not notified yet. */
function lookAt(alert: WithheldAlert, state: NotifiedAlert, facts: NoticeFacts) {
  const owed = facts.owed(state);
  // Where a rule names no channel, those who follow events learn what they would; a change of the rule is no news to them.
  const hasChannels = facts.channelsOf(state).length > 0;
  const isNews = hasChannels || alert.withheld.some((reason) => reason !== 'changed');
  const due = owed
    .filter(({ decision }) => isNews && decision.kind === 'notify')
    .map(({ channel }) => channel);
  const typeOf = ({ key }: ChosenChannel) => madeGoodAs(alert.withheld, facts.hadNotice(state, key));
  const isWanted = (channel: ChosenChannel) =>
    channel.events === null || wantsEvent(channel.events, `alert.${typeOf(channel)}`);
  const decided = owed.map(({ channel, decision }): [ChosenChannel, NoticeDecision] =>
    decision.kind === 'notify' && !isWanted(channel)
      ? [channel, { kind: 'suppress', reason: 'not_subscribed' }]
      : [channel, decision],
  );
  // Channels of another type have their turn once this event was planned.
  const [type = null] = due.filter(isWanted).map(typeOf);
  return {
    alert,
    type,
    // Looked at again once the event was planned, or was lost. Without channels nothing would tell that it was planned.
    withheld: type !== null && hasChannels ? alert.withheld : facts.withheld(state),
    outcomes: decided.flatMap(([channel, decision]) => outcomeOf(state, facts, channel, decision)),
  };
}

/** What the record of a suppressed notice says by now, where that is another reason. */
function outcomeOf(
  state: NotifiedAlert,
  facts: NoticeFacts,
  channel: ChosenChannel,
  decision: NoticeDecision,
): Outcome[] {
  if (decision.kind === 'notify') return [];
  const latest = facts.earlierOf(state).findLast((notice) => notice.channel.key === channel.key);
  if (latest?.status !== 'suppressed' || !isPassing(latest.reason) || latest.reason === decision.reason)
    return [];
  const status = decision.kind === 'suppress' ? 'suppressed' : 'not_configured';
  return [{ organizationId: state.organizationId, id: latest.id, status, reason: decision.reason }];
}
