import type { AlertEvidence } from '@tidewatch/contracts/alerts/evidence';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** The position of a record in its topic. */
export interface LogPlace {
  topic: string;
  partition: number;
  offset: string;
}

/** A sample that caused a transition. Time in ms; `place` is null with the in-process bus, which keeps no log. */
export interface SampleReference {
  at: number;
  value: number | null;
  place: LogPlace | null;
}

export type AlertPhase = 'inactive' | 'pending' | 'firing' | 'recovering' | 'resolved';

/** One transition of an alert. Times are ms. */
export interface TransitionWrite {
  organizationId: string;
  alertId: string;
  from: AlertPhase;
  to: AlertPhase;
  reason: string;
  sample: SampleReference;
  /** When the payload that caused the transition was received; null if no payload caused it. */
  receivedAt: number | null;
  publishedAt: number | null;
  consumedAt: number | null;
  createdAt: number;
}

/** Stores transitions, in order, of those alerts that are stored. */
export async function insertTransitions(
  tx: Queryable,
  transitions: readonly TransitionWrite[],
): Promise<void> {
  if (transitions.length === 0) return;
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  const rows = transitions.map(({ sample: { at, value, place }, ...each }, number) => ({
    number,
    org: each.organizationId,
    alert: each.alertId,
    from: each.from,
    to: each.to,
    reason: each.reason,
    at: toIso(at),
    value,
    topic: place?.topic,
    partition: place?.partition,
    offset: place?.offset,
    received: time(each.receivedAt),
    published: time(each.publishedAt),
    consumed: time(each.consumedAt),
    created: toIso(each.createdAt),
  }));
  await tx`
    insert into alert_transitions (organization_id, alert_id, from_state, to_state, reason, at, value, topic, partition,
      log_offset, received_at, published_at, consumed_at, created_at)
    select org, alert, "from", "to", reason, at, value, topic, partition, "offset", received, published, consumed, created
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(number integer, org text, alert text, "from" text,
      "to" text, reason text, at timestamptz, value float8, topic text, partition integer, "offset" bigint,
      received timestamptz, published timestamptz, consumed timestamptz, created timestamptz)
    where exists (select from alerts a where a.organization_id = org and a.id = alert)
    order by r.number`;
}

interface TransitionRow {
  from_state: AlertPhase;
  to_state: AlertPhase;
  reason: string;
  at: number;
  value: number | null;
  topic: string | null;
  partition: number | null;
  log_offset: string | null;
  received_at: number | null;
  published_at: number | null;
  consumed_at: number | null;
  created_at: number;
}

/** The transitions and samples that opened, fired and closed an alert, or null if there is no such alert. */
export async function readEvidence(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<AlertEvidence | null> {
  const [[alert], rows] = await Promise.all([
    sql<{ id: string; notified_at: number | null }[]>`
      select a.id, (
        select min(n.sent_at) from notification_alerts t
        join notifications n on n.organization_id = t.organization_id and n.id = t.notification_id
        where t.organization_id = a.organization_id and t.alert_id = a.id
      ) as notified_at
      from alerts a where a.organization_id = ${organizationId} and a.id = ${id}`,
    sql<TransitionRow[]>`
      select from_state, to_state, reason, at, value, topic, partition, log_offset::text, received_at, published_at,
        consumed_at, created_at
      from alert_transitions where organization_id = ${organizationId} and alert_id = ${id} order by number`,
  ]);
  if (alert === undefined) return null;
  const fired = rows.find(({ from_state: from, to_state: to }) => to === 'firing' && from !== 'firing');
  const time = (ms: number | null | undefined) => (ms == null ? null : toIso(ms));
  return {
    alert_id: id,
    transitions: rows.map(({ from_state: from, to_state: to, at, reason, value }) => ({
      from,
      to,
      at: toIso(at),
      reason,
      value,
    })),
    samples: [
      ...samplesOf('opened', rows[0]),
      ...samplesOf('fired', fired),
      ...samplesOf(
        'closed',
        rows.find(({ to_state: to }) => to === 'resolved'),
      ),
    ],
    latency: {
      sampled_at: fired?.received_at == null ? null : toIso(fired.at),
      received_at: time(fired?.received_at),
      published_at: time(fired?.published_at),
      consumed_at: time(fired?.consumed_at),
      fired_at: time(fired?.created_at),
      notified_at: time(alert.notified_at),
    },
  };
}

function samplesOf(role: 'opened' | 'fired' | 'closed', row: TransitionRow | undefined) {
  if (row === undefined || row.value === null) return [];
  const { at, value, topic, partition, log_offset: offset } = row;
  return [{ role, time: toIso(at), value, topic, partition, offset }];
}
