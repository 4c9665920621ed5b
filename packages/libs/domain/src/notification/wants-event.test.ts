import { NOTICE_EVENTS, type NoticeEvent } from '@tidewatch/contracts/channels/notice-events';
import { expect, it } from 'vitest';
import { wantsEvent } from './wants-event.ts';

const wanted = (...events: NoticeEvent[]) => NOTICE_EVENTS.filter((type) => wantsEvent(events, type));

it.each<[NoticeEvent[], NoticeEvent[]]>([
  [['alert.fired'], ['alert.fired', 'alert.silence_ended', 'alert.digest']],
  [['alert.resolved'], ['alert.resolved', 'alert.digest']],
  [['alert.escalated'], ['alert.escalated', 'alert.silence_ended']],
  [['alert.digest'], ['alert.digest']],
  [[...NOTICE_EVENTS], [...NOTICE_EVENTS]],
])('a webhook with the events %j receives %j', (events, types) => {
  expect(wanted(...events)).toEqual(types);
});
