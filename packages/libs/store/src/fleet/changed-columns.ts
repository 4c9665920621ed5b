import type { Sql } from '@tidewatch/database/connection';
import type { NumberColumn } from '@tidewatch/domain/fleet/fleet-changes';
import type { FleetUpdate } from '@tidewatch/domain/fleet/fleet-update';
import { COUNTS, type Collected, NUMBERS, READ_TIMES, type ReadTimes, TIMES } from './column-values.ts';

/** The columns of a changed row of `services`, by the column of the relation. */
const OF_SERVICES = {
  status_since: ['status_since', TIMES],
  critical: ['active_critical', COUNTS],
  warning: ['active_warning', COUNTS],
  info: ['active_info', COUNTS],
} as const;
const OF_LIVE = {
  last_seen: ['last_seen', TIMES],
  cpu_percent: ['cpu_percent', NUMBERS],
  memory_percent: ['memory_percent', NUMBERS],
  disk_percent: ['disk_percent', NUMBERS],
} as const;
type Columns = Readonly<Record<string, readonly [column: string, collected: Collected<NumberColumn>]>>;
type NumberName = keyof typeof OF_SERVICES | keyof typeof OF_LIVE;

/**
 * The rows that may have changed since a read whose `seen` is `since`, by the transactions that wrote them: both relations are scanned,
 * but neither joined nor sorted, and few rows are sent. A row that was removed, not marked as deleted, is not among them.
 */
export async function readChangedColumns(
  sql: Sql,
  organizationId: string,
  tags: readonly string[],
  since: string,
): Promise<FleetUpdate & { seen: string }> {
  const tagColumns = tags.reduce(
    (joined, tag, index) =>
      sql`${joined}, coalesce(array_to_json(array_agg(tags ->> ${tag}) filter (where is_listed)), '[]')::text as ${sql(`tag_${index}`)}`,
    sql``,
  );
  const isChanged = sql`organization_id = ${organizationId} and age(xmin) <= (select age(${since}::xid8::xid))`;
  const [row] = await sql<Row[]>`
    select s.*, l.*, ${sql.unsafe(READ_TIMES)}
    from (
      select string_agg(id, ',') filter (where is_listed) as id, string_agg(id, ',') filter (where not is_listed) as unlisted,
        string_agg(status, ',') filter (where is_listed) as status,
        coalesce(array_to_json(array_agg(host) filter (where is_listed)), '[]')::text as name,
        ${sql.unsafe(collected(OF_SERVICES, 'filter (where is_listed)'))} ${tagColumns}
      from (
        select *, deleted_at is null and archived_at is null as is_listed from services where ${isChanged}
      ) changed
    ) s cross join (
      select string_agg(service_id, ',') as live_id, ${sql.unsafe(collected(OF_LIVE))} from service_live where ${isChanged}
    ) l`;
  if (row === undefined) throw new Error('an aggregate returned no row');
  const numbers = (columns: Columns) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, [, { read }]]) => [name, read(row[name as NumberName])]),
    );
  const services = { status: textsOf(row.status), name: JSON.parse(row.name), ...numbers(OF_SERVICES) };
  return {
    parts: [
      {
        id: textsOf(row.id),
        columns: services,
        tags: new Map(tags.map((tag, index) => [tag, JSON.parse(row[`tag_${index}`] as string)])),
      },
      { id: textsOf(row.live_id), columns: numbers(OF_LIVE), tags: new Map() },
    ],
    unlisted: textsOf(row.unlisted),
    from: row.read_from,
    upTo: row.read_up_to,
    seen: row.seen,
  };
}

/** Ids and states have no commas, and are null where there is no row. */
type Row = Record<'id' | 'unlisted' | 'status' | 'live_id', string | null> & { name: string } & Record<
    NumberName,
    Buffer
  > &
  ReadTimes & { [tag: `tag_${number}`]: string };

function collected(columns: Columns, filter = ''): string {
  return Object.entries(columns)
    .map(([name, [column, { sql }]]) => `coalesce(${sql(column)} ${filter}, '') as "${name}"`)
    .join(', ');
}

function textsOf(joined: string | null): string[] {
  return joined?.split(',') ?? [];
}
