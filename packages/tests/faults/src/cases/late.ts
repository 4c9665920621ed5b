import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { catchUp } from '../check/lag.ts';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import { samplesOf, send } from '../harness/payloads.ts';

const METRIC = 'cpu_percent';

/**
 * Sends samples of one host in random order, some of them twice and some again with another value; returns the values that
 * must be stored.
 */
async function sendMixed(
  { installation, random, fired }: FaultContext,
  host: string,
  start: number,
): Promise<Map<number, number>> {
  const stored = new Map<number, number>();
  const times = Array.from({ length: 120 }, (_, index) => start + index * 10_000);
  for (let left = times.length; left > 0; left -= 1) {
    const [time] = times.splice(Math.floor(random() * left), 1) as [number];
    const value = Math.floor(random() * 10_000) / 100;
    await send(installation, [{ host, time, metrics: { [METRIC]: value } }]);
    stored.set(time, value);
    const again = random();
    if (again < 0.2) {
      await send(installation, [{ host, time, metrics: { [METRIC]: value } }]);
      fired('sent twice');
    } else if (again < 0.4) {
      await send(installation, [{ host, time, metrics: { [METRIC]: value + 1 } }]);
      stored.set(time, value + 1);
      fired('sent again with another value');
    }
  }
  return stored;
}

export const lateSamples: FaultCase = {
  id: '12',
  fault: 'samples out of order, late, older than raw retention, twice, again with another value',
  failpoints: ['sent twice', 'sent again with another value', 'older than raw retention'],
  async run(context) {
    const { installation, fired } = context;
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const ages = { 'mixed-now': 0.5, 'mixed-late': 48, 'mixed-older': 24 * 20 };
    for (const [host, hours] of Object.entries(ages)) {
      const wanted = await sendMixed(context, host, now - (hours * DAY_MS) / 24);
      if (hours > 24 * 7) fired('older than raw retention');
      await catchUp(installation, 60_000);
      const found = await samplesOf(installation, host, METRIC);
      const wrong = found.filter(({ time, value }) => wanted.get(time) !== value).length;
      if (found.length !== wanted.size || wrong > 0)
        throw new Error(
          `${host}: ${found.length} of ${wanted.size} samples are stored, ${wrong} with another value`,
        );
    }
  },
};
