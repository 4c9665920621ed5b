import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { isArchivable } from './archiving.ts';

const AFTER = { anyMs: 7 * DAY_MS, ephemeralMs: DAY_MS };

test.each<[Record<string, string>, number, boolean]>([
  [{}, 7 * DAY_MS - 1, false],
  [{}, 7 * DAY_MS, true],
  [{ ephemeral: 'true' }, DAY_MS - 1, false],
  [{ ephemeral: 'true' }, DAY_MS, true],
  [{ ephemeral: 'false' }, DAY_MS, false],
  [JSON.parse('{"__proto__":"x"}'), 7 * DAY_MS, true],
])('%j, offline for %d ms', (tags, offlineMs, archivable) => {
  expect(isArchivable(AFTER, tags, 1_000, 1_000 + offlineMs)).toBe(archivable);
});
