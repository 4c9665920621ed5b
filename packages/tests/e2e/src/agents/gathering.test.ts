import { folderForTest, openForTest } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { createClient, inOwnOrganization, SEEN, serviceOf, uniqueName } from '../client.ts';
import { openTarget } from '../target.ts';
import { startIngestRecorder } from './ingest-recorder.ts';
import { OWN_AGENT, startAgent } from './real-agent.ts';

const PATIENCE = { ...SEEN, timeout: 60_000 };
/** Far more than a payload is gathered for, since this machine runs other things. */
const BOUND_MS = 10_000;
const RANGE_MS = 600_000;

test('an agent with an interval of 1 s sends two samples in one request, of which each is stored once though an answer is lost', async () => {
  const own = await inOwnOrganization(await openForTest(openTarget()));
  const client = createClient(own);
  const recorder = await openForTest(startIngestRecorder(own.url));
  const host = uniqueName('gathering');
  const args = [
    '--url',
    recorder.url,
    '--host',
    host,
    '--interval',
    '1',
    '--disable',
    'processes,containers',
  ];
  const agent = await openForTest(
    startAgent(process.execPath, [OWN_AGENT, ...args], folderForTest(), { TIDEWATCH_API_KEY: own.key }),
  );
  const gathered = () => recorder.requests().filter(({ times }) => times.length > 1).length;
  await expect.poll(gathered, PATIENCE).toBeGreaterThanOrEqual(3);
  const before = recorder.requests().length;
  recorder.loseAnswer();
  await expect.poll(() => recorder.requests().length, PATIENCE).toBeGreaterThanOrEqual(before + 2);
  const more = gathered() + 2;
  await expect.poll(gathered, PATIENCE).toBeGreaterThanOrEqual(more);
  await agent.close();

  const requests = recorder.requests();
  expect(requests[0]?.times).toHaveLength(1);
  const all = requests.flatMap(({ times }) => times);
  const times = [...new Set(all)];
  expect(times.length).toBeLessThan(all.length);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(requests.length).toBeLessThan(times.length);
  const delays = requests.slice(0, before).map((request) => request.at - (request.times[0] ?? 0));
  expect(Math.max(...delays)).toBeLessThan(BOUND_MS);

  const { id } = await serviceOf(client, host);
  const to = Math.ceil(Date.now() / 1_000) * 1_000;
  const range = `from=${new Date(to - RANGE_MS).toISOString()}&to=${new Date(to).toISOString()}&step=60`;
  const stored = async () => {
    const path = `/services/${id}/metrics?metrics=uptime_seconds&${range}`;
    const { series } = await client.expect(200, 'GET', path);
    const points: { count: number }[] = series[0]?.points ?? [];
    return points.reduce((sum, { count }) => sum + count, 0);
  };
  await expect.poll(stored, PATIENCE).toBe(times.length);
}, 180_000);
