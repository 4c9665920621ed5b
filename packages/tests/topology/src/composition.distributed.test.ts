import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Installation, openInstallation } from '@tidewatch/harness/installation';
import { createProduct, type Product } from '@tidewatch/harness/product';
import { SERVICE_NAMES } from '@tidewatch/runtime/process/backend-service';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const lacked = inject('kafka').state === 'lacked';

/** The parts of a topology, each list sorted and without duplicates. */
interface Composition {
  parts: string[];
  /** The readiness checks, such as `gateway: keys`. */
  checks: string[];
  metrics: string[];
}

/** Parts that only one topology has; all others exist in both. */
const SINGLE_PROCESS_ONLY = {
  parts: [
    'clean-up after loads',
    'data directory',
    'disk guard',
    'heap growth',
    'postgresql',
    'store of tidewatch_ingest',
    'store of tidewatch_query',
  ],
  metrics: [],
};
const OWN_PROCESSES_ONLY = {
  parts: ['admin server', 'limit', 'store'],
  metrics: ['tidewatch_consumer_lag_records', 'tidewatch_log_lost_records_total'],
};

const without = (all: readonly string[], some: readonly string[]) => all.filter((one) => !some.includes(one));
const sorted = (all: Iterable<string>) => [...new Set(all)].toSorted();

/** Reads a debug log and a metrics page. Leaves out parts that ended before the product was ready. */
function compositionOf(logs: readonly string[], metrics: readonly string[]): Composition {
  const lines = logs
    .flatMap((log) => log.split('\n'))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const checks = lines.filter(({ msg }) => msg === 'registered readiness checks');
  return {
    parts: sorted(lines.filter(({ msg }) => msg === 'opened').map(({ part }) => part)),
    checks: sorted(
      checks.flatMap(({ service, missing, degraded }) => [
        ...missing.map((check: string) => `${service}: missing ${check}`),
        ...degraded.map((check: string) => `${service}: degraded ${check}`),
      ]),
    ),
    metrics: sorted(
      metrics.flatMap((text) => [...text.matchAll(/^# TYPE (tidewatch_\S+)/gm)].map(([, name]) => `${name}`)),
    ),
  };
}

const metricsAt = async (url: string) => (await fetch(`${url}/metrics`)).text();

describe.skipIf(lacked)('[needs Kafka] the composition of both topologies', () => {
  let product: Product;
  let installation: Installation;
  let single: Composition;
  let apart: Composition;

  beforeAll(async () => {
    // Only the launcher of the single process names a folder of the console by itself.
    const consoleDirectory = join(tmpdir(), 'tidewatch-without-console');
    const settings = { TIDEWATCH_LOG_LEVEL: 'debug', TIDEWATCH_CONSOLE_DIR: consoleDirectory };
    product = await createProduct(settings);
    installation = await openInstallation({ settings });
    const [processes] = await Promise.all([
      Promise.all(SERVICE_NAMES.map((name) => installation.start(name))),
      product.start(),
    ]);
    single = compositionOf([product.log()], [await metricsAt(product.url)]);
    const metrics = await Promise.all(processes.map(({ adminUrl }) => metricsAt(adminUrl)));
    apart = compositionOf(
      processes.map((service) => service.log()),
      metrics,
    );
  });
  afterAll(() => Promise.all([product?.remove(), installation?.close()]));

  it('every part of a service opens in the single process and in its own process alike', () => {
    expect(without(single.parts, SINGLE_PROCESS_ONLY.parts)).toEqual(
      without(apart.parts, OWN_PROCESSES_ONLY.parts),
    );
  });

  it('each service opens parts of its own, without which this comparison would prove nothing', () => {
    const services = new Set(
      single.parts.filter((part) => part.includes(': ')).map((part) => part.split(':')[0]),
    );
    expect(sorted(services as Set<string>)).toEqual(sorted(SERVICE_NAMES));
  });

  it('each service has the same readiness checks in the single process and in its own process', () => {
    expect(single.checks).toEqual(apart.checks);
    expect(single.checks.length).toBeGreaterThan(0);
  });

  it('the metrics of the single process are those of all processes together', () => {
    expect(without(single.metrics, SINGLE_PROCESS_ONLY.metrics)).toEqual(
      without(apart.metrics, OWN_PROCESSES_ONLY.metrics),
    );
  });
});
