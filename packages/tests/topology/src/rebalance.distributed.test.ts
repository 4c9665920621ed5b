import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLedger } from './ledger.ts';
import { openStoredLedger, type StoredLedger } from './stored-ledger.ts';

const WITHIN = { timeout: 120_000, interval: 1_000 };
const HOSTS = Array.from({ length: 12 }, (_, index) => `rebalanced-${String(index).padStart(2, '0')}`);
/** The number of payloads of each host between two changes. */
const BETWEEN = 60;

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] services that come and go under load',
  () => {
    let installation: Installation;
    let stored: StoredLedger;

    beforeAll(async () => {
      installation = await openInstallation();
      stored = openStoredLedger(installation, await installation.start('query-api'));
    });
    afterAll(() => installation?.close());

    it('hand their partitions over, so that every sample is stored once, and every alert fires once at its time', async () => {
      const rules = [
        { id: await stored.makeRule(0), durationMs: 0 },
        { id: await stored.makeRule(1), durationMs: MINUTE_MS },
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
      await expect.poll(() => stored.found('rebalanced-', start), WITHIN).toEqual(wanted);
      for (const { id, durationMs } of rules) {
        const expected = ledger.firings(durationMs).toSorted();
        expect(expected.length).toBeGreaterThan(HOSTS.length);
        await expect.poll(() => stored.firings(id), WITHIN).toEqual(expected);
      }
      const payloads = ledger.lines.reduce((total, { count }) => total + count, 0);
      console.log(`${payloads} payloads acknowledged, ${ledger.resent()} sent again, all found once`);
    }, 400_000);
  },
);
