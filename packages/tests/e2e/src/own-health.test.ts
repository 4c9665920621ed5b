import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Answer, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openForFile } from '@tidewatch/harness/opened';
import { afterEach, describe, expect, test } from 'vitest';
import { SEEN, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const AGENT = fileURLToPath(new URL('../../../apps/agent/src/main.ts', import.meta.url));
/** The timeout until the queue was measured (every few seconds) and a message was retried. */
const MEASURED = { timeout: 60_000, interval: 100 };

/** The receiver's response for each path that a scenario sets; 204 for others. */
const answers = new Map<string, Answer>();
const { target, client } = await openScenario();
const receiver = await openForFile(
  startHttpReceiver((response, received) => (answers.get(received.path) ?? status(204))(response, received)),
);

describe("Tidewatch's own health", () => {
  let agent: ChildProcess | undefined;

  afterEach(async () => {
    if (agent === undefined || agent.exitCode !== null) return;
    const exit = once(agent, 'exit');
    agent.kill('SIGTERM');
    await exit;
  });

  /** Starts an agent that watches every process of the service and other addresses; returns its host. */
  function startAgent(...others: string[]): string {
    const host = uniqueName('watching');
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEWATCH_'));
    agent = spawn(
      process.execPath,
      [AGENT, '--host', host, '--interval', '1', '--docker-socket', '/nowhere'],
      {
        stdio: 'ignore',
        env: {
          ...Object.fromEntries(inherited),
          TIDEWATCH_URL: target.url,
          TIDEWATCH_API_KEY: target.key,
          TIDEWATCH_WATCH: [...target.metricsOf(), ...others].join(),
        },
      },
    );
    return host;
  }

  /** Creates a rule on one host; returns a function that reads its alerts, oldest first. */
  async function ruleOn(host: string, metric: string, threshold: number) {
    const { id } = await client.expect(201, 'POST', '/alerts/rules', {
      name: uniqueName('own-health'),
      metric,
      condition: 'greater_than',
      threshold,
      duration_minutes: 0,
      scope: { hosts: [host] },
    });
    return async (): Promise<string[]> => {
      const { alerts } = await client.expect(200, 'GET', `/alerts?status=all&rule_id=${id}`);
      return alerts.map((alert: { status: string }) => alert.status);
    };
  }

  async function metricsOf(host: string) {
    const { services } = await client.expect(200, 'GET', `/services?q=${host}`);
    return (await client.expect(200, 'GET', `/services/${services[0].id}`)).metrics;
  }

  test('an unavailable process fires an alert, which resolves once the process responds', async () => {
    const path = `/${uniqueName('metrics')}`;
    answers.set(path, status(503));
    const host = startAgent(receiver.url(path));
    const alerts = await ruleOn(host, 'tidewatch_processes_away', 0);
    await expect.poll(alerts, MEASURED).toEqual(['active']);
    expect(await metricsOf(host)).toMatchObject({
      memory_percent: expect.any(Number),
      tidewatch_processes_away: 1,
      tidewatch_lag_seconds: expect.any(Number),
      tidewatch_dead_letters_per_minute: expect.any(Number),
      tidewatch_job_failures_per_minute: expect.any(Number),
      tidewatch_notifications_oldest_seconds: expect.any(Number),
    });
    answers.set(path, (response) => response.end('tidewatch_writer_lag_seconds 0\n'));
    await expect.poll(alerts, MEASURED).toEqual(['resolved']);
  });

  /** Deletes channels of other suites, because their queued notifications would be older than this test expects. */
  async function giveUpWhatWaits(): Promise<void> {
    const waiting = '/notifications?status=queued&limit=100';
    await expect
      .poll(async () => {
        const { notifications } = await client.expect(200, 'GET', waiting);
        const channels = new Set<string>(
          notifications.flatMap(({ channel }: { channel: { id: string | null } }) => channel.id ?? []),
        );
        for (const id of channels) await client.ask('DELETE', `/channels/${id}`);
        return notifications.length;
      }, MEASURED)
      .toBe(0);
  }

  test('a notification that waits for long fires an alert, which resolves once the notification is delivered', async () => {
    await giveUpWhatWaits();
    const host = startAgent();
    const alerts = await ruleOn(host, 'tidewatch_notifications_oldest_seconds', 2);
    const path = `/${uniqueName('hook')}`;
    answers.set(path, status(503));
    const channel = await client.expect(201, 'POST', '/channels', {
      kind: 'webhook',
      name: uniqueName('waits'),
      config: { url: receiver.url(path) },
    });
    const metric = uniqueName('metric').replaceAll('-', '_');
    await client.expect(201, 'POST', '/alerts/rules', {
      name: metric,
      metric,
      condition: 'greater_than',
      threshold: 90,
      duration_minutes: 0,
      channels: [channel.id],
    });
    const tried = () => receiver.got.filter((received) => received.path === path).length;
    await expect
      .poll(async () => {
        await client.ingest(JSON.stringify({ host: channel.name, metrics: { [metric]: 95 } }));
        return tried();
      }, SEEN)
      .toBeGreaterThan(0);
    await expect.poll(alerts, MEASURED).toEqual(['active']);
    answers.delete(path);
    await expect.poll(alerts, MEASURED).toEqual(['resolved']);
  });
});
