import type { Event } from '@tidewatch/api-client/events';
import { expect, it } from 'vitest';
import { type EventLog, logAfter, MAX_LOGGED } from './event-log.ts';

const event = (id: number) => ({ id: `evt_${id}` }) as Event;
const EMPTY: EventLog = { since: 7, events: [], dropped: 0 };

it('has the newest event first, whatever batches the events came in', () => {
  const log = logAfter(logAfter(EMPTY, [event(1), event(2)]), [event(3)]);
  expect(log).toEqual({ since: 7, events: [event(3), event(2), event(1)], dropped: 0 });
});

it('keeps a bounded number of events and counts those that it left out', () => {
  const many = Array.from({ length: MAX_LOGGED + 20 }, (_, index) => event(index));
  const log = logAfter(logAfter(EMPTY, many), [event(-1)]);
  expect([log.events.length, log.dropped, log.events[0]?.id]).toEqual([MAX_LOGGED, 21, 'evt_-1']);
});
