import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import type { Queryable } from '@tidewatch/database/connection';
import type { KnownChannel } from '@tidewatch/domain/notification/choose-channels';

/** Reads, by organization, the channels that are not deleted, and the deleted ones whose ids are in `named`. */
export async function readChannels(
  sql: Queryable,
  organizations: readonly string[],
  named: readonly string[],
): Promise<Map<string, KnownChannel[]>> {
  const rows = await sql<
    {
      organization_id: string;
      id: string;
      kind: ChannelKind;
      name: string;
      is_default: boolean;
      state: KnownChannel['state'];
      events: EventType[] | null;
      changed_at: number;
    }[]
  >`
    select c.organization_id, c.id, c.kind, c.name, c.is_default,
      case when c.deleted_at is not null then 'deleted' when c.enabled then 'enabled' else 'disabled' end as state,
      case when c.kind = 'webhook' then c.shown -> 'events' end as events, c.updated_at as changed_at
    from channels c
    where c.organization_id in (select json_array_elements_text(${JSON.stringify(organizations)}::text::json))
      and (c.deleted_at is null or c.id in (select json_array_elements_text(${JSON.stringify(named)}::text::json)))
    order by c.created_at, c.id`;
  const found = new Map<string, KnownChannel[]>();
  for (const {
    organization_id: organizationId,
    is_default: isDefault,
    changed_at: changedAt,
    ...channel
  } of rows) {
    const known = found.get(organizationId) ?? [];
    known.push({ ...channel, isDefault, changedAt });
    found.set(organizationId, known);
  }
  return found;
}
