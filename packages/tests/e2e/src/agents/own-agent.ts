import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect } from 'vitest';
import { type Client, SEEN, serviceOf, uniqueName } from '../client.ts';
import type { Target } from '../target.ts';
import { OWN_AGENT, startAgent } from './real-agent.ts';

/** How far a value may be from that of our own agent: points of percent or other units, or a share of the value, whichever is more. */
const TOLERANCE = 2;
const TOLERANCE_SHARE = 0.1;
const COMPARED_SECONDS = 20;
const PATIENCE_MS = 90_000;

/** What each agent measures at moments of its own, but what can be compared by its mean. */
const COMPARED = ['cpu_percent', 'memory_percent', 'disk_percent', 'load_1', 'uptime_seconds'] as const;

export type ComparedMetric = (typeof COMPARED)[number];

/** Starts our own agent on this machine, sending every 2 s; returns the name of its host. To be called in a test. */
export async function startOwnAgent(own: Pick<Target, 'url' | 'key'>): Promise<string> {
  const host = uniqueName('own');
  const args = [
    OWN_AGENT,
    '--url',
    own.url,
    '--host',
    host,
    '--interval',
    '2',
    '--disable',
    'processes,containers',
  ];
  await openForTest(startAgent(process.execPath, args, folderForTest(), { TIDEWATCH_API_KEY: own.key }));
  return host;
}

/** Resolves once the means of the last 20 s of these metrics are within the tolerance for both hosts. */
export async function expectAlike(
  client: Client,
  host: string,
  ownHost: string,
  metrics: readonly ComparedMetric[] = COMPARED,
): Promise<void> {
  const means = async (name: string) => {
    const { id } = await serviceOf(client, name);
    const to = Date.now();
    const from = new Date(to - COMPARED_SECONDS * 1_000).toISOString();
    const range = `from=${from}&to=${new Date(to).toISOString()}&step=${COMPARED_SECONDS}`;
    const answer = await client.expect(
      200,
      'GET',
      `/services/${id}/metrics?metrics=${metrics.join()}&${range}`,
    );
    return new Map<string, number | undefined>(
      (answer.series as { metric: string; points: { avg: number | null; count: number }[] }[]).map(
        (series) => [series.metric, meanOf(series.points)],
      ),
    );
  };
  const differences = async () => {
    const [theirs, ours] = await Promise.all([means(host), means(ownHost)]);
    return metrics
      .map((metric) => ({ metric, theirs: theirs.get(metric), ours: ours.get(metric) }))
      .filter((each) => !isAlike(each.theirs, each.ours));
  };
  await expect.poll(differences, { ...SEEN, interval: 1_000, timeout: PATIENCE_MS }).toEqual([]);
}

function meanOf(points: readonly { avg: number | null; count: number }[]): number | undefined {
  const filled = points.filter(({ count }) => count > 0);
  const count = filled.reduce((sum, point) => sum + point.count, 0);
  if (count === 0) return undefined;
  return filled.reduce((sum, point) => sum + (point.avg as number) * point.count, 0) / count;
}

function isAlike(theirs: number | undefined, ours: number | undefined): boolean {
  if (theirs === undefined || ours === undefined) return false;
  return Math.abs(theirs - ours) <= Math.max(TOLERANCE, Math.abs(ours) * TOLERANCE_SHARE);
}
