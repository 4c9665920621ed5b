import type { Sql } from '@tidewatch/database/connection';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import { serviceTotal } from '../filter.ts';
import { NameDirectory } from './name-directory.ts';

/** Of fewer services PostgreSQL finds a part of a name in a millisecond. */
const MIN_NAMES = 2_000;
/** An organization with more services is searched by PostgreSQL, and so are those that were asked for least recently beyond the sum. */
const MAX_NAMES = 200_000;
const MAX_NAMES_OF_ALL = 400_000;
/** After names were read, or could not be, they are read again no sooner than this, ms. */
const MIN_READ_INTERVAL_MS = 10_000;
/** Up to this many names that were listed since are added; of more, all are read again. */
const MAX_ADDED = 1_000;
/** How many names the database answers as one text. */
const NAMES_PER_ROW = 2_000;

/** What a process knows of the names of an organization. */
interface KnownNames {
  directory: NameDirectory | null;
  reading: Promise<void> | null;
  /** ms of `performance.now()` */
  readAt: number;
}

const known = new WeakMap<Sql, Map<string, KnownNames>>();

/**
 * The names of an organization as of an earlier snapshot; null while they are not known. What uses them checks by `isCurrent` that they are
 * those of its own snapshot. The first call begins to read them.
 */
export function namesOf(sql: Sql, organizationId: string): NameDirectory | null {
  const names = entryOf(sql, organizationId);
  if (names.directory === null && performance.now() - names.readAt >= MIN_READ_INTERVAL_MS)
    readNames(sql, organizationId);
  return names.directory;
}

/** Reads the names of an organization, unless it has too few or too many. A failure leaves them unknown. */
export function readNames(sql: Sql, organizationId: string): Promise<void> {
  const names = entryOf(sql, organizationId);
  names.reading ??= beyondRequest(() => read(sql, organizationId))
    .then((directory) => {
      names.directory = directory;
      evict(sql, organizationId);
    })
    // PostgreSQL searches until a later request has read them.
    .catch(() => {})
    .finally(() => {
      names.readAt = performance.now();
      names.reading = null;
    });
  return names.reading;
}

/** What a statement says about the names in its snapshot, to be selected beside what was found by a directory. */
export interface NamesNow {
  listed: number;
  recent: string[];
  new_since: number;
}

/** The statement that selects the columns of `NamesNow`. Rows of another server, from a dump, may have transactions that are still to come. */
export function namesNow(sql: Sql, organizationId: string, { newSince }: NameDirectory) {
  return sql`
    select (${serviceTotal(sql, organizationId, { tag: [] })})::int4 as listed,
      array(select host from service_names where organization_id = ${organizationId} and listed_in >= ${newSince}::int8
        and listed_in < pg_snapshot_xmax(pg_current_snapshot())::text::int8 limit ${MAX_ADDED + 1}) as recent,
      pg_snapshot_xmin(pg_current_snapshot())::text::float8 as new_since`;
}

/**
 * Whether a directory has exactly the names of the snapshot that `now` is of: none came, and as many are listed. If not, the next call
 * of `namesOf` returns one with those that came, or, if any left, null until all are read again.
 */
export function isCurrent(
  sql: Sql,
  organizationId: string,
  directory: NameDirectory,
  now: NamesNow,
): boolean {
  const names = entryOf(sql, organizationId);
  const added = now.recent.filter((name) => !directory.has(name));
  if (now.recent.length <= MAX_ADDED && now.listed === directory.size + added.length) {
    if (added.length === 0) {
      directory.newSince = Math.max(directory.newSince, now.new_since);
      return true;
    }
    if (names.directory === directory) names.directory = directory.with(added, now.new_since);
  } else if (names.directory === directory) names.directory = null;
  return false;
}

async function read(sql: Sql, organizationId: string): Promise<NameDirectory | null> {
  const rows = await sql<{ new_since: number; names: string }[]>`
    with listed as materialized (
      select host, row_number() over (order by host) - 1 as place from service_names
      where organization_id = ${organizationId} order by host limit ${MAX_NAMES + 1})
    select pg_snapshot_xmin(pg_current_snapshot())::text::float8 as new_since, json_agg(host order by place)::text as names
    from listed group by place / ${NAMES_PER_ROW}::int8 order by min(place)`;
  const names = rows.flatMap((row) => JSON.parse(row.names) as string[]);
  if (names.length < MIN_NAMES || names.length > MAX_NAMES) return null;
  return new NameDirectory(names, (rows[0] as { new_since: number }).new_since);
}

/** The entry of an organization, which becomes the one that was asked for last. */
function entryOf(sql: Sql, organizationId: string): KnownNames {
  let all = known.get(sql);
  if (all === undefined) {
    all = new Map();
    known.set(sql, all);
  }
  const entry = all.get(organizationId) ?? {
    directory: null,
    reading: null,
    readAt: Number.NEGATIVE_INFINITY,
  };
  all.delete(organizationId);
  all.set(organizationId, entry);
  return entry;
}

function evict(sql: Sql, organizationId: string): void {
  entryOf(sql, organizationId);
  const all = known.get(sql) ?? new Map<string, KnownNames>();
  let sum = [...all.values()].reduce((total, { directory }) => total + (directory?.size ?? 0), 0);
  for (const [id, entry] of all) {
    if (sum <= MAX_NAMES_OF_ALL) return;
    sum -= entry.directory?.size ?? 0;
    all.delete(id);
  }
}
