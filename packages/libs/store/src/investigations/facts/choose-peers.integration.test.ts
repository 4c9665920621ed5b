import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { storeForFile } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { choosePeers } from './choose-peers.ts';

const NOW = Date.UTC(2026, 10, 21);

interface Host {
  tags: Record<string, string>;
  /** When the alert fired, in minutes before the end of the window, and whether it is still active. */
  alert: { minutesAgo: number; active: boolean; shadow: boolean } | null;
  gone: 'deleted' | 'archived' | null;
}

const admin = await storeForFile({ organizations: ['org_1', 'org_2'] });

beforeEach(async () => {
  await admin.sql`delete from alerts`;
  await admin.sql`delete from services`;
});

async function store(org: string, hosts: readonly Host[]): Promise<void> {
  for (const [index, { tags, alert, gone }] of hosts.entries()) {
    const id = `${org}_${index}`;
    await admin.sql`
      insert into services (organization_id, id, host, tags, first_seen, status_since, deleted_at, archived_at)
      values (${org}, ${id}, ${id}, ${JSON.stringify(tags)}::text::jsonb, ${NOW}, ${NOW},
        ${gone === 'deleted' ? NOW : null}, ${gone === 'archived' ? NOW : null})`;
    if (alert === null) continue;
    const fired = new Date(NOW - alert.minutesAgo * MINUTE_MS).toISOString();
    await admin.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, context, shadow)
      values (${org}, ${`alr_${id}`}, 'rule', 'r', 1, ${id}, ${id}, 'host', '', ${alert.active ? 'active' : 'resolved'},
        'firing', 'critical', 'm', 'greater_than', '', ${fired}::text::timestamptz, '{}', ${alert.shadow})`;
  }
}

const choose = (serviceId: string, tags: Record<string, string>, maxPeers: number) =>
  admin.transact((tx) =>
    choosePeers(
      tx,
      {
        organizationId: 'org_1',
        serviceId,
        metric: null,
        alertIds: [],
        question: null,
        maxPeers,
        from: NOW - 30 * MINUTE_MS,
        to: NOW,
        retained: { raw: 0, '1m': 0, '1h': 0, '1d': 0 },
        signal: new AbortController().signal,
      },
      tags,
    ),
  );

/** Chooses peers by the documented rules from a list of all hosts, as a reference. */
function expected(hosts: readonly Host[], self: number, atMost: number): string[] {
  const own = Object.entries(hosts[self]?.tags ?? {});
  const others = hosts.flatMap(({ tags, alert, gone }, index) => {
    const id = `org_1_${index}`;
    const alerting =
      alert !== null && !alert.shadow && alert.minutesAgo > 0 && (alert.active || alert.minutesAgo <= 30);
    const common = own.filter(([name, value]) => tags[name] === value).length;
    const draw = createHash('md5').update(id).digest('hex');
    return gone !== null || index === self ? [] : [{ id, alerting, common, draw }];
  });
  const drawn = others.toSorted((a, b) => (a.draw < b.draw ? -1 : 1));
  const alike = drawn.toSorted((a, b) => b.common - a.common);
  const chosen = alike.filter((host) => host.alerting).slice(0, Math.ceil(atMost * 0.4));
  const fill = (from: typeof others, until: number) => {
    for (const host of from) if (chosen.length < until && !chosen.includes(host)) chosen.push(host);
  };
  fill(alike, Math.ceil(atMost * 0.8));
  fill(drawn, atMost);
  return chosen.map((host) => host.id);
}

const host: fc.Arbitrary<Host> = fc.record({
  tags: fc.dictionary(fc.constantFrom('region', 'role', 'rack'), fc.constantFrom('a', 'b', "it's"), {
    maxKeys: 3,
  }),
  alert: fc.option(
    fc.record({
      minutesAgo: fc.constantFrom(0, 1, 30, 31, 600),
      active: fc.boolean(),
      shadow: fc.constantFrom(false, false, true),
    }),
  ),
  gone: fc.constantFrom(null, null, null, 'deleted', 'archived'),
});

test('peers are hosts with alerts, the most similar hosts and a random sample, all with data in the window', async () => {
  const fleet = fc.array(host, { minLength: 2, maxLength: 25 });
  await fc.assert(
    fc
      .asyncProperty(fleet, fc.integer({ min: 1, max: 12 }), async (hosts, atMost) => {
        await store('org_1', hosts);
        await store('org_2', hosts.slice(0, 2));
        const { peers, leftOut } = await choose('org_1_0', hosts[0]?.tags ?? {}, atMost);
        expect(peers.map((peer) => peer.serviceId)).toEqual(expected(hosts, 0, atMost));
        const living = hosts.filter(({ gone }, index) => gone === null && index !== 0);
        expect(peers.length + leftOut).toBe(living.length);
        for (const peer of peers)
          expect(peer.tags).toEqual(hosts[Number(peer.serviceId.slice('org_1_'.length))]?.tags);
      })
      .beforeEach(async () => {
        await admin.sql`delete from alerts`;
        await admin.sql`delete from services`;
      }),
    { numRuns: 25 },
  );
});

test('if there are too many alerts to read, peers with alerts are found by the newest active alerts and the first ones of the window', async () => {
  const one = (minutesAgo: number, active: boolean): Host => ({
    tags: {},
    alert: { minutesAgo, active, shadow: false },
    gone: null,
  });
  const quiet: Host = { tags: {}, alert: null, gone: null };
  await store('org_1', [quiet, one(29, false), one(20, true), one(10, false), one(2, true), one(1, false)]);
  for (const [status, minutesAgo] of [
    ['active', 9],
    ['resolved', 25],
  ] as const)
    await admin.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, summary, fired_at, context)
      select 'org_1', 'alr_' || ${status} || n, 'rule', 'r', 1, 'org_1_4', 'org_1_4', 'host', '', ${status}, 'firing',
        'critical', 'm', 'greater_than', '', ${new Date(NOW - minutesAgo * MINUTE_MS).toISOString()}::text::timestamptz, '{}'
      from generate_series(1, 999) n`;
  // Two of the three peers are hosts with alerts; only the first and the fourth host are found to have alerts.
  const { peers } = await choose('org_1_0', {}, 3);
  expect(peers.map((peer) => peer.serviceId).slice(0, 2)).toEqual(['org_1_1', 'org_1_4']);
});

test('the alerts of the investigated host do not displace those of other hosts when peers are chosen', async () => {
  const quiet: Host = { tags: {}, alert: null, gone: null };
  await store('org_1', [
    ...[quiet, quiet, quiet],
    { tags: {}, alert: { minutesAgo: 600, active: true, shadow: false }, gone: null },
  ]);
  await admin.sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
      status, state, severity, metric, condition, summary, fired_at, context)
    select 'org_1', 'alr_' || n, 'rule', 'r', 1, 'org_1_0', 'org_1_0', 'host', '', 'active', 'firing', 'critical', 'm',
      'greater_than', '', ${new Date(NOW - MINUTE_MS).toISOString()}::text::timestamptz, '{}' from generate_series(1, 1_200) n`;
  const { peers } = await choose('org_1_0', {}, 1);
  expect(peers.map((peer) => peer.serviceId)).toEqual(['org_1_3']);
});
