import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type RebuildOptions, type Rebuilt, rebuildRollups } from '@tidewatch/store/sample-days/rebuild';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { type Installation, openInstallation } from '../installation/installation.ts';

/**
 * Compares the rollups of closed days of an installation with their samples, while it runs or not. Throws StartRefusedError if `directory` has
 * no data, or the database keeps samples as rows.
 */
export async function rebuildInstallation(
  installation: Installation,
  options: RebuildOptions & { now: number },
  logger: Logger,
): Promise<Rebuilt> {
  const lifecycle = createLifecycle(logger);
  try {
    const { sql } = await openInstallation(lifecycle, installation, {
      applicationName: 'tidewatch-rollups',
      max: 2,
      statementTimeoutMs: 0,
      now: options.now,
      logger,
    });
    if ((await readSampleLayout(sql)) === 'rows')
      throw new StartRefusedError(
        'The database keeps samples as rows. The writer, or TimescaleDB, computes their rollups again whenever samples change; there is nothing to rebuild.',
      );
    return await rebuildRollups(sql, options);
  } finally {
    await lifecycle.close();
  }
}
