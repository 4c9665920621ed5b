import { expect, it } from 'vitest';
import { announcementOf } from './announcements.ts';

it.each([
  [['db-03: memory_percent is 98 %, above 97 %.'], 'New alert: db-03: memory_percent is 98 %, above 97 %.'],
  [['a', 'b', 'c'], '3 new alerts.'],
])('announces %j as one sentence', (summaries, sentence) => {
  expect(announcementOf(summaries)).toBe(sentence);
});
