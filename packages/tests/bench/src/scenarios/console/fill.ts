import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@tidewatch/harness/product';
import { countDirty } from '@tidewatch/store/rollups/drain';
import { type Api, createRule, ingestAll, untilTrue } from '../../api.ts';
import { withAdmin } from '../../database.ts';

export const HOSTS = 10_000;
export const ACTIVE_ALERTS = 500;
/** The metric whose rule fires at once and resolves at once. */
export const METRIC = 'queue_length';
const THRESHOLD = 100;
const WITHIN_MS = 180_000;
/** A moment for caches to be written, ms. */
const REST_MS = 5_000;
/** How long an evaluator may take to know of a rule, ms. */
const RULE_KNOWN_MS = 3_000;

export const nameOf = (host: number) => `web-${String(host % HOSTS).padStart(5, '0')}`;

/** The payload of a host that reports; `cpu` is in percent. */
export function payloadOf(host: number, { cpu = (host * 37) % 100, breaches = false } = {}) {
  return {
    host: nameOf(host),
    timestamp: new Date().toISOString(),
    tags: { region: `eu-${host % 7}`, role: ['web', 'db', 'cache', 'worker'][host % 4] as string },
    metrics: {
      cpu_percent: cpu,
      memory_percent: (host % 900) / 10,
      disk_percent: (host % 500) / 10,
      [METRIC]: breaches ? THRESHOLD * 2 : 1,
    },
  };
}

/** Sends a payload of `count` hosts, the first of which is host number `from`. */
export async function report(api: Api, count: number, from = 0): Promise<void> {
  await ingestAll(
    api,
    Array.from({ length: count }, (_, index) => payloadOf(from + index, { cpu: (from + index * 37) % 100 })),
    500,
  );
}

/** Sends a payload of each host with an active alert, which would end without any. */
export function reportBreaching(api: Api): Promise<void> {
  const payloads = Array.from({ length: ACTIVE_ALERTS }, (_, index) =>
    payloadOf(HOSTS - ACTIVE_ALERTS + index, { breaches: true }),
  );
  return ingestAll(api, payloads, 500);
}

/** Sends payloads of 10,000 hosts, of which the last 500 have an active alert each, and waits until the product has finished with them. */
export async function fillFleet(product: Product, api: Api): Promise<void> {
  await createRule(api, METRIC, THRESHOLD, {
    name: 'Queue is long',
    severity: 'critical',
    keep_firing_minutes: 0,
  });
  await sleep(RULE_KNOWN_MS);
  await report(api, HOSTS);
  await reportBreaching(api);
  const isThere = async () => {
    const [alerts, services] = await Promise.all(['/alerts?limit=1', '/services?limit=1'].map(totalOf(api)));
    return alerts === ACTIVE_ALERTS && services === HOSTS;
  };
  await untilTrue(
    isThere,
    WITHIN_MS,
    500,
    `${HOSTS} hosts with ${ACTIVE_ALERTS} active alerts did not appear`,
  );
  await drained(product);
}

/** Waits until rollups of ended minutes are computed and events are published. */
async function drained(product: Product): Promise<void> {
  await withAdmin(product.dataDir, async (sql) => {
    const isDrained = async () => {
      const dirty = await countDirty(sql, Date.now());
      const [outbox] = await sql<{ events: number }[]>`
        select count(*)::integer as events from outbox where sequence is null`;
      return [...Object.values(dirty), outbox?.events ?? 0].every((count) => count === 0);
    };
    await untilTrue(isDrained, WITHIN_MS, 500, 'the product did not finish its rollups and events');
    await sleep(REST_MS);
  });
}

const totalOf = (api: Api) => async (path: string) =>
  (await api.get<{ pagination: { total: number } }>(path)).pagination.total;
