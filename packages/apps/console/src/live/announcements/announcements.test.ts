import { expect, it } from 'vitest';
import { announcementOf } from './announcements.ts';

it.each([
  [1, 'db-03: memory_percent is 98 %, above 97 %.', 'New alert: db-03: memory_percent is 98 %, above 97 %.'],
  [3, 'db-03: memory_percent is 98 %, above 97 %.', '3 new alerts.'],
])('announces %i alerts, the last of which is "%s", as one sentence', (count, summary, sentence) => {
  expect(announcementOf(count, summary)).toBe(sentence);
});
