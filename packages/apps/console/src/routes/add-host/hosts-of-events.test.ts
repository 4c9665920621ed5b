import type { Event } from '@tidewatch/api-client/events';
import { expect, it } from 'vitest';
import { hostsOfEvents } from './hosts-of-events.ts';

const CREATED = '2026-11-26T03:00:00.000Z';
const event = (type: string, name: string, time = '2026-11-26T03:00:05.000Z') =>
  ({ type, time, data: { service: { id: `svc_${name}`, name } } }) as unknown as Event;
const names = (events: Event[], hosts: string[] | null) =>
  hostsOfEvents(events, { created_at: CREATED, hosts }).map(({ name }) => name);

it('finds hosts that registered or came back after the key was created, the first one first', () => {
  const events = [
    event('service.online', 'c'),
    event('service.registered', 'b'),
    event('service.registered', 'a', '2026-11-26T02:59:59.000Z'),
  ];
  expect(names(events, null)).toEqual(['b', 'c']);
});

it('leaves out hosts that the key may not report for, and events that are no report', () => {
  const events = [
    event('service.registered', 'web-1'),
    event('service.registered', 'db-1'),
    event('service.offline', 'web-2'),
  ];
  expect(names(events, ['web-*'])).toEqual(['web-1']);
});
