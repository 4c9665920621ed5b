import type { Sql } from '@tidewatch/database/connection';
import { readFunctions, readHypertables, readRoles, readSeeds } from './other-objects.ts';
import { readRelations } from './relations.ts';

/**
 * Describes the schema of a database as a text for each object, to be read and compared: relations with columns, constraints,
 * indexes, triggers, policies and grants; functions, roles and seed rows. Partitions and chunks are left out, since they are created
 * as data arrives.
 */
export async function describeSchema(adminSql: Sql): Promise<string[]> {
  const result = await adminSql.begin('isolation level repeatable read read only', async (tx) => {
    // With this search path, definitions name objects outside of the schema `tidewatch` with their schema.
    await tx`set local search_path = tidewatch`;
    return [
      await readRoles(tx),
      await readRelations(tx),
      await readHypertables(tx),
      await readFunctions(tx),
      await readSeeds(tx),
    ];
  });
  return (result as string[][]).flat();
}

/** The major version of the server: PostgreSQL words some definitions differently in each. */
export async function readMajorVersion(sql: Sql): Promise<number> {
  const [row] = await sql<
    { version: number }[]
  >`select current_setting('server_version_num')::integer as version`;
  return Math.floor((row?.version ?? 0) / 10_000);
}
