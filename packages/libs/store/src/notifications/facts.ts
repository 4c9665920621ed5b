import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Notification, NotificationStatus } from '@tidewatch/contracts/notifications/notification';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Transaction } from '@tidewatch/database/connection';
import { OFFLINE_METRIC } from '@tidewatch/domain/notification/decide-notice';
import type { FlappingStream } from '@tidewatch/domain/notification/flapping';
import type { Direction } from '@tidewatch/domain/notification/owed';
import type { EarlierNotice } from '@tidewatch/domain/notification/plan';

/** The id of an object with its organization. */
export interface OwnedId {
  organizationId: string;
  id: string;
}

/** The key of an object in the maps that these functions return. */
export const keyOf = (...parts: readonly string[]) => parts.join('\u001f');

/** The channels that rules name, including deleted rules, by `keyOf(organization, rule)`. */
export async function readRuleChannels(
  tx: Transaction,
  rules: readonly OwnedId[],
): Promise<Map<string, string[]>> {
  const rows = await tx<{ organization_id: string; id: string; channels: string[] | null }[]>`
    select r.organization_id, r.id, r.definition -> 'channels' as channels
    from ${owned(tx, rules)} join alert_rules r on r.organization_id = o.org and r.id = o.id`;
  return new Map(
    rows.map(({ organization_id, id, channels }) => [keyOf(organization_id, id), channels ?? []]),
  );
}

/** An earlier notice with the id of its event, and why it was not sent. */
export interface RecordedNotice extends EarlierNotice {
  eventId: string;
  reason: Notification['reason'];
}

/** Reads every notice about these alerts, by `keyOf(organization, alert)`. */
export async function readEarlier(
  tx: Transaction,
  alerts: readonly OwnedId[],
): Promise<Map<string, RecordedNotice[]>> {
  const rows = await tx<
    {
      organization_id: string;
      alert_id: string;
      event_id: string;
      id: string;
      channel: string;
      channel_kind: ChannelKind;
      channel_id: string | null;
      channel_name: string | null;
      direction: Direction;
      status: NotificationStatus;
      reason: RecordedNotice['reason'];
      severity: Severity | null;
      created_at: number;
    }[]
  >`
    select a.organization_id, a.alert_id, a.event_id, n.id, n.channel, n.channel_kind, n.channel_id, n.channel_name, n.direction,
      n.status, n.reason, a.severity, n.created_at
    from ${owned(tx, alerts)}
    join notification_alerts a on a.organization_id = o.org and a.alert_id = o.id
    join notifications n on n.organization_id = a.organization_id and n.id = a.notification_id
    order by n.created_at, n.id`;
  const found = new Map<string, RecordedNotice[]>();
  for (const row of rows) {
    const key = keyOf(row.organization_id, row.alert_id);
    const channel = {
      key: row.channel,
      kind: row.channel_kind,
      id: row.channel_id,
      name: row.channel_name,
    };
    const { id, direction, status, reason, severity, event_id: eventId, created_at: createdAt } = row;
    const notices = found.get(key) ?? [];
    notices.push({ id, channel, direction, status, reason, severity, eventId, createdAt });
    found.set(key, notices);
  }
  return found;
}

/** The fields of an alert that decide about its notifications, besides earlier notices. */
export interface NotifiedAlert {
  organizationId: string;
  id: string;
  ruleId: string;
  serviceId: string;
  host: string;
  subject: Subject;
  metric: string;
  severity: Severity;
  shadow: boolean;
  active: boolean;
  /** Whether a backfilled sample opened the alert and no fresh sample has confirmed it. */
  unconfirmed: boolean;
  silencedBy: string | null;
}

/**
 * Reads the active alerts about offline services. The metric is a literal, so that PostgreSQL uses the partial index of
 * such alerts: in an alert storm a host has many others.
 */
export async function readOfflineAlerts(
  tx: Transaction,
  services: readonly OwnedId[],
): Promise<NotifiedAlert[]> {
  return tx<NotifiedAlert[]>`
    select ${notifiedColumns(tx)}
    from ${owned(tx, services)} join alerts a on a.organization_id = o.org and a.service_id = o.id
    where a.status = 'active' and not a.shadow and a.metric = ${tx.unsafe(`'${OFFLINE_METRIC}'`)}`;
}

