import { CALM_MINUTES, payloadsOf } from '@tidewatch/e2e/investigations/trouble';
import type { Site } from '../site/site.ts';

const PEERS = ['calm-01', 'calm-02', 'calm-03'] as const;
/** An evaluator applies a new rule to what it receives later than this, ms. */
const RULE_APPLIED_MS = 2_500;

// biome-ignore lint/suspicious/noExplicitAny: records are whatever the API answers
type InvestigationRecord = any;

export interface Incident {
  alert: { id: string; service_id: string };
  host: string;
}

/** What an incident is named; names come from hosts and may be anything. */
export interface IncidentNames {
  host: string;
  process: string;
}

/**
 * Two hours of a calm host and its peers, and at last a process that uses up the processor of the host, so that a rule
 * fires. Resolves once the alert has fired.
 */
export async function enact(site: Site, names: IncidentNames): Promise<Incident> {
  const { host, process } = names;
  const now = Date.now();
  const late: object[] = [];
  for (const name of [...PEERS, host]) {
    const runaway = name === host ? process : undefined;
    const payloads = payloadsOf(name, { now, tags: { role: 'web' }, runaway });
    await site.call('POST', '/ingest', payloads.slice(0, CALM_MINUTES));
    late.push(...payloads.slice(CALM_MINUTES));
  }
  const rule = await site.call('POST', '/alerts/rules', {
    name: 'CPU is busy',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    severity: 'critical',
    duration_minutes: 5,
    scope: { hosts: [host] },
  });
  return { alert: await firedBy(site, rule.id, late), host };
}

/** An alert of low severity on a host, which begins no investigation by itself. */
export async function minorAlert(site: Site, host: string): Promise<{ id: string }> {
  const rule = await site.call('POST', '/alerts/rules', {
    name: 'Disk is busy',
    metric: 'disk_busy_percent',
    condition: 'greater_than',
    threshold: 90,
    severity: 'info',
    duration_minutes: 0,
    scope: { hosts: [host] },
  });
  return firedBy(site, rule.id, [{ host, metrics: { disk_busy_percent: 99 } }]);
}

/** The alert that a new rule fires for the payloads, which are sent once the rule is applied. */
async function firedBy(site: Site, ruleId: string, payloads: readonly object[]): Promise<Incident['alert']> {
  await new Promise((resolve) => setTimeout(resolve, RULE_APPLIED_MS));
  await site.call('POST', '/ingest', payloads);
  const [alert] = await until(async () => {
    const { alerts } = await site.call('GET', `/alerts?rule_id=${ruleId}`);
    return alerts.length > 0 ? alerts : undefined;
  });
  return alert;
}

/** The id of the investigation that an alert began. */
export function investigationOf(site: Site, alertId: string): Promise<string> {
  return until(async () => (await site.call('GET', `/alerts/${alertId}`)).investigation_id ?? undefined);
}

/** An investigation in full, once it has ended. */
export function ended(site: Site, id: string): Promise<InvestigationRecord> {
  return until(async () => {
    const record = await site.call('GET', `/investigations/${id}`);
    return record.status === 'queued' || record.status === 'running' ? undefined : record;
  });
}

/** Asks until there is an answer; the time limit of the test ends it. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
