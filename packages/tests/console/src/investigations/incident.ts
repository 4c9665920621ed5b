import type { Site } from '../site/site.ts';

const CALM_MINUTES = 120;
const TROUBLE_MINUTES = 9;
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
  severity?: 'critical' | 'info';
}

/**
 * Two hours of a calm host and its peers, and at last a process that uses up the processor of the host, so that a rule
 * fires. Resolves once the alert has fired.
 */
export async function enact(site: Site, names: IncidentNames): Promise<Incident> {
  const { host, process, severity = 'critical' } = names;
  const now = Date.now();
  const late: object[] = [];
  for (const name of [...PEERS, host]) {
    const payloads = payloadsOf(name, name === host ? process : undefined, now);
    await site.call('POST', '/ingest', payloads.slice(0, CALM_MINUTES));
    late.push(...payloads.slice(CALM_MINUTES));
  }
  const rule = await site.call('POST', '/alerts/rules', {
    name: `CPU is busy, ${severity}`,
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    severity,
    duration_minutes: 5,
    scope: { hosts: [host] },
  });
  await new Promise((resolve) => setTimeout(resolve, RULE_APPLIED_MS));
  await site.call('POST', '/ingest', late);
  const [alert] = await until(async () => {
    const { alerts } = await site.call('GET', `/alerts?rule_id=${rule.id}`);
    return alerts.length > 0 ? alerts : undefined;
  });
  return { alert, host };
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

function payloadsOf(host: string, runaway: string | undefined, now: number) {
  return Array.from({ length: CALM_MINUTES + TROUBLE_MINUTES + 1 }, (_, minute) => {
    const isTrouble = runaway !== undefined && minute >= CALM_MINUTES;
    const wave = ((minute * 7) % 5) + (minute % 3) / 3;
    return {
      host,
      timestamp: new Date(now + (minute - CALM_MINUTES - TROUBLE_MINUTES) * 60_000).toISOString(),
      tags: { role: 'web' },
      metrics: {
        cpu_percent: (isTrouble ? 94 : 20) + wave,
        memory_percent: 41 + wave / 10,
        load_1: (isTrouble ? 7 : 0.8) + wave / 20,
      },
      processes: [
        { name: 'nginx', pid: 100, cpu_percent: 6 + wave / 5, memory_rss: 200_000_000 },
        { name: 'postgres', pid: 101, cpu_percent: 9 - wave / 5, memory_rss: 900_000_000 },
        ...(isTrouble ? [{ name: runaway, pid: 102, cpu_percent: 72 + wave, memory_rss: 300_000_000 }] : []),
      ],
    };
  });
}
