import type { Transaction } from '@tidewatch/database/connection';

/** Grants on relations and on their columns, one line for each role and kind, without those of owners. */
export async function readGrants(tx: Transaction): Promise<{ relation: number; text: string }[]> {
  return await tx<{ relation: number; text: string }[]>`
    with granted as (
      select c.oid as relation, c.relname, coalesce(r.rolname, 'public') as rolname, lower(a.privilege_type) as privilege, null as attname, 0 as attnum
      from pg_class c cross join lateral aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
      where c.relnamespace = 'tidewatch'::regnamespace and a.grantee <> c.relowner
      union all
      select c.oid, c.relname, coalesce(r.rolname, 'public') as rolname, lower(a.privilege_type), t.attname, t.attnum
      from pg_class c join pg_attribute t on t.attrelid = c.oid
      cross join lateral aclexplode(t.attacl) a left join pg_roles r on r.oid = a.grantee
      where c.relnamespace = 'tidewatch'::regnamespace and a.grantee <> c.relowner and not t.attisdropped
    ),
    by_columns as (
      select relation, relname, rolname, privilege, string_agg(attname, ', ' order by attnum) as columns,
        count(attname) = (select count(*) from pg_attribute where attrelid = relation and attnum > 0 and not attisdropped) as every
      from granted group by 1, 2, 3, 4, attname is null
    )
    select relation::integer as relation, format('grant %s%s on %s to %s;', string_agg(privilege, ', ' order by privilege),
      case when columns is null then '' when every then ' (every column)' else format(' (%s)', columns) end,
      relname, rolname) as text
    from by_columns group by relation, relname, rolname, columns, every
    order by relation, rolname collate "C", columns nulls first`;
}
