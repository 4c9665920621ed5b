import type { Transaction } from '@tidewatch/database/connection';

/** The schema itself with its grants, and the memberships that the Community backend needs; roles belong to the whole cluster. */
export async function readRoles(tx: Transaction): Promise<string[]> {
  const schemas = await tx<{ text: string }[]>`
    select format('create schema tidewatch authorization %s;', pg_get_userbyid(nspowner)) as text from pg_namespace
    where nspname = 'tidewatch'
    union all
    select * from (
      select format('grant %s on schema tidewatch to %s;', string_agg(lower(a.privilege_type), ', ' order by 1), r.rolname)
      from pg_namespace n cross join lateral aclexplode(n.nspacl) a join pg_roles r on r.oid = a.grantee
      where n.nspname = 'tidewatch' and a.grantee <> n.nspowner
      group by r.rolname order by r.rolname) as granted`;
  const members = await tx<{ text: string }[]>`
    select format('grant %s to %s;', g.rolname, m.rolname) as text
    from pg_auth_members a join pg_roles g on g.oid = a.roleid join pg_roles m on m.oid = a.member
    where g.rolname in ('tidewatch_owner', 'tidewatch_rollups') and m.rolname in ('tidewatch_owner', 'tidewatch_writer')
      and exists (select from storage_backend where name = 'community')
    order by 1`;
  return [[...schemas, ...members].map(({ text }) => text).join('\n')];
}

/** The hypertables with their dimensions, and the continuous aggregates, where TimescaleDB is installed. */
export async function readHypertables(tx: Transaction): Promise<string[]> {
  const [installed] = await tx`select from pg_extension where extname = 'timescaledb'`;
  if (installed === undefined) return [];
  const rows = await tx<{ text: string }[]>`
    select format('-- hypertable %s by %I, chunks of %s, compression %s;', h.hypertable_name, d.column_name, d.time_interval,
      case when h.compression_enabled then 'on' else 'off' end) as text
    from timescaledb_information.hypertables h
    join timescaledb_information.dimensions d using (hypertable_schema, hypertable_name)
    where h.hypertable_schema = 'tidewatch' order by h.hypertable_name`;
  const aggregates = await tx<{ text: string }[]>`
    select format('-- continuous aggregate %s%s, compression %s;', view_name,
      case when materialized_only then ', materialized only' end, case when compression_enabled then 'on' else 'off' end) as text
    from timescaledb_information.continuous_aggregates where view_schema = 'tidewatch' order by view_name`;
  const texts = [...rows, ...aggregates].map(({ text }) => text);
  return texts.length === 0 ? [] : [texts.join('\n')];
}

/** Every function with its body, its owner and who may call it. */
export async function readFunctions(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ definition: string; owner: string; callers: string[] }[]>`
    select pg_get_functiondef(p.oid) as definition,
      format('alter function %s owner to %s;', p.oid::regprocedure, pg_get_userbyid(p.proowner)) as owner,
      array(
        select case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end
        from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee <> p.proowner order by 1
      )::text[] as callers
    from pg_proc p where p.pronamespace = 'tidewatch'::regnamespace order by p.proname, p.oid::regprocedure::text`;
  return rows.map(({ definition, owner, callers }) => {
    const grant =
      callers.length === 0 ? '-- called by its owner alone' : `-- called by ${callers.join(', ')}`;
    return `${definition.trim()};\n${owner}\n${grant}`;
  });
}

/** The rows that the migrations themselves write, without columns whose default is a time or a random value. */
export async function readSeeds(tx: Transaction): Promise<string[]> {
  const tables = await tx<{ name: string; columns: string }[]>`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'tidewatch'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and coalesce(pg_get_expr(d.adbin, d.adrelid), '') !~ '^now\\(\\)$|random\\(\\)'
    group by c.relname order by c.relname`;
  const texts: string[] = [];
  for (const { name, columns } of tables) {
    const rows = await tx.unsafe<{ row: string }[]>(
      `select row_to_json(r)::text as row from (select ${columns} from ${name} order by 1) r`,
    );
    if (rows.length > 0) texts.push([`-- rows of ${name}`, ...rows.map(({ row }) => `-- ${row}`)].join('\n'));
  }
  return texts;
}
