import { partitionOf } from '@tidewatch/contracts/ingest/partition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Store } from '@tidewatch/database/connection';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ingest } from './ingest.ts';

const WITHIN = { timeout: 180_000, interval: 50 };
const PARTITIONS = 2;
const RULES = 60;
const HOSTS = 90;
const STORM = RULES * HOSTS;
/** The lowest allowed limit of transitions per transaction, so that the storm takes as many transactions as possible. */
const EVALUATOR = { TIDEWATCH_ALERTS_AT_ONCE: '20' };

interface Organization {
  id: string;
  key: string;
}

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] a storm of alerts of one organization, in one partition of two on one broker',
  () => {
    let installation: Installation;
    let store: Store;
    let api: ServiceProcess;
    let gateway: ServiceProcess;
    let storming: Organization;
    let other: Organization;

    beforeAll(async () => {
      installation = await openInstallation({ partitions: PARTITIONS });
      store = openStore({ url: installation.database.adminUrl, max: 2 });
      [api, gateway] = await Promise.all([
        installation.start('query-api'),
        installation.start('gateway'),
        installation.start('writer'),
      ]);
      const [own] = await store.sql<[{ id: string }]>`select id from organizations`;
      storming = { id: own.id, key: installation.key };
      const made = await post(installation.key, '/organizations', { name: 'other' });
      other = { id: made.organization.id, key: made.key.secret };
      await Promise.all(Array.from({ length: RULES }, (_, index) => makeRule(storming, `storm ${index}`)));
      await makeRule(other, 'other');
    }, 180_000);
    afterAll(async () => {
      await installation?.close();
      await store?.close();
    });

    // biome-ignore lint/suspicious/noExplicitAny: answers whose schemas are tested elsewhere
    async function post(key: string, path: string, body: object): Promise<any> {
      const response = await fetch(`${api.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(201);
      return response.json();
    }

    async function makeRule({ key }: Organization, name: string): Promise<void> {
      const terms = { metric: 'queue_depth', condition: 'greater_than', threshold: 90, duration_minutes: 0 };
      await post(key, '/alerts/rules', { name, ...terms });
    }

    /** Names of hosts whose samples are in one partition. */
    function hostsIn(partition: number, { id }: Organization, name: string, count: number): string[] {
      const names: string[] = [];
      for (let index = 0; names.length < count; index += 1)
        if (partitionOf(id, `${name}-${index}`, PARTITIONS) === partition) names.push(`${name}-${index}`);
      return names;
    }

    async function send({ key }: Organization, hosts: readonly string[], depth: number, at: number) {
      const payloads = hosts.map((host) => ({
        host,
        timestamp: new Date(at).toISOString(),
        metrics: { queue_depth: depth },
      }));
      expect((await ingest(gateway, { key }, payloads)).status).toBe(200);
    }

    /** Counts, in one snapshot, the alerts of both organizations and the records that are processed only in part. */
    async function counts() {
      const [row] = await store.sql<[{ storm: number; others: number; ended: number; left: number }]>`
        select (select count(*)::integer from alerts where organization_id = ${storming.id}) as storm,
          (select count(*)::integer from alerts where organization_id = ${storming.id} and status = 'resolved') as ended,
          (select count(*)::integer from alerts where organization_id = ${other.id}) as others,
          (select count(*)::integer from consumer_rests) as left`;
      return row;
    }

    /** Polls until the other organization has `others` alerts. */
    async function countsOnce(others: number) {
      let found = await counts();
      const look = async () => {
        found = await counts();
        return found.others;
      };
      await expect.poll(look, WITHIN).toBe(others);
      return found;
    }

    it('delays no alert of another one, in its partition or another, and loses and duplicates no alert when the evaluator is killed meanwhile', async () => {
      const stormHosts = hostsIn(0, storming, 'storm', HOSTS);
      const beside = [...hostsIn(0, other, 'beside', 5), ...hostsIn(1, other, 'beside', 5)];
      const killed = await installation.start('evaluator', EVALUATOR);
      const firesAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5 * MINUTE_MS;
      const clearsAt = firesAt + MINUTE_MS;
      await send(storming, stormHosts, 95, firesAt);
      await expect.poll(async () => (await counts()).storm, WITHIN).toBeGreaterThan(0);
      await send(storming, stormHosts, 5, clearsAt);
      await send(other, beside, 95, firesAt);
      const during = await countsOnce(beside.length);
      expect(during.storm).toBeLessThan(STORM);
      expect(during.left).toBeGreaterThan(0);

      killed.signal('SIGKILL');
      await killed.ended;
      const after = await counts();
      expect(after.storm).toBeLessThan(STORM);
      expect(after.left).toBeGreaterThan(0);
      const late = [...hostsIn(0, other, 'late', 5), ...hostsIn(1, other, 'late', 5)];
      await send(other, late, 95, clearsAt);
      await installation.start('evaluator', EVALUATOR);
      expect((await countsOnce(beside.length + late.length)).storm).toBeLessThan(STORM);

      await expect
        .poll(counts, WITHIN)
        .toEqual({ storm: STORM, ended: STORM, others: beside.length + late.length, left: 0 });
      const alerts = await store.sql`
        select count(distinct (rule_id, host))::integer as instances, min(fired_at) as first, max(fired_at) as fired,
          min(resolved_at) as cleared, max(resolved_at) as last from alerts where organization_id = ${storming.id}`;
      const times = { first: firesAt, fired: firesAt, cleared: clearsAt, last: clearsAt };
      expect(alerts).toEqual([{ instances: STORM, ...times }]);
      const events = await store.sql<{ type: string; count: number }[]>`
        select event ->> 'type' as type, count(*)::integer as count from outbox
        where organization_id = ${storming.id} and event ->> 'type' like 'alert.%' group by 1 order by 1`;
      expect(events).toEqual([
        { type: 'alert.fired', count: STORM },
        { type: 'alert.resolved', count: STORM },
      ]);
    }, 400_000);
  },
);
