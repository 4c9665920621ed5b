import { openStore } from '@tidewatch/database/connection';
import type { PostgresAddress } from './parts/postgres.ts';

/** Runs one statement as the superuser of the server, outside of the databases of suites. */
export async function asAdmin(server: PostgresAddress, statement: string): Promise<void> {
  const admin = openStore({
    ...server,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    searchPath: 'public',
  });
  try {
    await admin.sql.unsafe(statement);
  } finally {
    await admin.close();
  }
}
