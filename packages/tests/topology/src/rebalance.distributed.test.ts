import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLedger } from './ledger.ts';

const WITHIN = { timeout: 120_000, interval: 1_000 };
const HOSTS = Array.from({ length: 12 }, (_, index) => `rebalanced-${String(index).padStart(2, '0')}`);
/** The number of payloads of each host between two changes. */
const BETWEEN = 60;

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] services that come and go under load',
  () => {
    let installation: Installation;
    let api: ServiceProcess;

    beforeAll(async () => {
      installation = await openInstallation();
      api = await installation.start('query-api');
    });
    afterAll(() => installation?.close());

    // biome-ignore lint/suspicious/noExplicitAny: answers whose schemas are tested elsewhere
    async function ask(path: string, body?: object): Promise<any> {
      const response = await fetch(`${api.url}/api/v1${path}`, {
        headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    }

    async function makeRule(minutes: number): Promise<string> {
      const rule = {
        name: `for ${minutes} minutes`,
        metric: 'cpu_percent',
        condition: 'greater_than',
        threshold: 90,
      };
      return (await ask('/alerts/rules', { ...rule, duration_minutes: minutes })).id;
    }

    /** The number and the sum of the payload numbers that are stored for each host. */
    async function found(start: number): Promise<Record<string, { count: number; sum: number }>> {
      const { services } = await ask(`/services?q=rebalanced-&limit=100`);
      const range = `from=${new Date(start - MINUTE_MS).toISOString()}&to=${new Date(start + 240 * MINUTE_MS).toISOString()}`;
      const rows = services.map(async ({ id, name }: { id: string; name: string }) => {
        const { series } = await ask(`/services/${id}/metrics?metrics=n&step=1h&${range}`);
        const points: { avg: number; count: number }[] = series[0]?.points ?? [];
        const count = points.reduce((total, point) => total + point.count, 0);
        const sum = Math.round(points.reduce((total, point) => total + point.avg * point.count, 0));
        return [name, { count, sum }];
      });
      return Object.fromEntries(await Promise.all(rows));
    }

    async function firings(ruleId: string): Promise<string[]> {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { alerts, pagination } = await ask(
          `/alerts?status=all&rule_id=${ruleId}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        for (const { host, fired_at } of alerts) found.push(`${host} ${fired_at}`);
        cursor = pagination.next_cursor ?? '';
        if (cursor === '') return found.toSorted();
      }
    }

    it('hand their partitions over, so that every sample is stored once, and every alert fires once at its time', async () => {
      const rules = [
        { id: await makeRule(0), durationMs: 0 },
        { id: await makeRule(1), durationMs: MINUTE_MS },
      ];
      const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 5 * 3_600_000;
      const add = (...roles: ('gateway' | 'writer' | 'evaluator')[]) =>
        Promise.all(roles.map((role) => installation.start(role)));
      let gateways = await add('gateway');
      let consumers = await add('writer', 'evaluator');
      const ledger = openLedger(HOSTS, start, () => gateways, installation);
      const running = ledger.run();
      await ledger.passes(BETWEEN);

      const joined = await add('writer', 'evaluator', 'gateway');
      const [secondGateway] = joined.filter(({ role }) => role === 'gateway');
      gateways = [...gateways, secondGateway as ServiceProcess];
      await ledger.passes(BETWEEN);

      for (const consumer of consumers) consumer.signal('SIGKILL');
      await ledger.passes(BETWEEN);

      consumers = await add('writer', 'evaluator');
      await ledger.passes(BETWEEN);

      const leaving = joined.filter(({ role }) => role !== 'gateway');
      expect(await Promise.all(leaving.map((service) => service.stop().then(() => service.ended)))).toEqual([
        0, 0,
      ]);
      const [first] = gateways;
      gateways = gateways.slice(1);
      await first?.stop();
      await ledger.passes(BETWEEN);
      ledger.stop();
      await running;

      const wanted = Object.fromEntries(
        ledger.lines.map(({ host, count }) => [host, { count, sum: (count * (count - 1)) / 2 }]),
      );
      await expect.poll(() => found(start), WITHIN).toEqual(wanted);
      for (const { id, durationMs } of rules) {
        const expected = ledger.firings(durationMs).toSorted();
        expect(expected.length).toBeGreaterThan(HOSTS.length);
        await expect.poll(() => firings(id), WITHIN).toEqual(expected);
      }
      const payloads = ledger.lines.reduce((total, { count }) => total + count, 0);
      console.log(`${payloads} payloads acknowledged, ${ledger.resent()} sent again, all found once`);
    }, 400_000);
  },
);
