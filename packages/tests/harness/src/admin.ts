import { openStore } from '@tidewatch/database/connection';
import type { PostgresAddress } from './parts/postgres.ts';

/** Runs one statement as the server's superuser, outside of every suite's database. */
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
