import type { Sql } from '@tidewatch/database/connection';
import type { FleetColumns, FleetRead, NumberColumn } from '@tidewatch/domain/fleet/fleet-changes';
import { COUNTS, type Collected, NUMBERS, READ_TIMES, type ReadTimes, TIMES } from './column-values.ts';

/** SQL of what the relation `q` has of each service that lists show. */
const FIELDS = {
  id: 's.id',
  name: 's.host',
  status: 's.status',
  status_since: 's.status_since',
  last_seen: 'coalesce(l.last_seen, s.first_seen)',
  cpu_percent: 'l.cpu_percent',
  memory_percent: 'l.memory_percent',
  disk_percent: 'l.disk_percent',
  critical: 's.active_critical',
  warning: 's.active_warning',
  info: 's.active_info',
} as const satisfies Record<keyof FleetColumns, string>;

const NUMBER_COLUMNS = {
  status_since: TIMES,
  last_seen: TIMES,
  cpu_percent: NUMBERS,
  memory_percent: NUMBERS,
  disk_percent: NUMBERS,
  critical: COUNTS,
  warning: COUNTS,
  info: COUNTS,
} satisfies Partial<Record<keyof FleetColumns, Collected<NumberColumn>>>;

export interface StoredFleet extends FleetRead {
  /** Names what PostgreSQL saw, for `readChangedColumns`. */
  seen: string;
}

/**
 * Every service that is not archived, by name, and columns of these tags; at most `limit` services. PostgreSQL puts the values of
 * a column behind each other, numbers in binary: ten thousand rows, or a JSON text of each column, cost both sides more.
 */
export async function readFleetColumns(
  sql: Sql,
  organizationId: string,
  tags: readonly string[],
  limit: number,
): Promise<StoredFleet> {
  const fields = Object.entries(FIELDS).map(([name, field]) => `${field} as "${name}"`);
  const numbers = Object.entries(NUMBER_COLUMNS).map(
    ([name, column]) => `coalesce(${column.sql(`q."${name}"`)}, '') as "${name}"`,
  );
  const tagColumns = tags.reduce(
    (joined, tag, index) =>
      sql`${joined}, coalesce(array_to_json(array_agg(q.tags ->> ${tag})), '[]')::text as ${sql(`tag_${index}`)}`,
    sql``,
  );
  const [row] = await sql<(Texts & Record<keyof typeof NUMBER_COLUMNS, Buffer> & ReadTimes)[]>`
    select string_agg(q.id, ',') as id, string_agg(q.status, ',') as status,
      coalesce(array_to_json(array_agg(q.name)), '[]')::text as name,
      ${sql.unsafe(numbers.join(', '))} ${tagColumns},
      ${sql.unsafe(READ_TIMES)}
    from (
      select ${sql.unsafe(fields.join(', '))}, s.tags
      from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
      where s.organization_id = ${organizationId} and s.deleted_at is null and s.archived_at is null
      order by s.host, s.id limit ${limit}
    ) q`;
  if (row === undefined) throw new Error('an aggregate returned no row');
  const columns = Object.fromEntries(
    Object.entries(NUMBER_COLUMNS).map(([name, { read }]) => [
      name,
      read(row[name as keyof typeof NUMBER_COLUMNS]),
    ]),
  ) as Record<keyof typeof NUMBER_COLUMNS, NumberColumn>;
  return {
    columns: {
      ...columns,
      id: row.id?.split(',') ?? [],
      status: row.status?.split(',') ?? [],
      name: JSON.parse(row.name),
    },
    tags: new Map(
      tags.map((tag, index) => [tag, JSON.parse(row[`tag_${index}`] as string) as (string | null)[]]),
    ),
    from: row.read_from,
    upTo: row.read_up_to,
    seen: row.seen,
  };
}

/** Ids and states have no commas, and are null where there is no service; names and tags may have any character. */
interface Texts {
  id: string | null;
  status: string | null;
  name: string;
  [tag: `tag_${number}`]: string;
}
