import type { Site } from '../site/site.ts';

/** One payload of a host at a time. */
export interface Sent {
  host: string;
  at: number;
  metrics: Record<string, number>;
  tags?: Record<string, string>;
}

const MAX_BATCH = 500;

/** Sends payloads in order, in batches, and resolves once the API has the newest of each host. */
export async function send(site: Site, payloads: readonly Sent[]): Promise<void> {
  for (let start = 0; start < payloads.length; start += MAX_BATCH)
    await site.call(
      'POST',
      '/ingest',
      payloads
        .slice(start, start + MAX_BATCH)
        .map(({ at, ...payload }) => ({ ...payload, timestamp: new Date(at).toISOString() })),
    );
}

/** The id of a host, once it is listed. */
export async function hostId(site: Site, name: string): Promise<string> {
  for (;;) {
    const { services } = await site.call('GET', `/services?q=${encodeURIComponent(name)}`);
    const found = services.find((service: { name: string }) => service.name === name);
    if (found !== undefined) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The points that the API has of a metric, once there are some. */
export async function pointsOf(site: Site, id: string, query: Record<string, string>) {
  for (;;) {
    const answer = await site.call('GET', `/services/${id}/metrics?${new URLSearchParams(query)}`);
    if ((answer.series[0]?.points.length ?? 0) > 0)
      return answer.series[0].points as { t: string; avg: number; min: number; max: number }[];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
