import type { NotificationStatus } from '@tidewatch/contracts/notifications/notification';
import type { ChannelKind } from '@tidewatch/contracts/rules/rule';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Direction, EarlierNotice } from '@tidewatch/domain/notification/plan';
import { OFFLINE_METRIC } from '@tidewatch/domain/notification/suppression';
import type { Transaction } from '../connection.ts';

/** An object of an organization. */
export interface OwnedId {
  organizationId: string;
  id: string;
}

/** The key of an object in maps of what these functions answer. */
export const keyOf = (...parts: readonly string[]) => parts.join('\u001f');

/** The channels that rules name, deleted rules too, by `keyOf(organization, rule)`. */
export async function readRuleChannels(
  tx: Transaction,
  rules: readonly OwnedId[],
): Promise<Map<string, string[]>> {
  const rows = await tx<{ org_id: string; id: string; channels: string[] | null }[]>`
    select r.org_id, r.id, r.definition -> 'channels' as channels
    from ${owned(tx, rules)} join alert_rules r on r.org_id = o.org and r.id = o.id`;
  return new Map(rows.map(({ org_id, id, channels }) => [keyOf(org_id, id), channels ?? []]));
}

/** An earlier notice, and the event that it was made from. */
export interface RecordedNotice extends EarlierNotice {
  eventId: string;
}

/** Every notice about these alerts so far, by `keyOf(organization, alert)`. */
export async function readEarlier(
  tx: Transaction,
  alerts: readonly OwnedId[],
): Promise<Map<string, RecordedNotice[]>> {
  const rows = await tx<
    {
      org_id: string;
      alert_id: string;
      event_id: string;
      id: string;
      channel: string;
      channel_kind: ChannelKind;
      channel_id: string | null;
      channel_name: string | null;
      direction: Direction;
      status: NotificationStatus;
    }[]
  >`
    select a.org_id, a.alert_id, a.event_id, n.id, n.channel, n.channel_kind, n.channel_id, n.channel_name, n.direction,
      n.status
    from ${owned(tx, alerts)}
    join notification_alerts a on a.org_id = o.org and a.alert_id = o.id
    join notifications n on n.org_id = a.org_id and n.id = a.notification_id`;
  const found = new Map<string, RecordedNotice[]>();
  for (const row of rows) {
    const key = keyOf(row.org_id, row.alert_id);
    const channel = {
      key: row.channel,
      kind: row.channel_kind,
      id: row.channel_id,
      name: row.channel_name,
    };
    const { id, direction, status, event_id: eventId } = row;
    const notices = found.get(key) ?? [];
    notices.push({ id, channel, direction, status, eventId });
    found.set(key, notices);
  }
  return found;
}

/**
 * Those of the services that an active alert says are offline, by `keyOf(organization, service)`. The metric is spelled
 * out for the index of such alerts alone: a host in a storm has a great many others.
 */
export async function readOffline(tx: Transaction, services: readonly OwnedId[]): Promise<Set<string>> {
  const rows = await tx<{ org_id: string; service_id: string }[]>`
    select distinct a.org_id, a.service_id
    from ${owned(tx, services)} join alerts a on a.org_id = o.org and a.service_id = o.id
    where a.status = 'active' and not a.shadow and not a.backfilled and a.metric = ${tx.unsafe(`'${OFFLINE_METRIC}'`)}`;
  return new Set(rows.map(({ org_id, service_id }) => keyOf(org_id, service_id)));
}

/** What flaps as one: a rule's judging of one subject. */
export interface StreamKey {
  organizationId: string;
  ruleId: string;
  serviceId: string;
  subject: Subject;
}

export const streamKeyOf = ({ organizationId, ruleId, serviceId, subject }: StreamKey) =>
  keyOf(organizationId, ruleId, serviceId, subject.kind, subject.name);

/** When the streams that flap changed last, ms, by `streamKeyOf`. */
export async function readFlapping(
  tx: Transaction,
  streams: readonly StreamKey[],
): Promise<Map<string, number>> {
  const wanted = streams.map(({ organizationId: org, ruleId: rule, serviceId: service, subject }) => ({
    ...{ org, rule, service, kind: subject.kind, name: subject.name },
  }));
  const rows = await tx<
    { org: string; rule: string; service: string; kind: string; name: string; at: number }[]
  >`
    select s.org_id as org, s.rule_id as rule, s.service_id as service, s.subject_kind as kind, s.subject_name as name,
      s.changed_at as at
    from json_to_recordset(${JSON.stringify(wanted)}::text::json)
      as o(org text, rule text, service text, kind text, name text)
    join flapping_streams s on (s.org_id, s.rule_id, s.service_id, s.subject_kind, s.subject_name)
      = (o.org, o.rule, o.service, o.kind, o.name)`;
  return new Map(
    rows.map(({ at, ...row }) => [keyOf(row.org, row.rule, row.service, row.kind, row.name), at]),
  );
}

function owned(tx: Transaction, ids: readonly OwnedId[]) {
  const distinct = new Map(ids.map(({ organizationId: org, id }) => [keyOf(org, id), { org, id }]));
  return tx`json_to_recordset(${JSON.stringify([...distinct.values()])}::text::json) as o(org text, id text)`;
}
