import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@tidewatch/database/connection';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ingest } from './ingest.ts';

const WITHIN = { timeout: 60_000, interval: 250 };
const HOSTS = Array.from({ length: 8 }, (_, index) => `by-hand-${index}`);
/** One of so many payloads in a row is clear. */
const CYCLE = 9;

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] alerts that are resolved by hand while evaluators come and go',
  () => {
    let installation: Installation;
    let api: ServiceProcess;
    let gateway: ServiceProcess;

    beforeAll(async () => {
      installation = await openInstallation();
      [api, gateway] = await Promise.all([
        installation.start('query-api'),
        installation.start('gateway'),
        installation.start('writer'),
      ]);
    });
    afterAll(() => installation?.close());

    // biome-ignore lint/suspicious/noExplicitAny: answers whose schemas are tested elsewhere
    async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
      const response = await fetch(`${api.url}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    }

    it('are never duplicated, have one event for each transition, and are followed by a new alert at the next breach', async () => {
      const terms = { name: 'by hand', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
      const rule = await ask('POST', '/alerts/rules', { ...terms, duration_minutes: 0 });
      const first = await installation.start('evaluator');
      const start = Date.now() - 600_000;
      let running = true;
      const sent = new Map(HOSTS.map((host) => [host, 0]));
      const feed = async (host: string) => {
        while (running) {
          const index = sent.get(host) as number;
          const metrics = { cpu_percent: index % CYCLE === CYCLE - 1 ? 5 : 95 };
          const payload = { host, timestamp: new Date(start + index * 100).toISOString(), metrics };
          const answer = await ingest(gateway, installation, payload).catch(() => null);
          if (answer?.status === 200) sent.set(host, index + 1);
          await sleep(20);
        }
      };
      let resolved = 0;
      const resolve = async () => {
        while (running) {
          const { alerts } = await ask('GET', `/alerts?rule_id=${rule.id}&limit=100`);
          const hosts = alerts.map(({ host }: { host: string }) => host);
          expect(new Set(hosts).size).toBe(hosts.length);
          for (const { id } of alerts) {
            const answer = await ask('POST', `/alerts/${id}/resolve`);
            if (answer.resolution === 'manual') resolved += 1;
          }
          await sleep(10);
        }
      };
      const feeding = Promise.all(HOSTS.map(feed));
      const resolving = resolve();
      const passes = async (count: number) => {
        const wanted = resolved + count;
        await expect.poll(() => resolved, { timeout: 120_000, interval: 100 }).toBeGreaterThanOrEqual(wanted);
      };
      await passes(40);
      const second = await installation.start('evaluator');
      await passes(40);
      first.signal('SIGKILL');
      await passes(40);
      await installation.start('evaluator');
      await passes(40);
      expect(await second.stop().then(() => second.ended)).toBe(0);
      await passes(40);
      running = false;
      await Promise.all([feeding, resolving]);

      const { sql, close } = openStore({ url: installation.database.adminUrl, max: 2 });
      const next = async (cpu: number) => {
        for (const host of HOSTS) {
          const index = (sent.get(host) as number) + 1;
          sent.set(host, index);
          const timestamp = new Date(start + index * 100).toISOString();
          await ingest(gateway, installation, { host, timestamp, metrics: { cpu_percent: cpu } });
        }
      };
      const state = async () => {
        const [row] = await sql`
          select (select count(*)::int from alerts where rule_id = ${rule.id} and status = 'active') as active,
            (select count(distinct host)::int from alerts where rule_id = ${rule.id} and status = 'active') as hosts,
            (select count(*)::int from rule_states where rule_id = ${rule.id}) as states,
            (select coalesce(sum(firing_count), 0)::int from rule_activity where rule_id = ${rule.id}) as firing,
            (select count(*)::int from resolved_by_hand) as waiting,
            (select coalesce(sum(active_warning), 0)::int from services) as shown`;
        return { ...row };
      };
      const all = (count: number) => ({
        active: count,
        hosts: count,
        states: count,
        firing: count,
        shown: count,
        waiting: 0,
      });
      await next(5);
      await expect.poll(state, WITHIN).toEqual(all(0));
      await next(95);
      await expect.poll(state, WITHIN).toEqual(all(HOSTS.length));
      const { alerts } = await ask('GET', `/alerts?rule_id=${rule.id}&limit=100`);
      for (const { id } of alerts) await ask('POST', `/alerts/${id}/resolve`);
      await next(95);
      await expect.poll(state, WITHIN).toEqual(all(HOSTS.length));
      const renewed = await ask('GET', `/alerts?rule_id=${rule.id}&limit=100`);
      const before = new Set(alerts.map(({ id }: { id: string }) => id));
      expect(renewed.alerts.filter(({ id }: { id: string }) => before.has(id))).toEqual([]);

      // Each has one event of its firing, and each resolved one has one of its resolution.
      const emitted = await sql`
        select a.id, a.status, count(*) filter (where o.event ->> 'type' = 'alert.fired')::int as fired,
          count(*) filter (where o.event ->> 'type' = 'alert.resolved')::int as resolved
        from alerts a left join outbox o on o.event ->> 'subject' = a.id
        where a.rule_id = ${rule.id} group by 1, 2`;
      const wrong = emitted.filter(
        (each) => each.fired !== 1 || each.resolved !== Number(each.status === 'resolved'),
      );
      expect(wrong).toEqual([]);
      await close();
      console.log(`${resolved} alerts resolved by hand`);
    }, 400_000);
  },
);
