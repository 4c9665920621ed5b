import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '@tidewatch/bench/api';
import type { Installation } from './installation.ts';

export interface OwnPayload {
  host: string;
  /** The time of the sample, ms since the epoch; undefined for the time of arrival. */
  time?: number;
  metrics: Record<string, number>;
  processes?: readonly { name: string; pid: number }[];
}

/** Sends payloads in one request, in addition to the load, until it is accepted. */
export async function send({ one, key }: Installation, payloads: readonly OwnPayload[]): Promise<void> {
  const body = payloads.map(({ time, ...payload }) => ({
    ...payload,
    ...(time !== undefined && { timestamp: new Date(time).toISOString() }),
  }));
  for (let tries = 0; ; tries += 1) {
    const status = await fetch(`${one('gateway').url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (tries > 100 || (status >= 400 && status < 500))
      throw new Error(`the payloads were refused: ${status}`);
    await sleep(200);
  }
}

export interface OwnAlert {
  host: string;
  status: string;
  backfilled: boolean;
  /** The number of events that were emitted when the alert fired. */
  events: number;
}

/** The alerts of hosts whose names begin with this prefix. */
export async function alertsOf({ store }: Installation, prefix: string): Promise<OwnAlert[]> {
  return store.sql<OwnAlert[]>`
    select a.host, a.status, a.backfilled, (
      select count(*)::integer from outbox o
      where o.event->>'subject' = a.id and o.event->>'type' = 'alert.fired' and o.sequence is not null) as events
    from alerts a where starts_with(a.host, ${prefix}) order by a.host`;
}

/** The stored samples of a metric of hosts whose names begin with this prefix, by host: time (ms) and value. */
export async function samplesOf(
  { reader }: Installation,
  prefix: string,
  metric: string,
): Promise<{ host: string; time: number; value: number }[]> {
  return reader.sql<{ host: string; time: number; value: number }[]>`
    select v.host, s."time", s.value
    from reader_services v cross join lateral samples_of(v.id, ${metric}, '-infinity', 'infinity') s
    where starts_with(v.host, ${prefix}) order by 1, 2`;
}

interface Listed<Item> {
  time: string | null;
  list: Item[];
}

/** The processes of a host at a time (ms) by the API. */
export async function snapshotAt(
  installation: Installation,
  host: string,
  time: number,
): Promise<{ processes: Listed<{ name: string; pid: number }> }> {
  const api = createApi(installation.one('query-api').url, installation.key);
  const { services } = await api.get<{ services: { id: string }[] }>(`/services?q=${host}`);
  return await api.get(`/services/${services[0]?.id}/snapshots?at=${new Date(time).toISOString()}`);
}
