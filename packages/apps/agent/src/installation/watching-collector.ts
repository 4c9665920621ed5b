import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Collector, rounded } from '../reading.ts';
import { InstallationFigures, type Pages } from './figures.ts';
import type { MetricsSource } from './metrics-source.ts';

export interface WatchingOptions {
  collector: Collector;
  sources: readonly MetricsSource[];
  /** Milliseconds since the epoch. */
  clock(): number;
  /** Milliseconds that only ever rise. */
  monotonic(): number;
  logger: Logger;
}

/**
 * Adds figures of an installation to what a collector reads, where any of its processes are watched. Whatever they do,
 * the readings go on.
 */
export function createWatchingCollector(options: WatchingOptions): Collector {
  const { collector, sources, clock, monotonic, logger } = options;
  if (sources.length === 0) return collector;
  const figures = new InstallationFigures();
  const away = new Set<MetricsSource>();

  async function readSource(source: MetricsSource) {
    try {
      const readings = await source.read();
      if (away.delete(source)) logger.info({ process: source.name }, 'a watched process answers again');
      return readings;
    } catch (error) {
      if (!away.has(source))
        logger.warn({ err: error, process: source.name }, 'a watched process shows no metrics');
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
      const added = figures.look(pages, { clock: clock(), monotonic: monotonic() });
      const metrics = { ...reading.metrics };
      for (const [name, value] of Object.entries(added)) {
        // What is no number could not be sent, and the host's own metrics with it.
        if (Number.isFinite(rounded(value))) metrics[name] = rounded(value);
      }
      return { ...reading, metrics };
    },
  };
}
