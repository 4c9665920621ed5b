import type { Site } from './site.ts';

/** An alert as the API answers it, as far as tests read it. */
export interface FiredAlert {
  id: string;
  host: string;
  summary: string;
  service_id: string;
  rule_id: string;
}

/** The metric that the rules of these tests evaluate, and a value beyond the threshold. */
export const METRIC = 'queue_length';
export const THRESHOLD = 97;
const RULE = 'Queue is full';

const PROCESSES = [
  { name: 'reindex', pid: 101, cpu_percent: 88, memory_rss: 9_663_676_416 },
  { name: 'postgres', pid: 102, cpu_percent: 12, memory_rss: 6_657_199_308 },
  { name: 'node', pid: 103, cpu_percent: 3, memory_rss: 325_058_560 },
];

/** The newest rule "Queue is full" of each site. */
const ruleOf = new WeakMap<Site, string>();

/**
 * Creates the rule "Queue is full", which fires critical alerts at once; returns its id. Deletes those of earlier suites, which
 * use the same stack. `channels` are notified.
 */
export async function createRule(site: Site, channels: readonly string[] = []): Promise<string> {
  const { rules } = await site.call('GET', '/alerts/rules?limit=100');
  for (const { id, name } of rules) if (name === RULE) await site.call('DELETE', `/alerts/rules/${id}`);
  const rule = await site.call('POST', '/alerts/rules', {
    name: RULE,
    metric: METRIC,
    condition: 'greater_than',
    severity: 'critical',
    threshold: THRESHOLD,
    duration_minutes: 0,
    keep_firing_minutes: 0,
    channels,
  });
  ruleOf.set(site, rule.id);
  return rule.id;
}

/** Sends a payload of a host. */
export async function report(site: Site, host: string, value: number): Promise<void> {
  const metrics = { [METRIC]: value };
  await site.call('POST', '/ingest', { host, interval_seconds: 10, metrics, processes: PROCESSES });
}

/** Sends a payload that breaches the rule, and waits for its alert. */
export async function breach(site: Site, host: string, value = 98.5): Promise<FiredAlert> {
  await report(site, host, value);
  for (;;) {
    const query = new URLSearchParams({ host, rule_id: ruleOf.get(site) ?? '' });
    const { alerts } = await site.call('GET', `/alerts?${query}`);
    if (alerts.length > 0) return alerts[0];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
