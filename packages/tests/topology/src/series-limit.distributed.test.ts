import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const LIMIT = 20;
const GATEWAYS = 2;
const lacked = inject('kafka').state === 'lacked' ? 'Kafka' : null;

describe.skipIf(lacked !== null)(
  `[needs ${lacked ?? 'Kafka'}] the limit of series of several gateways`,
  () => {
    let installation: Installation;
    let gateways: ServiceProcess[];

    beforeAll(async () => {
      installation = await openInstallation({ settings: { TIDEWATCH_SERIES_LIMIT: String(LIMIT) } });
      gateways = await Promise.all(Array.from({ length: GATEWAYS }, () => installation.start('gateway')));
      await installation.start('writer');
    });
    afterAll(() => installation?.close());

    async function send(gateway: ServiceProcess | undefined, host: string, metrics: number) {
      const names = Array.from({ length: metrics }, (_, index) => [`m${index}`, 1]);
      const response = await fetch(`${gateway?.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'X-API-Key': installation.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ host, metrics: Object.fromEntries(names) }),
      });
      const { code } = (await response.json()) as { code?: string };
      return code ?? response.status;
    }

    it('a series that one gateway accepted is accepted by the other once it is stored', async () => {
      const [one, other] = gateways;
      expect(await send(one, 'a', LIMIT)).toBe(200);
      expect(await send(one, 'b', 1)).toBe('series_limit');
      let extra = 0;
      const tryAnother = async () => {
        const outcome = await send(other, `extra-${extra}`, 1);
        if (outcome === 200) extra += 1;
        return outcome;
      };
      await expect.poll(tryAnother).toBe('series_limit');
      // Each gateway accepts at most as many series as were left when it counted.
      expect(extra).toBeLessThanOrEqual(LIMIT);
      for (const gateway of gateways) expect(await send(gateway, 'a', LIMIT)).toBe(200);
    });
  },
);
