import { openStore } from '@tidewatch/database/connection';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Conversion, convertStorage } from '@tidewatch/store/sample-conversion/convert-storage';
import { openData } from '../backup/open-data.ts';

export interface Installation {
  /** The URL of the database, with a role that reads all organizations and owns the schema; null for the database of `directory`. */
  databaseUrl: string | null;
  directory: string;
}

/**
 * Converts the samples of an installation that is stopped to the layout `log`, and logs each day. Throws ConversionError, with
 * every row where it was, and StartRefusedError if `directory` has no data. `now`: ms.
 */
export async function convertInstallation(
  { databaseUrl, directory }: Installation,
  now: number,
  logger: Logger,
): Promise<Conversion> {
  const lifecycle = createLifecycle(logger);
  try {
    const store =
      databaseUrl === null
        ? await openData(lifecycle, directory, now, logger)
        : await lifecycle.openClosable('store', () =>
            openStore({
              url: databaseUrl,
              applicationName: 'tidewatch-conversion',
              max: 2,
              statementTimeoutMs: 0,
            }),
          );
    return await convertStorage(store.sql, {
      now,
      converted: ({ day, compared, written }) =>
        logger.info(
          { day: new Date(day).toISOString().slice(0, 10), compared, written },
          'converted a day of samples',
        ),
    });
  } finally {
    await lifecycle.close();
  }
}
