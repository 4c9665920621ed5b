import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Database } from '../database.ts';

/**
 * Writes a schema that this start created or changed to its files, so that the next start after a crash need not repeat that: it is some
 * 600 files. Never rejects; a shutdown meanwhile ends it, and writes them itself.
 */
export async function checkpointSchema(
  { hasMigrated, asAdmin }: Pick<Database, 'hasMigrated' | 'asAdmin'>,
  logger: Logger,
): Promise<void> {
  if (!hasMigrated) return;
  try {
    await asAdmin((sql) => sql`checkpoint`);
  } catch (error) {
    logger.debug({ err: error }, 'the checkpoint of the new schema was not completed');
  }
}
