import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, until } from '../api.ts';
import type { Plan } from '../load/plan.ts';
import { summarise } from '../measure/percentile.ts';

export interface Freshness {
  /** Milliseconds from the answer of ingest until a reader sees the value. */
  service: { p50: number; p99: number; max: number };
  series: { p50: number; p99: number; max: number };
  /** Milliseconds from the start of sending a breach until the alert is listed. */
  alert: { p50: number; p99: number; max: number };
  /** Probes that were not seen within ten seconds. */
  lost: number;
  probes: number;
}

/** 5,000 hosts with 100 metrics each, every ten seconds, one payload a request. */
export function livePlan(seconds: number, now: number): Plan {
  return {
    seed: 5_000_100,
    hosts: 5_000,
    metrics: 100,
    stepMs: 10_000,
    startMs: now + 2_000,
    ticks: Math.max(2, Math.ceil(seconds / 10)),
    connections: 64,
    payloadsPerRequest: 1,
    paced: true,
    rich: false,
  };
}

const WITHIN_MS = 10_000;

/** Sends probes of their own hosts beside the load and asks until each is seen over HTTP. */
export async function probe(api: Api, ended: AbortSignal): Promise<Freshness> {
  const service: number[] = [];
  const series: number[] = [];
  const alert: number[] = [];
  const counted = { lost: 0, probes: 0 };
  await api.post('/alerts/rules', {
    name: 'probe',
    metric: 'probe_breach',
    condition: 'greater_than',
    threshold: 0,
    duration_minutes: 0,
    severity: 'info',
    channels: [],
  });
  await api.post('/ingest', { host: 'probe', metrics: { probe_value: 0, probe_breach: 0 } }, 200);
  const list = await api.get<{ services: { id: string }[] }>('/services?q=probe');
  const id = list.services[0]?.id ?? '';

  function note(into: number[], seen: number | undefined): void {
    counted.probes += 1;
    if (seen === undefined) counted.lost += 1;
    else into.push(seen);
  }

  async function seen(since: number, found: () => Promise<boolean>): Promise<number | undefined> {
    return until(async () => ((await found()) ? performance.now() - since : undefined), WITHIN_MS);
  }

  async function probeValue(value: number): Promise<void> {
    const time = new Date().toISOString();
    await api.post('/ingest', { host: 'probe', timestamp: time, metrics: { probe_value: value } }, 200);
    const accepted = performance.now();
    const from = new Date(Date.now() - 60_000).toISOString();
    const path = `/services/${id}/metrics?metrics=probe_value&step=1&from=${from}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    const [inService, inSeries] = await Promise.all([
      seen(
        accepted,
        async () =>
          (await api.get<{ metrics: Record<string, number> }>(`/services/${id}`)).metrics.probe_value ===
          value,
      ),
      seen(accepted, async () => {
        const answer = await api.get<{ series: { points: { max: number }[] }[] }>(path);
        return (answer.series[0]?.points ?? []).some((point) => point.max === value);
      }),
    ]);
    note(service, inService);
    note(series, inSeries);
  }

  async function probeBreach(): Promise<void> {
    const path = '/alerts?host=probe&status=active';
    const active = async () => (await api.get<{ alerts: unknown[] }>(path)).alerts.length;
    const began = performance.now();
    await api.post('/ingest', { host: 'probe', metrics: { probe_breach: 1 } }, 200);
    note(alert, await seen(began, async () => (await active()) > 0));
    await api.post('/ingest', { host: 'probe', metrics: { probe_breach: 0 } }, 200);
    await seen(performance.now(), async () => (await active()) === 0);
  }

  for (let value = 1; !ended.aborted; value += 1) {
    await probeValue(value);
    await probeBreach();
    await sleep(50);
  }
  return { service: summarise(service), series: summarise(series), alert: summarise(alert), ...counted };
}
