import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Collector, type Reading, rounded } from '../reading.ts';
import type { Found, FoundPart, HostCollector } from './collector.ts';
import { fitParts } from './fit-parts.ts';

export interface CollectorsOptions {
  collectors: readonly HostCollector[];
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** A clock that never goes back, ms. */
  monotonic(): number;
  /** How long a collector may take before a reading is made without it, ms. */
  timeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export interface HostCollectors extends Collector {
  /** The names of the collectors that failed in the newest reading. */
  failing(): string[];
}

/**
 * Reads the host by a list of collectors. One that fails or hangs prevents nothing but its own values; the log says so once
 * when it begins to fail and once when it works again. One that hangs is not started again before it ends.
 */
export function readCollectors(options: CollectorsOptions): HostCollectors {
  const { collectors, clock, monotonic, timeoutMs, logger } = options;
  const failing = new Set<string>();
  const running = new Set<string>();

  async function find(collector: HostCollector): Promise<Found> {
    if (running.has(collector.name)) throw new Error('it has not answered since an earlier reading');
    running.add(collector.name);
    const found = (async () => collector.read(monotonic()))().finally(() => running.delete(collector.name));
    const ended = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`it did not answer within ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([found, late]);
    } finally {
      ended.abort();
      found.catch(() => undefined);
      late.catch(() => undefined);
    }
  }

  async function tryToFind(collector: HostCollector): Promise<Found> {
    const { name } = collector;
    try {
      const found = await find(collector);
      if (failing.delete(name)) logger.info({ collector: name }, 'the collector works again');
      return found;
    } catch (error) {
      if (!failing.has(name))
        logger.warn(
          { err: error, collector: name },
          'a collector failed: its values are left out; retrying at each interval',
        );
      failing.add(name);
      return {};
    }
  }

  return {
    failing: () => [...failing],
    async read() {
      const found = await Promise.all(collectors.map(tryToFind));
      const metrics: Record<string, number> = {};
      const parts: FoundPart[] = [];
      const reading: Reading = { time: clock(), metrics, processes: [], containers: undefined };
      for (const each of found) {
        copyFinite(each.metrics ?? {}, metrics);
        parts.push(...(each.parts ?? []).map(withFiniteMetrics));
        if (each.processes) reading.processes = each.processes;
        if (each.processCounts) reading.processCounts = each.processCounts;
        if (each.containers) reading.containers = each.containers;
      }
      return { ...reading, parts: fitParts(parts) };
    },
  };
}

function withFiniteMetrics(part: FoundPart): FoundPart {
  const metrics: Record<string, number> = {};
  copyFinite(part.metrics, metrics);
  return { ...part, metrics };
}

/** Copies values rounded, without those that are not finite, for which ingest would refuse the whole payload. */
function copyFinite(from: Readonly<Record<string, number>>, to: Record<string, number>): void {
  for (const [name, value] of Object.entries(from)) {
    const short = rounded(value);
    if (Number.isFinite(short)) to[name] = short;
  }
}
