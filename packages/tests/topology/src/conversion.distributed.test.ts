import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { type Installation, openInstallation } from '@tidewatch/harness/installation';
import { chooseSampleLayout } from '@tidewatch/harness/sample-layout';
import { convertStorage } from '@tidewatch/store/sample-conversion/convert-storage';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLedger } from './ledger.ts';
import { openStoredLedger } from './stored-ledger.ts';

const WITHIN = { timeout: 120_000, interval: 1_000 };
const HOSTS = Array.from({ length: 12 }, (_, index) => `converted-${String(index).padStart(2, '0')}`);
/** The number of payloads of each host between two changes. */
const BETWEEN = 60;

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] services while rows are converted to a log',
  () => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await openInstallation();
      await chooseSampleLayout(installation.database, 'rows');
    });
    afterAll(() => installation?.close());

    it('store every sample once, and fire every alert once at its time', async () => {
      const stored = openStoredLedger(installation, await installation.start('query-api'));
      const rules = [
        { id: await stored.makeRule(0), durationMs: 0 },
        { id: await stored.makeRule(1), durationMs: MINUTE_MS },
      ];
      const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 5 * 3_600_000;
      const roles = ['gateway', 'writer', 'writer', 'evaluator', 'evaluator'] as const;
      const services = await Promise.all(roles.map((role) => installation.start(role)));
      const gateways = services.filter(({ role }) => role === 'gateway');
      const ledger = openLedger(HOSTS, start, () => gateways, installation);
      const running = ledger.run();
      await ledger.passes(BETWEEN);

      const { sql, close } = openStore({
        url: installation.database.adminUrl,
        max: 2,
        statementTimeoutMs: 0,
      });
      let isSwitched = false;
      const converted = convertStorage(sql, {
        now: Date.now(),
        maxBlocks: 1,
        gracePeriodMs: 2_000,
        restMs: () => 200,
        switched() {
          isSwitched = true;
        },
      });
      // A writer that is killed meanwhile is replaced, and reads from Kafka again what it has not committed.
      const [writer] = services.filter(({ role }) => role === 'writer');
      writer?.signal('SIGKILL');
      await installation.start('writer');
      await ledger.passes(BETWEEN);
      const { days } = await converted;
      expect(days).toBeGreaterThan(0);
      expect(isSwitched).toBe(true);
      await ledger.passes(BETWEEN);
      ledger.stop();
      await running;

      const wanted = Object.fromEntries(
        ledger.lines.map(({ host, count }) => [host, { count, sum: (count * (count - 1)) / 2 }]),
      );
      await expect.poll(() => stored.found('converted-', start), WITHIN).toEqual(wanted);
      for (const { id, durationMs } of rules) {
        const expected = ledger.firings(durationMs).toSorted();
        expect(expected.length).toBeGreaterThan(HOSTS.length);
        await expect.poll(() => stored.firings(id), WITHIN).toEqual(expected);
      }
      const left = await sql`select from samples limit 1`;
      expect(left).toHaveLength(0);
      await close();
    }, 400_000);
  },
);
