import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, createRule, until } from '../api.ts';
import { type Percentiles, summarise } from '../measure/percentile.ts';

export interface Freshness {
  /** The time from the response of ingest until a reader sees the value, ms. */
  service: Percentiles;
  series: Percentiles;
  /** The time from the scheduled sending of a breach until the alert is listed, ms. */
  alert: Percentiles;
  /** Probes that were not visible within ten seconds. */
  lost: number;
  probes: number;
  /** The number of requests that the probes made; the product's cost includes them. */
  requests: number;
}

const PROBERS = 4;
const EVERY_MS = 2_000;
const WITHIN_MS = 10_000;
/** The interval of polling, by which a measured time may be too long; more frequent polling would add load. */
const PAUSE_MS = 10;

/**
 * Sends probes by separate hosts during the load and polls until each is visible over HTTP: two of each kind a second, by a
 * fixed schedule. The time of a probe that is sent late counts from its schedule.
 */
export async function probe(plain: Api, ended: AbortSignal): Promise<Freshness> {
  const service: number[] = [];
  const series: number[] = [];
  const alert: number[] = [];
  const counted = { lost: 0, probes: 0, requests: 0 };
  const api: Api = {
    get: (path) => {
      counted.requests += 1;
      return plain.get(path);
    },
    post: (path, body, status) => {
      counted.requests += 1;
      return plain.post(path, body, status);
    },
  };
  await createRule(api, 'probe_breach', 0, { name: 'probe', severity: 'info' });

  function note(into: number[], milliseconds: number | undefined): void {
    counted.probes += 1;
    if (milliseconds === undefined) counted.lost += 1;
    else into.push(milliseconds);
  }

  async function seen(since: number, found: () => Promise<boolean>): Promise<number | undefined> {
    return until(async () => ((await found()) ? performance.now() - since : undefined), WITHIN_MS, PAUSE_MS);
  }

  async function probeValue(host: string, id: string, value: number): Promise<void> {
    const time = new Date().toISOString();
    await api.post('/ingest', { host, timestamp: time, metrics: { probe_value: value } }, 200);
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

  async function probeBreach(host: string, dueAt: number): Promise<void> {
    const path = `/alerts?host=${host}&status=active`;
    const active = async () => (await api.get<{ alerts: unknown[] }>(path)).alerts.length;
    await api.post('/ingest', { host, metrics: { probe_breach: 1 } }, 200);
    note(alert, await seen(dueAt, async () => (await active()) > 0));
    await api.post('/ingest', { host, metrics: { probe_breach: 0 } }, 200);
    await seen(performance.now(), async () => (await active()) === 0);
  }

  async function run(index: number): Promise<void> {
    const host = `probe-${index}`;
    await api.post('/ingest', { host, metrics: { probe_value: 0, probe_breach: 0 } }, 200);
    const id = await until(async () => {
      const list = await api.get<{ services: { id: string }[] }>(`/services?q=${host}`);
      return list.services[0]?.id;
    }, WITHIN_MS);
    if (id === undefined) throw new Error(`${host} is not listed after it was accepted`);
    const began = performance.now() + (index * EVERY_MS) / PROBERS;
    for (let round = 0; !ended.aborted; round += 1) {
      const dueAt = began + round * EVERY_MS;
      await sleep(Math.max(0, dueAt - performance.now()));
      await probeBreach(host, dueAt);
      await probeValue(host, id, round + 1);
    }
  }

  await Promise.all(Array.from({ length: PROBERS }, (_, index) => run(index)));
  return { service: summarise(service), series: summarise(series), alert: summarise(alert), ...counted };
}
