import type { Sql } from '@tidewatch/database/connection';

/** The group roles that have grants on the schema; a login is a member of one or more. */
export const GROUP_ROLES = [
  'tidewatch_writer',
  'tidewatch_evaluator',
  'tidewatch_notifier',
  'tidewatch_investigator',
  'tidewatch_api',
] as const;

export type GroupRole = (typeof GROUP_ROLES)[number];

const UNIQUE_VIOLATION = '23505';
const DUPLICATE_OBJECT = '42710';
/** How many times a login is tried while others change it. */
const MAX_ATTEMPTS = 20;

/**
 * Creates or updates a login role with this password that is a member of exactly these group roles, owns nothing and is no
 * superuser. `adminSql` is the role that ran the migrations.
 */
export async function ensureLogin(
  adminSql: Sql,
  name: string,
  password: string,
  groups: readonly GroupRole[],
): Promise<void> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    try {
      return await makeLogin(adminSql, name, password, groups);
    } catch (error) {
      if (left === 0 || !isConcurrentUpdate(error)) throw error;
    }
  }
}

/**
 * Logins belong to the whole server, and the advisory lock only to its database: another database may change the same login at the
 * same moment, which PostgreSQL refuses.
 */
function isConcurrentUpdate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return code === UNIQUE_VIOLATION || code === DUPLICATE_OBJECT || /^tuple concurrently/.test(error.message);
}

async function makeLogin(
  adminSql: Sql,
  name: string,
  password: string,
  groups: readonly GroupRole[],
): Promise<void> {
  await adminSql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${`tidewatch login ${name}`}))`;
    const [statements] = await tx<{ create: string; alter: string }[]>`
      select format('create role %I', ${name}::text) as create,
        format('alter role %I with login nosuperuser nocreatedb nocreaterole noreplication password %L',
          ${name}::text, ${password}::text) as alter`;
    if (statements === undefined) throw new Error('format answered no row');
    const [existing] = await tx`select 1 from pg_roles where rolname = ${name}`;
    if (existing === undefined) await tx.unsafe(statements.create);
    await tx.unsafe(statements.alter);
    const members = await tx<{ role: string }[]>`
      select g.rolname as role from pg_auth_members m
      join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
      where r.rolname = ${name} and g.rolname in ${tx(GROUP_ROLES)}`;
    const held = new Set(members.map((member) => member.role));
    for (const group of GROUP_ROLES) {
      if (groups.includes(group) && !held.has(group)) await tx`grant ${tx(group)} to ${tx(name)}`;
      if (!groups.includes(group) && held.has(group)) await tx`revoke ${tx(group)} from ${tx(name)}`;
    }
  });
}
