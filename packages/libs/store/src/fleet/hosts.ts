import type { Selector } from '@tidewatch/contracts/rules/rule';
import type { Queryable } from '@tidewatch/database/connection';
import { compileSelector } from '@tidewatch/domain/rules/selector';

/** A host with the block and slot of a metric, and the value of the tag by which hosts are grouped. */
export interface FleetHost {
  host: string;
  group: string | null;
  blockId: number;
  slot: number;
}

/** The number of hosts that one statement reads. */
const PORTION = 2_000;

/** Reads every host that is not deleted, matches the selector and has the metric, by name. */
export async function readFleetHosts(
  tx: Queryable,
  organizationId: string,
  { metric, selector, groupBy }: { metric: string; selector: Selector; groupBy: string | null },
): Promise<FleetHost[]> {
  const matches = compileSelector(selector);
  const hosts: FleetHost[] = [];
  let after = { host: '', id: '' };
  for (;;) {
    const rows = await tx<(Omit<FleetHost, 'group'> & { id: string; tags: Record<string, string> })[]>`
      select s.host, s.id, s.tags, b.id as "blockId", array_position(b.metrics, ${metric}) - 1 as slot
      from services s
      join blocks b on b.organization_id = s.organization_id and b.service_id = s.id and b.subject_kind = 'host'
        and b.subject_name = s.host and ${metric} = any(b.metrics)
      where s.organization_id = ${organizationId} and s.deleted_at is null and (s.host, s.id) > (${after.host}, ${after.id})
      order by s.host, s.id limit ${PORTION}`;
    for (const { host, tags, blockId, slot } of rows) {
      if (!matches(host, tags)) continue;
      const group = groupBy !== null && Object.hasOwn(tags, groupBy) ? (tags[groupBy] as string) : null;
      hosts.push({ host, group, blockId, slot });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION) return hosts;
    after = last;
  }
}
