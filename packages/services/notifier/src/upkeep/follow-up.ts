import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { FLAPPING_WITHIN_MS } from '@tidewatch/domain/alerting/flapping';
import { isPassing, type NoticeDecision } from '@tidewatch/domain/notification/decide-notice';
import { madeGoodAs } from '@tidewatch/domain/notification/owed';
import type { ChosenChannel } from '@tidewatch/domain/notification/plan';
import { wantsEvent } from '@tidewatch/domain/notification/wants-event';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import { alertEvent } from '@tidewatch/store/alerts/alert-event';
import { notifiedAlertOf } from '@tidewatch/store/alerts/notified-alert';
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

export interface FollowUpOptions extends PlanningOptions {
  sql: Sql;
  publicUrl: string | null;
  /** Announces events that were emitted to a relay in this process. */
  commits?: Pick<CommitSignal, 'emit'> | undefined;
}

/** Max number of alerts in one transaction. */
const BATCH_SIZE = 500;
/** A follow-up event that was not planned within this time counts as lost and is emitted again, ms. */
const LOST_AFTER_MS = 10 * MINUTE_MS;
/**
 * Max number of batches in one round, so that a silence on a whole fleet does not delay reminders; the next round
 * continues.
 */
const MAX_BATCHES = 20;

/** The position at which the next round of the scan continues; null to start from the beginning. */
export type ScanPosition = WithheldPlace | null;

/**
 * Checks the alerts of which a channel was not notified for a temporary reason. If the reason has passed, emits an event
 * that is planned for these channels; if another reason applies, records it. Row locks prevent several notifiers from
 * emitting the same event. Returns where the next round continues.
 */
export async function followUp(
  options: FollowUpOptions,
  now: number,
  from: ScanPosition,
): Promise<ScanPosition> {
  let position = from;
  for (let part = 0; part < MAX_BATCHES; part += 1) {
    position = await followUpBatch(options, now, position);
    if (position === null) break;
  }
  return position;
}

async function followUpBatch(
  options: FollowUpOptions,
  now: number,
  from: ScanPosition,
): Promise<ScanPosition> {
  const before = { calmBefore: now - FLAPPING_WITHIN_MS, lostBefore: now - LOST_AFTER_MS };
  // Found before the transaction, which nearly always would find nothing, and checked again under its locks.
  const { passed, last } = await findAlertsToRecheck(options.sql, from, before, BATCH_SIZE);
  if (passed.length === 0) return last;
  await transact(options.sql, (tx) => recheckAlerts(tx, passed, options, now, before.lostBefore));
  options.commits?.emit();
  return last;
}

async function recheckAlerts(
  tx: Transaction,
  passed: readonly WithheldPlace[],
  options: FollowUpOptions,
  now: number,
  lostBefore: number,
): Promise<void> {
  const alerts = await lockWithheld(tx, passed, lostBefore);
  if (alerts.length < passed.length) await deleteEndedStates(tx, passed);
  if (alerts.length === 0) return;
  const states = alerts.map(({ row }) => notifiedAlertOf(row));
  const facts = await NoticeFacts.read(tx, states, now, options);
  const found = alerts.map((alert, i) => recheck(alert, states[i] as NotifiedAlert, facts));
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
      return { organizationId: row.organization_id, alertId: row.id, withheld, madeGoodBy };
    }),
    now,
  );
  await appendEvents(
    tx,
    good.map(({ alert: { row, rule }, type, id }) => ({
      organizationId: row.organization_id,
      event: alertEvent(id, `alert.${type}`, row, rule, { now, publicUrl: options.publicUrl }),
    })),
  );
}

/**
 * Decides again about an alert of which some channels were not notified for a reason that may pass, such as a silence: which
 * event notifies them now, and why the others are still not notified.
 */
function recheck(alert: WithheldAlert, state: NotifiedAlert, facts: NoticeFacts) {
  const owed = facts.owed(state);
  // Without channels, the event is still emitted for subscribers of events, but not if only the rule has changed.
  const hasChannels = facts.channelsOf(state).length > 0;
  const isEmitted = hasChannels || alert.withheld.some((reason) => reason !== 'changed');
  const due = owed
    .filter(({ decision }) => isEmitted && decision.kind === 'notify')
    .map(({ channel }) => channel);
  const typeOf = ({ key }: ChosenChannel) => madeGoodAs(alert.withheld, facts.hadNotice(state, key));
  const isWanted = (channel: ChosenChannel) =>
    channel.events === null || wantsEvent(channel.events, `alert.${typeOf(channel)}`);
  const decided = owed.map(({ channel, decision }): [ChosenChannel, NoticeDecision] =>
    decision.kind === 'notify' && !isWanted(channel)
      ? [channel, { kind: 'suppress', reason: 'not_subscribed' }]
      : [channel, decision],
  );
  // Channels that need another type of event follow in the next round.
  const [type = null] = due.filter(isWanted).map(typeOf);
  return {
    alert,
    type,
    // Keeps the alert among those to check until the event was planned or lost. Without channels, no notice would show that
    // the event was planned.
    withheld: type !== null && hasChannels ? alert.withheld : facts.withheld(state),
    outcomes: decided.flatMap(([channel, decision]) => outcomeOf(state, facts, channel, decision)),
  };
}

/** The new reason for the record of a suppressed notice, if it has changed. */
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
