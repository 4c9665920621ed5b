import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, createRule } from '@tidewatch/bench/api';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { catchUp } from '../check/lag.ts';
import type { FaultCase, FaultContext } from '../fault-case.ts';
import { alertsOf, samplesOf, send } from '../harness/payloads.ts';
import { waitFor } from '../harness/wait.ts';

/** A metric that the load does not have, so that no rule of the load applies to it. */
const METRIC = 'heat';

async function makeRule({ installation }: FaultContext): Promise<void> {
  const api = createApi(installation.one('query-api').url, installation.key);
  await createRule(api, METRIC, 90, { name: 'hot', severity: 'critical', channels: [] });
}

const hosts = (prefix: string, count = 20) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(2, '0')}`);

export const wrongClients: FaultCase = {
  id: '11a',
  fault: 'clients whose clocks are an hour ahead and an hour behind',
  failpoints: ['payloads of wrong clocks sent'],
  async run(context) {
    const { installation, fired } = context;
    await makeRule(context);
    for (let round = 0; round < 15; round += 1) {
      const now = Date.now();
      await send(installation, [
        ...hosts('clock-ahead').map((host) => ({ host, time: now + HOUR_MS, metrics: { [METRIC]: 95 } })),
        ...hosts('clock-behind').map((host) => ({
          host,
          time: now - HOUR_MS,
          metrics: { [METRIC]: round < 12 ? 5 : 95 },
        })),
      ]);
      fired('payloads of wrong clocks sent');
      await sleep(100);
    }
    await catchUp(installation, 60_000);
    const stored = await samplesOf(installation, 'clock-', METRIC);
    if (stored.length !== 15 * 40)
      throw new Error(`${stored.length} of ${15 * 40} samples of wrong clocks are stored`);
    const ahead = await alertsOf(installation, 'clock-ahead');
    // A host's clock counts as ahead once ten requests agree; from then on its samples are evaluated.
    if (ahead.length !== 20)
      throw new Error(`of 20 hosts whose clock is ahead, ${ahead.length} fired an alert`);
    await waitFor('events are published', 20_000, async () =>
      (await alertsOf(installation, 'clock-behind')).every(({ events }) => events === 1),
    );
    const behind = await alertsOf(installation, 'clock-behind');
    if (behind.length !== 20 || behind.some(({ backfilled }) => backfilled))
      throw new Error(
        `of 20 hosts whose clock is behind, ${behind.length} fired an alert, ${behind.filter((row) => row.backfilled).length} as backfilled`,
      );
  },
};

export const serverClockSteps: FaultCase = {
  id: '11b',
  fault: "the services' clock steps back by an hour, and forward again",
  failpoints: ['clock stepped back', 'clock stepped forward', 'accepted meanwhile'],
  needs: ['clock'],
  async run({ clock, load, fired }) {
    clock.shift(-3_600);
    fired('clock stepped back');
    const before = load.acknowledged();
    await sleep(10_000);
    if (load.acknowledged() > before) fired('accepted meanwhile');
    clock.shift(0);
    fired('clock stepped forward');
    await sleep(5_000);
  },
};

async function offline({ installation }: FaultContext): Promise<string[]> {
  const rows = await installation.store.sql<{ host: string }[]>`
    select event->'data'->'service'->>'host' as host from outbox where event->>'type' = 'service.offline'`;
  return rows.map(({ host }) => host);
}

const TEN_MINUTES = 600;

/**
 * No host may go offline while all gateways are stopped, because silence is measured by heartbeats that pass through the
 * pipeline.
 */
export const gatewaysAway: FaultCase = {
  id: '11c',
  fault: 'gateways away for ten minutes by the clock: nobody is offline',
  failpoints: ['gateway stopped', 'ten minutes passed'],
  needs: ['clock'],
  async run(context) {
    const { installation, clock, fired } = context;
    const gateway = installation.one('gateway');
    await gateway.kill();
    fired('gateway stopped');
    clock.shift(TEN_MINUTES);
    await sleep(3_000);
    fired('ten minutes passed');
    await gateway.start();
    await sleep(12_000);
    const gone = await offline(context);
    if (gone.length > 0)
      throw new Error(`hosts became offline although no evaluator ran: ${gone.slice(0, 5).join(', ')}`);
  },
};

const TWENTY_MINUTES = 1_200;

export const evaluatorsAway: FaultCase = {
  id: '11d',
  fault: 'evaluators away for twenty minutes by the clock: every alert has an event, none as backfilled',
  failpoints: ['evaluator stopped', 'twenty minutes passed', 'alerts emitted'],
  needs: ['clock'],
  async run(context) {
    const { installation, clock, fired, note } = context;
    await makeRule(context);
    const evaluator = installation.one('evaluator');
    await evaluator.kill();
    fired('evaluator stopped');
    await send(
      installation,
      hosts('unwatched').map((host) => ({ host, metrics: { [METRIC]: 95 } })),
    );
    clock.shift(TWENTY_MINUTES);
    await sleep(3_000);
    fired('twenty minutes passed');
    await evaluator.start();
    await catchUp(installation, 60_000);
    const emitted = async () =>
      (await alertsOf(installation, 'unwatched')).filter((alert) => alert.events === 1);
    await waitFor('20 alerts are emitted', 30_000, async () => (await emitted()).length === 20);
    fired('alerts emitted');
    const backfilled = (await emitted()).filter((alert) => alert.backfilled);
    if (backfilled.length > 0)
      throw new Error(`${backfilled.length} of 20 alerts were recorded as backfilled; none may be`);
    note('20 of 20 alerts that fired meanwhile were emitted once, none as backfilled');
  },
};
