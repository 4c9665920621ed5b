import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { SEEN, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

const iso = (ms: number) => new Date(ms).toISOString();
const preview = (body: object) => client.expect(200, 'POST', '/alerts/rules/preview', body);

function ruleFor(host: string, fields: object = {}) {
  return {
    name: `preview of ${host}`,
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    duration_minutes: 5,
    scope: { hosts: [host] },
    ...fields,
  };
}

interface PreviewedAlert {
  subject: object;
  severity: string;
  pending_since: string;
  fired_at: string;
  resolved_at: string | null;
  peak_value: number;
}

function essence({
  subject,
  severity,
  pending_since,
  fired_at,
  resolved_at,
  peak_value,
}: PreviewedAlert): PreviewedAlert {
  return { subject, severity, pending_since, fired_at, resolved_at, peak_value };
}

/** Returns payloads of a host every 30 seconds from `begin` on, with high values for some minutes of each hour. */
function payloads(host: string, begin: number, hours: number) {
  return Array.from({ length: hours * 120 }, (_, index) => {
    const minute = index / 2;
    const busy = minute % 60 >= 10 && minute % 60 < 10 + (minute / 60) * 3;
    return {
      host,
      timestamp: iso(begin + minute * MINUTE_MS),
      metrics: { cpu_percent: busy ? 92 + (index % 7) : 30 },
    };
  });
}

test('a preview finds the alerts that the same rule made live', async () => {
  const host = uniqueName('e2e-preview');
  const terms = {
    threshold: null,
    keep_firing_minutes: 2,
    channels: [],
    thresholds: [
      { severity: 'warning', threshold: 90 },
      { severity: 'critical', threshold: 95, duration_minutes: 0 },
    ],
  };
  const rule = await client.expect(201, 'POST', '/alerts/rules', ruleFor(host, terms));
  const average = ruleFor(host, { transform: { kind: 'average', over_minutes: 10 }, threshold: 60 });
  const other = await client.expect(201, 'POST', '/alerts/rules', average);
  const begin = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 7 * HOUR_MS;
  // Waits until every process applies the new rule, within two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await client.ingest(payloads(host, begin, 6));
  for (const [id, tried] of [
    [rule.id, ruleFor(host, terms)],
    [other.id, average],
  ] as const) {
    const live = async () =>
      (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${id}`)).alerts.map(essence);
    const found = async () =>
      (await preview({ rule: tried, from: iso(begin), to: iso(begin + 7 * HOUR_MS) })).alerts;
    await expect.poll(async () => (await found()).length, SEEN).toBeGreaterThan(3);
    await expect
      .poll(async () => ({ live: await live() }), SEEN)
      .toEqual({ live: (await found()).map(essence) });
  }
});

test('a preview of a time without samples evaluates rollups of a minute, and counts alerts by threshold and duration', async () => {
  const host = uniqueName('e2e-preview-old');
  const begin = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 12 * DAY_MS;
  await client.ingest(payloads(host, begin, 6));
  const body = {
    rule: ruleFor(host),
    from: iso(begin),
    to: iso(begin + 12 * HOUR_MS),
    thresholds: [20, 91, 99],
    durations: [0, 5, 14],
  };
  await expect
    .poll(async () => {
      const { tier, approximate, services_evaluated, alerts_total, curve } = await preview(body);
      const counts = curve.map((point: { alerts: number }) => point.alerts);
      return { tier, approximate, services_evaluated, alerts_total, counts };
    }, SEEN)
    .toEqual({
      tier: '1m',
      approximate: true,
      services_evaluated: 1,
      alerts_total: 4,
      counts: [1, 1, 1, 6, 4, 1, 0, 0, 0],
    });
});

test('a preview of an unknown metric returns empty lists, and a rule that cannot be previewed is refused with the field', async () => {
  const rule = ruleFor(uniqueName('e2e-nobody'));
  expect(await preview({ rule })).toMatchObject({
    services_evaluated: 0,
    alerts: [],
    alerts_total: 0,
    curve: [],
  });
  const refused = await client.ask('POST', '/alerts/rules/preview', {
    rule: { ...rule, condition: 'more' },
    durations: 5,
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.map((fault: { path: string }) => fault.path)).toEqual([
    '/rule/condition',
    '/durations',
  ]);
});
