import type { ChannelsQuery, StoredChannel } from '@tidewatch/contracts/channels/channel';
import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { RuleChannels } from '@tidewatch/contracts/rules/channel-warnings';
import type { Queryable, Sql } from '@tidewatch/database/connection';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { type ChannelRow, channelAnswer, channelColumns } from './channel-row.ts';

/** The orders of the list of channels; an organization has so few that they are sorted for each request. */
export const CHANNEL_ORDERS = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  name: { column: 'name', type: 'text' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Channels in an order; the sort key is (column, id). */
export function listChannels(
  sql: Sql,
  organizationId: string,
  { kind, enabled }: Pick<ChannelsQuery, 'kind' | 'enabled'>,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<StoredChannel>> {
  const chosen = sql`
    select c.created_at, c.updated_at, c.name collate "C" as name, c.id from channels c
    where c.organization_id = ${organizationId} and c.deleted_at is null
      ${kind === undefined ? sql`` : sql`and c.kind = ${kind}`}
      ${enabled === undefined ? sql`` : sql`and c.enabled = ${enabled}`}`;
  const list = {
    rows: chosen,
    total: null,
    columns: channelColumns(sql),
    joins: sql`join channels c on c.organization_id = ${organizationId} and c.id = page.id
      left join channel_deliveries d on d.organization_id = c.organization_id and d.channel_id = c.id`,
  };
  return readList(sql, list, order, window, channelAnswer);
}

/** The row of a channel that is not deleted, or null; with `lock` it is locked until the transaction ends. */
export async function readChannelRow(
  sql: Queryable,
  organizationId: string,
  id: string,
  { lock = false } = {},
): Promise<ChannelRow | null> {
  const [row] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)}
    from channels c left join channel_deliveries d on d.organization_id = c.organization_id and d.channel_id = c.id
    where c.organization_id = ${organizationId} and c.id = ${id} and c.deleted_at is null
    ${lock ? sql`for update of c` : sql``}`;
  return row ?? null;
}

/** The channels of an organization that its rules depend on. */
export async function readKnownChannels(sql: Queryable, organizationId: string): Promise<RuleChannels> {
  const rows = await sql<{ id: string; kind: ChannelKind; is_default: boolean; enabled: boolean }[]>`
    select id, kind, is_default, enabled from channels where organization_id = ${organizationId} and deleted_at is null`;
  return {
    ids: new Set(rows.map(({ id }) => id)),
    disabled: new Set(rows.filter(({ enabled }) => !enabled).map(({ id }) => id)),
    kinds: new Set(
      rows.filter(({ is_default: isDefault, enabled }) => isDefault && enabled).map(({ kind }) => kind),
    ),
  };
}

/** The ids that a rule set may name: channels that are not deleted, and deleted ones that a stored rule names already. */
export async function readNameableChannels(
  sql: Queryable,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from channels where organization_id = ${organizationId} and deleted_at is null
    union select jsonb_array_elements_text(definition -> 'channels') from alert_rules
    where organization_id = ${organizationId} and deleted_at is null`;
  return new Set(rows.map(({ id }) => id));
}
