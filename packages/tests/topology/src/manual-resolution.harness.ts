import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { openStore } from '@tidewatch/database/connection';
import type { Installation, ServiceProcess } from '@tidewatch/harness/installation';
import { ingest } from './ingest.ts';

const STEP_MS = 100;
const RULE = {
  name: 'by hand',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 0,
};
export const BREACH = 95;
export const CLEAR = 5;
/** The length of a cycle in payloads: one payload of each cycle is below the threshold. */
const CYCLE = 9;

export type ManualResolution = Awaited<ReturnType<typeof openManualResolution>>;

/** Starts gateway, writer and query API with one rule that `hosts` breach, and evaluators as the test says. */
export async function openManualResolution(installation: Installation, hosts: readonly string[]) {
  const [api, gateway] = await Promise.all([
    installation.start('query-api'),
    installation.start('gateway'),
    installation.start('writer'),
  ]);
  const { sql, close } = openStore({ url: installation.database.adminUrl, max: 2 });
  const rule = (await ask('POST', '/alerts/rules', RULE)) as { id: string };
  const lines = hosts.map((host) => ({ host, count: 0 }));
  const start = Date.now() - 600_000;
  /** The running evaluators, the oldest first. */
  const evaluators: ServiceProcess[] = [];
  const hostsListedTwice = new Set<string>();
  let stopped = false;
  let resolved = 0;
  let work: Promise<unknown> = Promise.resolve();

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Sends the next payload of a host; if it is not accepted, the next call sends it again. */
  async function send(line: { host: string; count: number }, cpu: number): Promise<void> {
    const timestamp = new Date(start + line.count * STEP_MS).toISOString();
    const payload = { host: line.host, timestamp, metrics: { cpu_percent: cpu } };
    const answer = await ingest(gateway, installation, payload).catch(() => null);
    if (answer?.status === 200) line.count += 1;
  }

  async function feed(line: { host: string; count: number }): Promise<void> {
    while (!stopped) {
      await send(line, line.count % CYCLE === CYCLE - 1 ? CLEAR : BREACH);
      await sleep(20);
    }
  }

  async function activeAlerts(): Promise<Alert[]> {
    const { alerts } = (await ask('GET', `/alerts?rule_id=${rule.id}&limit=100`)) as { alerts: Alert[] };
    const listed = alerts.map(({ host }) => host);
    for (const host of listed.filter((name, index) => listed.indexOf(name) < index))
      hostsListedTwice.add(host);
    return alerts;
  }

  /** Resolves every active alert by hand, and returns their ids. */
  async function resolveAll(): Promise<string[]> {
    const ids = (await activeAlerts()).map(({ id }) => id);
    for (const id of ids) {
      const { resolution } = (await ask('POST', `/alerts/${id}/resolve`)) as Alert;
      if (resolution === 'manual') resolved += 1;
    }
    return ids;
  }

  async function keepResolving(): Promise<void> {
    while (!stopped) {
      await resolveAll();
      await sleep(10);
    }
  }

  return {
    /** Hosts that a list of active alerts contained more than once. */
    hostsListedTwice,
    async evaluatorJoins() {
      evaluators.push(await installation.start('evaluator'));
    },
    /** Kills the oldest evaluator. */
    async evaluatorIsKilled() {
      const oldest = evaluators.shift();
      oldest?.signal('SIGKILL');
      await oldest?.ended;
    },
    /** Stops the oldest evaluator as an operator does; returns its exit code. */
    async evaluatorLeaves() {
      const oldest = evaluators.shift();
      await oldest?.stop();
      return oldest?.ended;
    },
    /** Sends payloads of every host and resolves every alert by hand, until `stopFeeding`. */
    feedHosts() {
      work = Promise.all([...lines.map(feed), keepResolving()]);
      // Failures are reported by `areResolved` and `stopFeeding`.
      work.catch(() => undefined);
    },
    /** Resolves once `count` further alerts were resolved by hand. */
    async areResolved(count: number) {
      const wanted = resolved + count;
      const reached = async () => {
        while (!stopped && resolved < wanted) await sleep(50);
      };
      await Promise.race([work, reached()]);
    },
    async stopFeeding() {
      stopped = true;
      await work;
    },
    resolveAll,
    /** Sends another payload of each host, which the gateway must accept. */
    async send(cpu: number) {
      for (const line of lines) {
        const { count } = line;
        while (line.count === count) await send(line, cpu);
      }
    },
    async activeIds() {
      return (await activeAlerts()).map(({ id }) => id);
    },
    /**
     * The number of active alerts in each place that counts them, and of manual resolutions that no evaluator has applied.
     */
    async counts() {
      const [row] = await sql`
        select (select count(*)::int from alerts where rule_id = ${rule.id} and status = 'active') as active,
          (select count(distinct host)::int from alerts where rule_id = ${rule.id} and status = 'active') as hosts,
          (select count(*)::int from rule_states where rule_id = ${rule.id}) as states,
          (select coalesce(sum(firing_count), 0)::int from rule_activity where rule_id = ${rule.id}) as firing,
          (select coalesce(sum(active_warning), 0)::int from services) as shown,
          (select count(*)::int from resolved_by_hand) as waiting`;
      return { ...row };
    },
    /** Every alert with the number of its events for each transition. */
    async events() {
      return await sql<{ id: string; status: string; fired: number; resolved: number }[]>`
        select a.id, a.status, count(*) filter (where o.event ->> 'type' = 'alert.fired')::int as fired,
          count(*) filter (where o.event ->> 'type' = 'alert.resolved')::int as resolved
        from alerts a left join outbox o on o.event ->> 'subject' = a.id
        where a.rule_id = ${rule.id} group by 1, 2`;
    },
    close,
  };
}
