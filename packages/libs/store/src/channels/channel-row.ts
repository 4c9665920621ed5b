import type { Channel, LastDelivery, StoredChannel } from '@tidewatch/contracts/channels/channel';
import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** A channel that is not deleted, with its masked configuration. */
export interface ChannelRow {
  id: string;
  kind: ChannelKind;
  name: string;
  is_default: boolean;
  enabled: boolean;
  shown: Channel['config'];
  version: number;
  created_at: number;
  updated_at: number;
  delivered_status: LastDelivery['status'] | null;
  delivered_at: number | null;
  delivered_error: string | null;
}

/** The columns of ChannelRow from `channels c` and `channel_deliveries d`. */
export function channelColumns(sql: Queryable) {
  return sql`c.id, c.kind, c.name, c.is_default, c.enabled, c.shown, c.version, c.created_at, c.updated_at,
    d.status as delivered_status, d.at as delivered_at, d.error as delivered_error`;
}

/** A channel as the API returns it, without warnings; the order of its fields is the documented one. */
export function channelAnswer(row: ChannelRow): StoredChannel {
  const { delivered_status: status, delivered_at: at } = row;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    is_default: row.is_default,
    enabled: row.enabled,
    config: row.shown,
    version: row.version,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    last_delivery:
      status === null || at === null ? null : { status, at: toIso(at), error: row.delivered_error },
  };
}
