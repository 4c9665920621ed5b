import { openStore } from '@tidewatch/database/connection';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type RebuildOptions, type Rebuilt, rebuildRollups } from '@tidewatch/store/sample-days/rebuild';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { openData } from '../backup/open-data.ts';
import type { Installation } from '../conversion/convert-installation.ts';

/**
 * Compares the rollups of closed days of an installation with their samples, while it runs or not. Throws StartRefusedError if `directory` has
 * no data, or the database keeps samples as rows.
 */
export async function rebuildInstallation(
  { databaseUrl, directory }: Installation,
  options: RebuildOptions & { now: number },
  logger: Logger,
): Promise<Rebuilt> {
  const lifecycle = createLifecycle(logger);
  try {
    const { sql } =
      databaseUrl === null
        ? await openData(lifecycle, directory, options.now, logger)
        : await lifecycle.openClosable('store', () =>
            openStore({
              url: databaseUrl,
              applicationName: 'tidewatch-rollups',
              max: 2,
              statementTimeoutMs: 0,
            }),
          );
    if ((await readSampleLayout(sql)) === 'rows')
      throw new StartRefusedError(
        'The database keeps samples as rows. The writer, or TimescaleDB, computes their rollups again whenever samples change; there is nothing to rebuild.',
      );
    return await rebuildRollups(sql, options);
  } finally {
    await lifecycle.close();
  }
}
