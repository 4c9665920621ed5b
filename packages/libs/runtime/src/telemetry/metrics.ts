import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** The metrics of a process. A second request for a name returns the same metric. */
export interface Metrics {
  registry: Registry;
  counter<L extends string = string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string = string>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  /** Registers a histogram; its buckets have the unit of the name, seconds for `_seconds`. */
  histogram<L extends string = string>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Histogram<L>;
  /** The metrics in the Prometheus text format: all of them, or those in `names` that exist. */
  text(names?: readonly string[]): Promise<string>;
  contentType: string;
  close(): void;
}

export const SECONDS_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

const LIBRARYS_EVENT_LOOP_METRICS = /^nodejs_eventloop_lag_/;
/** The maximum delay of a timer, ms. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Registers Node's default metrics except those of the event loop: their library measures by a timer that wakes an idle
 * process 50 times a second, and includes the timer's own delay.
 */
function collectNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (LIBRARYS_EVENT_LOOP_METRICS.test(name)) registry.removeSingleMetric(name);
}

function exposeEventLoopDelay(registry: Registry) {
  const delay = monitorEventLoopDelay({ samplePerIteration: true });
  delay.enable();
  const gauge = new Gauge({
    name: 'tidewatch_event_loop_delay_seconds',
    help: 'How long rounds of the event loop took since the last scrape, by quantile: whatever comes meanwhile waits.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      gauge.set({ quantile: '0.5' }, delay.percentile(50) / 1e9);
      gauge.set({ quantile: '0.99' }, delay.percentile(99) / 1e9);
      gauge.set({ quantile: '1' }, delay.max / 1e9);
      delay.reset();
    },
  });
  return delay;
}

async function textOf(registry: Registry, names: readonly string[]): Promise<string> {
  const known = names.filter((name) => registry.getSingleMetric(name) !== undefined);
  return (await Promise.all(known.map((name) => registry.getSingleMetricAsString(name)))).join('\n');
}

/** Creates a separate registry with Node's default metrics and the delay of the event loop. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const delay = exposeEventLoopDelay(registry);
  const shared = (name: string, help: string, labels: readonly string[] = []) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const known = (name: string) => registry.getSingleMetric(name);
  return {
    registry,
    counter: (name, help, labels) => (known(name) ?? new Counter(shared(name, help, labels))) as never,
    gauge: (name, help, labels) => (known(name) ?? new Gauge(shared(name, help, labels))) as never,
    histogram: (name, help, labels, buckets = SECONDS_BUCKETS) =>
      (known(name) ?? new Histogram({ ...shared(name, help, labels), buckets: [...buckets] })) as never,
    text: (names) => (names ? textOf(registry, names) : registry.metrics()),
    contentType: registry.contentType,
    close() {
      delay.disable();
      registry.clear();
    },
  };
}
