import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { openForFile } from '@tidewatch/harness/opened';
import { createProduct } from '@tidewatch/harness/product';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { convertInstallation } from '@tidewatch/standalone/conversion/convert-installation';
import { expect, test } from 'vitest';
import { createClient } from '../client.ts';
import { SETTINGS } from '../settings.ts';
import {
  HISTORY_INTERVAL_MS,
  type History,
  writeEarlierInstallation,
} from './earlier-installation.harness.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../../', import.meta.url));
const COMMAND = 'packages/apps/standalone/src/convert-storage.ts';
const WITHIN = { timeout: 60_000, interval: 250 };
const HOSTS = ['converted-1', 'converted-2', 'converted-3'];
/** Of so many payloads of a host, a second apart, the first ones are above the threshold. */
const CYCLE = 100;
const BREACHING = 80;

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const HISTORY: History = { host: 'converted-history', from: today - 4 * DAY_MS, days: 3 };
const HISTORY_SAMPLES = (HISTORY.days * DAY_MS) / HISTORY_INTERVAL_MS;

const product = await createProduct(SETTINGS);
await openForFile({ close: product.remove });
const client = createClient(product);

test('an installation of an earlier release is converted to the log while agents send and rules are evaluated', async () => {
  await writeEarlierInstallation(product, HISTORY);
  await product.start();
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    name: 'above 90',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    duration_minutes: 0,
    severity: 'warning',
    channels: [],
  });
  const begun = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
  const agents = openAgents(begun);
  await agents.passes(150);
  await expect.poll(readHistory, WITHIN).toEqual(HISTORY_AS_STORED);

  await startAndKillCommand();
  expect(await readHistory()).toEqual(HISTORY_AS_STORED);
  await agents.passes(50);
  let isConverting = true;
  const asked = askMeanwhile(() => isConverting, agents);
  const installation = { databaseUrl: null, directory: product.dataDir };
  const logger = createLogger({ name: 'conversion', level: 'error' });
  const { dropped } = await convertInstallation(installation, Date.now(), logger, { gracePeriodMs: 1_000 });
  expect(dropped.length).toBeGreaterThan(HISTORY.days);
  await agents.passes(150);
  isConverting = false;
  expect(await asked).toBeGreaterThan(3);
  await expect(
    convertInstallation(installation, Date.now(), logger, { gracePeriodMs: 1_000 }),
  ).rejects.toThrow('nothing to convert');
  await agents.stop();

  await compareAll();
  await product.kill();
  await product.start();
  await compareAll();

  async function compareAll(): Promise<void> {
    expect(await readHistory()).toEqual(HISTORY_AS_STORED);
    const expected = agents.lines.flatMap(({ host, count }) =>
      Array.from({ length: Math.ceil(count / CYCLE) }, (_, cycle) => firing(host, begun, cycle * CYCLE)),
    );
    expect(expected.length).toBeGreaterThan(2 * HOSTS.length);
    const alerts = async () => {
      const page = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule.id}&limit=100`);
      return page.alerts.map(({ host, fired_at }: Record<string, string>) => `${host} ${fired_at}`).sort();
    };
    await expect.poll(alerts, WITHIN).toEqual(expected.sort());
    for (const { host, count } of agents.lines)
      expect(await readTotals(host, begun, begun + 6 * HOUR_MS)).toEqual({
        count,
        sum: (count * (count - 1)) / 2,
      });
  }
}, 240_000);

const firing = (host: string, begun: number, n: number) => `${host} ${toIso(begun + n * 1_000)}`;

const HISTORY_AS_STORED = { count: HISTORY_SAMPLES, sum: (HISTORY_SAMPLES * (HISTORY_SAMPLES - 1)) / 2 };
const readHistory = () => readTotals(HISTORY.host, HISTORY.from, HISTORY.from + HISTORY.days * DAY_MS);

/** Reads how many samples of `n` a host has, and their sum. */
async function readTotals(host: string, from: number, to: number): Promise<{ count: number; sum: number }> {
  const { services } = await client.expect(200, 'GET', `/services?q=${host}`);
  const range = `from=${toIso(from)}&to=${toIso(to)}`;
  const path = `/services/${services[0]?.id}/metrics?metrics=n&step=3600&${range}`;
  const { series } = await client.expect(200, 'GET', path);
  const points: { avg: number; count: number }[] = series[0]?.points ?? [];
  return {
    count: points.reduce((total, { count }) => total + count, 0),
    sum: Math.round(points.reduce((total, { avg, count }) => total + avg * count, 0)),
  };
}

/** Agents that send each payload until it is accepted. */
function openAgents(begun: number) {
  const lines = HOSTS.map((host) => ({ host, count: 0 }));
  let isSending = true;
  const running = Promise.all(
    lines.map(async (line) => {
      while (isSending) {
        const { host, count: n } = line;
        const cpu_percent = n % CYCLE < BREACHING ? 95 : 10;
        const payload = { host, timestamp: toIso(begun + n * 1_000), metrics: { n, cpu_percent } };
        const isAccepted = await client.ingest(payload).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isAccepted) line.count += 1;
        await sleep(isAccepted ? 20 : 200);
      }
    }),
  );
  return {
    lines,
    /** Waits until every host has so many more payloads. */
    async passes(payloads: number) {
      const wanted = lines.map(({ count }) => count + payloads);
      while (lines.some(({ count }, index) => count < (wanted[index] ?? 0))) await sleep(20);
    },
    async stop() {
      isSending = false;
      await running;
    },
  };
}

/** Asks for what does not change, and for what was accepted before each question; returns how often. */
async function askMeanwhile(goesOn: () => boolean, agents: ReturnType<typeof openAgents>): Promise<number> {
  const begun = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
  let asked = 0;
  while (goesOn()) {
    expect(await readHistory()).toEqual(HISTORY_AS_STORED);
    for (const line of agents.lines) {
      const accepted = line.count;
      const { count } = await readTotals(line.host, begun, begun + 6 * HOUR_MS);
      expect(count).toBeGreaterThanOrEqual(accepted);
      expect(count).toBeLessThanOrEqual(line.count + 1);
    }
    asked += 1;
  }
  return asked;
}

/** Runs the command until it has converted a day, and kills it. */
async function startAndKillCommand(): Promise<void> {
  const command = spawn(process.execPath, [COMMAND], {
    cwd: CHECKOUT,
    env: { ...process.env, TIDEWATCH_DATA_DIR: product.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [command.stdout, command.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const ended = new Promise((resolve) => command.once('close', resolve));
  await expect.poll(() => output, WITHIN).toContain('converted a day of samples');
  command.kill('SIGKILL');
  await ended;
}