/** The current fields of alerts, by `keyOf(organization, alert)`. */
export async function readNotifiedAlerts(
  tx: Transaction,
  alerts: readonly OwnedId[],
): Promise<Map<string, NotifiedAlert>> {
  const rows = await tx<NotifiedAlert[]>`
    select ${notifiedColumns(tx)} from ${owned(tx, alerts)} join alerts a on a.organization_id = o.org and a.id = o.id`;
  return new Map(rows.map((alert) => [keyOf(alert.organizationId, alert.id), alert]));
}

function notifiedColumns(tx: Transaction) {
  return tx`a.organization_id as "organizationId", a.id, a.rule_id as "ruleId", a.service_id as "serviceId", a.host,
    json_build_object('kind', a.subject_kind, 'name', a.subject_name) as subject, a.metric, a.severity, a.shadow,
    a.status = 'active' as active, a.backfilled and a.confirmed_at is null as unconfirmed,
    a.silenced_by as "silencedBy"`;
}

/** The tags of services by `keyOf(organization, service)`, which silences match. */
export async function readServiceTags(
  tx: Transaction,
  services: readonly OwnedId[],
): Promise<Map<string, Record<string, string>>> {
  if (services.length === 0) return new Map();
  const rows = await tx<{ organization_id: string; id: string; tags: Record<string, string> }[]>`
    select s.organization_id, s.id, s.tags
    from ${owned(tx, services)} join services s on s.organization_id = o.org and s.id = o.id`;
  return new Map(rows.map(({ organization_id, id, tags }) => [keyOf(organization_id, id), tags]));
}

/** A stream: one rule on one subject of one host, for which flapping is detected. */
export interface StreamKey {
  organizationId: string;
  ruleId: string;
  serviceId: string;
  subject: Subject;
}

export const streamKeyOf = ({ organizationId, ruleId, serviceId, subject }: StreamKey) =>
  keyOf(organizationId, ruleId, serviceId, subject.kind, subject.name);

/** Reads the flapping state of streams, by `streamKeyOf`. */
export async function readFlapping(
  tx: Transaction,
  streams: readonly StreamKey[],
): Promise<Map<string, FlappingStream>> {
  const wanted = streams.map(({ organizationId: org, ruleId: rule, serviceId: service, subject }) => ({
    org,
    rule,
    service,
    kind: subject.kind,
    name: subject.name,
  }));
  const rows = await tx<
    (FlappingStream & { org: string; rule: string; service: string; kind: string; name: string })[]
  >`
    select s.organization_id as org, s.rule_id as rule, s.service_id as service, s.subject_kind as kind, s.subject_name as name,
      s.changed_at as "changedAt", s.severity, array(
        select jsonb_build_object('channel', x ->> 'channel', 'id', x ->> 'id', 'severity', x ->> 'severity',
          'underWay', coalesce(n.status in ('queued', 'delivered'), false))
        from jsonb_array_elements(s.notices) x left join notifications n on n.organization_id = s.organization_id and n.id = x ->> 'id'
      ) as notices
    from json_to_recordset(${JSON.stringify(wanted)}::text::json)
      as o(org text, rule text, service text, kind text, name text)
    join flapping_streams s on (s.organization_id, s.rule_id, s.service_id, s.subject_kind, s.subject_name)
      = (o.org, o.rule, o.service, o.kind, o.name)`;
  return new Map(
    rows.map(({ changedAt, severity, notices, ...row }) => [
      keyOf(row.org, row.rule, row.service, row.kind, row.name),
      { changedAt, severity, notices },
    ]),
  );
}

/** An alert with stored notification state. */
export interface AlertMark {
  /** The id of the event with which withheld notices are sent, until that event is planned. */
  madeGoodBy: string | null;
}

/** Reads which of the alerts have a stored notification state, by `keyOf(organization, alert)`. */
export async function readMarks(
  tx: Transaction,
  alerts: readonly OwnedId[],
): Promise<Map<string, AlertMark>> {
  const rows = await tx<{ organization_id: string; alert_id: string; made_good_by: string | null }[]>`
    select t.organization_id, t.alert_id, t.made_good_by
    from ${owned(tx, alerts)} join alert_notices t on t.organization_id = o.org and t.alert_id = o.id`;
  return new Map(
    rows.map((row) => [keyOf(row.organization_id, row.alert_id), { madeGoodBy: row.made_good_by }]),
  );
}

function owned(tx: Transaction, ids: readonly OwnedId[]) {
  const distinct = new Map(ids.map(({ organizationId: org, id }) => [keyOf(org, id), { org, id }]));
  return tx`json_to_recordset(${JSON.stringify([...distinct.values()])}::text::json) as o(org text, id text)`;
}
