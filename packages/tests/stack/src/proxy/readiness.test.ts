import { SERVICE_NAMES, type ServiceName } from '@tidewatch/contracts/system/service-names';
import { expect, it } from 'vitest';
import { combine, type MemberReadiness } from './readiness.ts';

const READY = { status: 'ready', reasons: [], topology: 'distributed' };

const member = (role: ServiceName, readiness: MemberReadiness | null = { ...READY, role }) => ({
  role,
  url: `http://${role}`,
  readiness,
});

const others = (...without: ServiceName[]) =>
  SERVICE_NAMES.filter((role) => !without.includes(role)).map((role) => member(role));

const broken = { status: 'unavailable', reasons: ['Kafka cannot be reached'] };

it.each([
  { title: 'is ready while every process is', members: others(), status: 'ready', reasons: [] },
  {
    title: 'is degraded without a notifier, because samples are still stored and evaluated',
    members: [...others('notifier'), member('notifier', null)],
    status: 'degraded',
    reasons: ['notifier: does not answer at http://notifier'],
  },
  {
    title: 'is unavailable without a writer',
    members: [...others('writer'), member('writer', null)],
    status: 'unavailable',
    reasons: ['writer: does not answer at http://writer'],
  },
  {
    title: 'is unavailable while its only gateway is',
    members: [...others('gateway'), member('gateway', broken)],
    status: 'unavailable',
    reasons: ['gateway: Kafka cannot be reached'],
  },
  {
    title: 'is degraded while one of two gateways is unavailable, and gives a reason of both once',
    members: [
      ...others(),
      member('gateway', broken),
      member('investigator', { status: 'degraded', reasons: ['it waits'] }),
      member('investigator', { status: 'degraded', reasons: ['it waits'] }),
    ],
    status: 'degraded',
    reasons: ['gateway: Kafka cannot be reached', 'investigator: it waits'],
  },
])('the readiness of the stack $title', ({ members, status, reasons }) => {
  expect(combine(members)).toMatchObject({ status, reasons, topology: 'distributed' });
});
