import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Collector, rounded } from '../reading.ts';
import { InstallationFigures, type Pages } from './figures.ts';
import type { MetricsSource } from './metrics-source.ts';

export interface WatchingOptions {
  collector: Collector;
  sources: readonly MetricsSource[];
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** A clock that never goes back, ms. */
  monotonic(): number;
  logger: Logger;
}

/**
 * Adds the metrics of an installation to the readings of a collector, if processes are watched. A process that fails or
 * does not answer never prevents the readings.
 */
export function createWatchingCollector(options: WatchingOptions): Collector {
  const { collector, sources, clock, monotonic, logger } = options;
  if (sources.length === 0) return collector;
  const figures = new InstallationFigures();
  const away = new Set<MetricsSource>();

  async function readSource(source: MetricsSource) {
    try {
      const readings = await source.read();
      if (away.delete(source))
        logger.info({ process: source.name }, 'the metrics of a watched process can be read again');
      return readings;
    } catch (error) {
      if (!away.has(source))
        logger.warn(
          { err: error, process: source.name },
          'could not read the metrics of a watched process of Tidewatch; retrying at the next interval',
        );
      away.add(source);
      return undefined;
    }
  }

  async function readSources(): Promise<Pages> {
    const pages = await Promise.all(
      sources.map(async (source) => [source, await readSource(source)] as const),
    );
    return new Map(pages);
  }

  return {
    async read() {
      const [reading, pages] = await Promise.all([collector.read(), readSources()]);
      const added = figures.update(pages, { clock: clock(), monotonic: monotonic() });
      const metrics = { ...reading.metrics };
      for (const [name, value] of Object.entries(added)) {
        // Skips values that are not finite, for which ingest would refuse the whole payload.
        if (Number.isFinite(rounded(value))) metrics[name] = rounded(value);
      }
      return { ...reading, metrics };
    },
  };
}
