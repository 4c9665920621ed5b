import type { Sql } from '@tidewatch/database/connection';
import { readFunctions, readHypertables, readRoles, readSeeds } from './other-objects.ts';
import { readRelations } from './relations.ts';

/**
 * The schema of a database as text that is the same for the same catalog: relations with their columns, constraints, indexes,
 * triggers, policies and grants, functions with their bodies, roles and first rows. Partitions and chunks are left out, since
 * they come with data. It is written to be read and compared, not to be run.
 */
export async function describeSchema(adminSql: Sql): Promise<string> {
  const result = await adminSql.begin('isolation level repeatable read read only', async (tx) => {
    // Definitions name what lies outside of the search path with its schema.
    await tx`set local search_path = tidewatch`;
    return [
      await readRoles(tx),
      await readRelations(tx),
      await readHypertables(tx),
      await readFunctions(tx),
      await readSeeds(tx),
    ];
  });
  return `${(result as string[][]).flat().join('\n\n')}\n`;
}

/** The major version of the server: PostgreSQL words some definitions differently in each. */
export async function readMajorVersion(sql: Sql): Promise<number> {
  const [row] = await sql<
    { version: number }[]
  >`select current_setting('server_version_num')::integer as version`;
  return Math.floor((row?.version ?? 0) / 10_000);
}
