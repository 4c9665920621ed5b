import { expect, test } from 'vitest';
import { isArchivable } from './archiving.ts';

const DAY = 86_400_000;
const AFTER = { anyMs: 7 * DAY, ephemeralMs: DAY };

test.each<[Record<string, string>, number, boolean]>([
  [{}, 7 * DAY - 1, false],
  [{}, 7 * DAY, true],
  [{ ephemeral: 'true' }, DAY - 1, false],
  [{ ephemeral: 'true' }, DAY, true],
  [{ ephemeral: 'false' }, DAY, false],
  [JSON.parse('{"__proto__":"x"}'), 7 * DAY, true],
])('%j, offline for %d ms', (tags, offlineMs, archivable) => {
  expect(isArchivable(AFTER, tags, 1_000, 1_000 + offlineMs)).toBe(archivable);
});
