import type { Sql } from '@tidewatch/database/connection';
import type { FleetColumns, FleetRead } from '@tidewatch/domain/fleet/fleet-changes';

/** The columns of the services that lists show, by name; `read` yields their relation `q` in order. */
const COLUMNS = {
  id: 's.id',
  name: 's.host',
  status: 's.status',
  status_since: msOf('s.status_since'),
  last_seen: msOf('coalesce(l.last_seen, s.first_seen)'),
  cpu_percent: 'l.cpu_percent',
  memory_percent: 'l.memory_percent',
  disk_percent: 'l.disk_percent',
  critical: 's.active_critical',
  warning: 's.active_warning',
  info: 's.active_info',
} as const satisfies Record<keyof FleetColumns, string>;

const NAMES = Object.keys(COLUMNS) as (keyof FleetColumns)[];

/**
 * Every service that is not archived, by name, and columns of these tags; at most `limit` services. PostgreSQL makes one JSON
 * text of each column: to decode ten thousand rows takes this process three times as long.
 */
export async function readFleetColumns(
  sql: Sql,
  organizationId: string,
  tags: readonly string[],
  limit: number,
): Promise<FleetRead> {
  const chosen = NAMES.map((name) => `${COLUMNS[name]} as "${name}"`).join(', ');
  const collected = NAMES.map((name) => `${jsonOf(`q."${name}"`)} as "${name}"`).join(', ');
  const tagColumns = tags.reduce(
    (joined, tag, index) =>
      sql`${joined}, coalesce(array_to_json(array_agg(q.tags ->> ${tag})), '[]')::text as ${sql(`tag_${index}`)}`,
    sql``,
  );
  const [row] = await sql<(Record<keyof FleetColumns | `tag_${number}`, string> & Times)[]>`
    select ${sql.unsafe(collected)} ${tagColumns},
      ${sql.unsafe(microsecondsOf('now()'))} as read_from, ${sql.unsafe(microsecondsOf('clock_timestamp()'))} as read_up_to
    from (
      select ${sql.unsafe(chosen)}, s.tags
      from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
      where s.organization_id = ${organizationId} and s.deleted_at is null and s.archived_at is null
      order by s.host, s.id limit ${limit}
    ) q`;
  if (row === undefined) throw new Error('an aggregate returned no row');
  return {
    columns: Object.fromEntries(
      NAMES.map((name) => [name, JSON.parse(row[name])]),
    ) as unknown as FleetColumns,
    tags: new Map(
      tags.map((tag, index) => [tag, JSON.parse(row[`tag_${index}`] as string) as (string | null)[]]),
    ),
    from: row.read_from,
    upTo: row.read_up_to,
  };
}

/** The time of the transaction, which is before its snapshot, and the time after the rows were read; microseconds. */
interface Times {
  read_from: number;
  read_up_to: number;
}

/** SQL of the JSON text of the list of a column's values. */
function jsonOf(column: string): string {
  return `coalesce(array_to_json(array_agg(${column})), '[]')::text`;
}

/** SQL of the microseconds of a time since the epoch: exact, and cheaper than the numeric that `extract` returns. */
function microsecondsOf(time: string): string {
  return `(date_part('epoch', ${time}) * 1000000)::int8`;
}

function msOf(time: string): string {
  return `${microsecondsOf(time)} / 1000`;
}
