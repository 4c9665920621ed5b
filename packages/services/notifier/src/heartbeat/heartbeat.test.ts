import { PROBE_TYPE } from '@tidewatch/contracts/events/probe';
import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForTest } from '@tidewatch/harness/opened';
import { createLogger, createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';

let receiver: HttpReceiver;
let heartbeat: Heartbeat;
let now = 0;
let beat = 0;
let othersWork = true;
const metrics = createMetrics();

function open(url: string | undefined): Heartbeat {
  heartbeat = createHeartbeat({
    url,
    clock: () => now,
    areOthersWorking: async () => othersWork,
    metrics,
    logger: createSilentLogger(),
    everyMs: 60_000,
    probeEveryMs: 5_000,
    checkEveryMs: 5,
  });
  heartbeat.start();
  return heartbeat;
}

/** A probe that arrives now, with newer heartbeats than the last one. */
function probe() {
  beat += 1;
  return { type: PROBE_TYPE, data: { partitions: 1, heartbeats: { 0: beat } } };
}
const calls = () => receiver.got.length;
const counted = async (outcome: string) =>
  (await metrics.registry.getSingleMetric('tidewatch_heartbeat_calls_total')?.get())?.values.find(
    ({ labels }) => labels['outcome'] === outcome,
  )?.value ?? 0;

beforeEach(async () => {
  [now, othersWork] = [1_000_000, true];
  receiver = await openForTest(startHttpReceiver(status(200)));
});
afterEach(() => heartbeat.stop());

test('the heartbeat calls the outside watcher once a minute while probes arrive', async () => {
  open(receiver.url('/ping'));
  heartbeat.take(probe());
  await expect.poll(calls).toBe(1);
  expect(receiver.got[0]).toMatchObject({ method: 'GET', path: '/ping' });
  for (let second = 0; second < 59; second += 1) {
    now += 1_000;
    heartbeat.take(probe());
  }
  const withheld = await counted('withheld');
  now += 1_000;
  heartbeat.take(probe());
  await expect.poll(calls).toBe(2);
  expect(await counted('withheld')).toBe(withheld);
});

test('the heartbeat is withheld without probes and resumes with them', async () => {
  const before = await counted('withheld');
  open(receiver.url());
  await expect.poll(() => counted('withheld')).toBe(before + 1);
  heartbeat.take({ type: 'alert.fired' });
  heartbeat.take({ type: PROBE_TYPE, data: {} });
  expect(calls()).toBe(0);
  heartbeat.take(probe());
  await expect.poll(calls).toBe(1);
});

test('the heartbeat is withheld while another part does not work', async () => {
  othersWork = false;
  const before = await counted('withheld');
  open(receiver.url());
  heartbeat.take(probe());
  await expect.poll(() => counted('withheld')).toBe(before + 1);
  expect(calls()).toBe(0);
  othersWork = true;
  await expect.poll(calls).toBe(1);
});

test('a failed call of the outside watcher is counted and logged without its URL', async () => {
  const lines: string[] = [];
  const secret = `${receiver.url()}very-secret`;
  await receiver.close();
  const before = await counted('failed');
  heartbeat = createHeartbeat({
    url: secret,
    clock: () => now,
    areOthersWorking: async () => true,
    metrics,
    everyMs: 60_000,
    probeEveryMs: 5_000,
    checkEveryMs: 5,
    logger: createLogger({
      name: 'test',
      level: 'trace',
      destination: { write: (line: string) => lines.push(line) },
    }),
  });
  heartbeat.start();
  heartbeat.take(probe());
  await expect.poll(() => counted('failed')).toBe(before + 1);
  expect(lines.join('')).toContain('cannot be reached');
  expect(lines.join('')).not.toContain('very-secret');
});
