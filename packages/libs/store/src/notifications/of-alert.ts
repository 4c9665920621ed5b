import type { Queryable } from '@tidewatch/database/connection';

/** The column `notifications` of `alerts a`, oldest first; with `until` (ms) only notifications created by then. */
export function alertNotifications(sql: Queryable, until?: number) {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'id', n.id,
      'channel', json_build_object('id', n.channel_id, 'kind', n.channel_kind, 'name', n.channel_name),
      'transition', n.transition, 'status', n.status, 'reason', n.reason, 'attempts', n.attempts,
      'last_error', n.last_error, 'created_at', ${isoTime(sql, 'created_at')}, 'sent_at', ${isoTime(sql, 'sent_at')}
    ) order by n.created_at, n.id), '[]')
    from notifications n where n.organization_id = a.organization_id and n.id in (
      select m.notification_id from notification_alerts m where m.organization_id = a.organization_id and m.alert_id = a.id)
      ${until === undefined ? sql`` : sql`and n.created_at <= ${until}`}
  ) as notifications`;
}

/** A time in the format of the API; the time zone of connections is UTC. */
function isoTime(sql: Queryable, column: 'created_at' | 'sent_at') {
  return sql`to_char(n.${sql(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
