import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Conversion, convertStorage } from '@tidewatch/store/sample-conversion/convert-storage';
import type { RemovalOptions } from '@tidewatch/store/sample-conversion/remove-rows';
import { type Installation, openInstallation } from '../installation/installation.ts';

/** Half of the time is left to the product, which may run on the same processors. */
const MAX_REST_MS = 1_000;

/**
 * Converts the samples of an installation to the layout `log`, whether it runs or not, and logs each step. Throws ConversionError, with
 * every row where it was, and StartRefusedError if `directory` has no data. `now`: ms.
 */
export async function convertInstallation(
  installation: Installation,
  now: number,
  logger: Logger,
  options: Pick<RemovalOptions, 'gracePeriodMs'> = {},
): Promise<Conversion> {
  const lifecycle = createLifecycle(logger);
  try {
    const store = await openInstallation(lifecycle, installation, {
      applicationName: 'tidewatch-conversion',
      max: 2,
      statementTimeoutMs: 0,
      now,
      logger,
    });
    return await convertStorage(store.sql, {
      ...options,
      now,
      restMs: (tookMs) => Math.min(tookMs, MAX_REST_MS),
      switched: () =>
        logger.info('samples are read from the log now; rows are kept for reads that began before'),
      waiting: (transactions) =>
        logger.debug({ transactions }, 'waiting for transactions that may still read rows'),
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
