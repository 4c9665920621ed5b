import type { Queryable } from '@tidewatch/database/connection';
import { GROUP_ROLES } from '../schema/provision.ts';

/** A connection of a process of the product. */
export interface ProductSession {
  /** Its application and role. */
  name: string;
  /** Whether it is older than the schema that its process has to know to take part in a conversion. */
  isOlder: boolean;
}

/** Reads which connections the product has to the database, besides that of the caller. */
export async function readSessions(sql: Queryable): Promise<ProductSession[]> {
  return await sql<ProductSession[]>`
    select a.application_name || ' as ' || r.rolname as name, bool_or(a.backend_start < m.applied_at) as "isOlder"
    from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
    cross join (select max(applied_at) as applied_at from public.tidewatch_schema_migrations where name like '%online_conversion') m
    where a.datname = current_database() and a.pid <> pg_backend_pid() and not r.rolsuper
      and exists (
        select from unnest(${[...GROUP_ROLES]}::text[]) g (name) join pg_roles o on o.rolname = g.name
        where r.oid <> (select oid from pg_roles where rolname = current_user) and pg_has_role(r.oid, o.oid, 'member'))
    group by 1 order by 1`;
}
