import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { NoticeWindow } from '@tidewatch/domain/notification/grouping';
import type { Direction } from '@tidewatch/domain/notification/owed';
import { keyOf } from './facts.ts';

export interface WindowKey {
  organizationId: string;
  ruleId: string;
  channel: string;
  direction: Direction;
}

export const windowKeyOf = ({ organizationId, ruleId, channel, direction }: WindowKey) =>
  keyOf(organizationId, ruleId, channel, direction);

/** Locks grouping windows until the transaction ends, and returns them by `windowKeyOf`. */
export async function lockWindows(
  tx: Transaction,
  keys: readonly WindowKey[],
): Promise<Map<string, NoticeWindow>> {
  const distinct = new Map(keys.map((key) => [windowKeyOf(key), key]));
  const wanted = JSON.stringify([...distinct.values()]);
  const list = tx`json_to_recordset(${wanted}::text::json)
    as k("organizationId" text, "ruleId" text, channel text, direction text)`;
  await tx`
    insert into notification_windows (organization_id, rule_id, channel, direction, ends_at, sent_at_once, digest_alerts, digest_bytes)
    select "organizationId", "ruleId", channel, direction, '-infinity', 0, 0, 0 from ${list} order by 1, 2, 3, 4
    on conflict do nothing`;
  const rows = await tx<
    {
      organization_id: string;
      rule_id: string;
      channel: string;
      direction: Direction;
      ends_at: number;
      sent_at_once: number;
      digest_id: string | null;
      digest_alerts: number;
      digest_bytes: number;
    }[]
  >`
    select w.* from notification_windows w
    where (w.organization_id, w.rule_id, w.channel, w.direction) in (
      select "organizationId", "ruleId", channel, direction from ${list})
    order by w.organization_id, w.rule_id, w.channel, w.direction for update`;
  return new Map(
    rows.map((row) => [
      keyOf(row.organization_id, row.rule_id, row.channel, row.direction),
      {
        endsAt: row.ends_at,
        sentAtOnce: row.sent_at_once,
        digest:
          row.digest_id === null
            ? null
            : { id: row.digest_id, alerts: row.digest_alerts, bytes: row.digest_bytes },
      },
    ]),
  );
}

/** Stores grouping windows that the caller has locked. */
export async function writeWindows(
  tx: Transaction,
  windows: readonly (WindowKey & { window: NoticeWindow })[],
): Promise<void> {
  if (windows.length === 0) return;
  const rows = windows.map(({ organizationId: org, ruleId: rule, channel, direction, window }) => ({
    org,
    rule,
    channel,
    direction,
    sent_at_once: window.sentAtOnce,
    ends_at: toIso(window.endsAt),
    digest: window.digest?.id ?? null,
    alerts: window.digest?.alerts ?? 0,
    bytes: window.digest?.bytes ?? 0,
  }));
  await tx`
    update notification_windows w set ends_at = r.ends_at, sent_at_once = r.sent_at_once, digest_id = r.digest, digest_alerts = r.alerts,
      digest_bytes = r.bytes
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, rule text, channel text, direction text,
      ends_at timestamptz, sent_at_once integer, digest text, alerts integer, bytes integer)
    where (w.organization_id, w.rule_id, w.channel, w.direction) = (r.org, r.rule, r.channel, r.direction)`;
}
