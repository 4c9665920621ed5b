import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { anAlert, aResolvedAlert, NOW } from '@tidewatch/domain/notification/notice.fixture';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Destination } from '../notice.ts';
import { type PagerdutyStandIn, ROUTING_KEY, startPagerduty } from '../testing/pagerduty-stand-in.ts';
import { destination, digestOf, noticeOf, openSender } from '../testing/sender.harness.ts';

let pagerduty: PagerdutyStandIn;
let service: Destination;
const sender = openSender({ publicUrl: 'https://tw.example' });

beforeEach(async () => {
  pagerduty = await startPagerduty();
  service = destination('pagerduty', { routing_key: ROUTING_KEY, api_url: pagerduty.url('/v2/enqueue') });
});
afterEach(() => pagerduty.close());

const numbered = (i: number): Partial<Alert> => {
  return { id: `alr_${String(i).padStart(32, '0')}`, fired_at: new Date(NOW + i).toISOString() };
};

it('a PagerDuty incident is opened when the alert fires and resolved when it resolves', async () => {
  const { id } = anAlert();
  expect(await sender.send(service, noticeOf(anAlert()), null)).toEqual({
    status: 'delivered',
    reference: id,
  });
  expect(pagerduty.incidents.get(id)).toMatchObject({
    open: true,
    payload: {
      summary: 'web-01: CPU is busy. web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes.',
      source: 'web-01',
      severity: 'critical',
      custom_details: { value: '97.5 %', top_processes: ['example (pid 4711), 93 % CPU, 100 MiB memory'] },
    },
  });
  expect(await sender.send(service, noticeOf(aResolvedAlert()), id)).toMatchObject({ status: 'delivered' });
  expect([...pagerduty.incidents.values()].map(({ open }) => open)).toEqual([false]);
});

it('a PagerDuty incident is updated when the alert escalates', async () => {
  await sender.send(service, noticeOf(anAlert({ severity: 'warning' })), null);
  await sender.send(service, noticeOf(anAlert(), 'escalated'), anAlert().id);
  expect([...pagerduty.incidents.values()]).toMatchObject([
    { open: true, payload: { severity: 'critical' } },
  ]);
});

it('a digest opens one PagerDuty incident', async () => {
  const storm = Array.from({ length: 5_000 }, (_, i) => anAlert(numbered(i)));
  const notice = digestOf([anAlert(), ...storm]);
  expect(await sender.send(service, notice, null)).toMatchObject({ status: 'delivered' });
  expect([...pagerduty.incidents.keys()]).toEqual([notice.event.id]);
});

it('a digest of resolutions resolves the PagerDuty incidents of the 50 alerts that fired first', async () => {
  const early = [1, 2, 3, 4, 5].map((i) => anAlert(numbered(i)));
  for (const alert of early) await sender.send(service, noticeOf(alert), null);
  const resolved = Array.from({ length: 200 }, (_, i) => aResolvedAlert(numbered(i)));
  const notice = digestOf([aResolvedAlert(numbered(200)), ...resolved.reverse()]);
  expect(await sender.send(service, notice, null)).toMatchObject({ status: 'delivered' });
  expect([...pagerduty.incidents.values()].filter(({ open }) => open)).toEqual([]);
  expect(pagerduty.got.length).toBe(5 + 50);
});

it('the error of a refused PagerDuty event has the error code of PagerDuty', async () => {
  const wrong = destination('pagerduty', { routing_key: 'x', api_url: pagerduty.url() });
  expect(await sender.send(wrong, noticeOf(anAlert()), null)).toEqual({
    status: 'failed',
    retryable: false,
    retryAfterMs: null,
    error: 'answered 400 (invalid event)',
  });
});
