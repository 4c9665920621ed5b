import { expect, test } from 'vitest';
import { ActiveSilences } from './active-silences.ts';
import { mutedAfter, type UnmutedAlert } from './after-end.ts';
import { ORGANIZATION, silenceOf } from './silence.fixture.ts';
import type { SilenceTerms } from './silence.ts';

const NEVER = Number.POSITIVE_INFINITY;
const HOUR = 3_600_000;
const alert: UnmutedAlert = {
  ...{ organizationId: ORGANIZATION, host: 'web-1', tags: {} },
  ...{ ruleId: 'rul_1', severity: 'warning', subject: { kind: 'host', name: 'web-1' } },
};

const from = (start: number, until: number, more: Partial<SilenceTerms> = {}): Partial<SilenceTerms> => ({
  id: `sil_${start}`,
  from: start,
  until,
  ...more,
});
/** Every other hour for ever. */
const recurring = from(0, HOUR, { recurrence: 'FREQ=HOURLY;INTERVAL=2', endsAt: NEVER });

test.each<[string, others: Partial<SilenceTerms>[], endedAt: number, now: number, by: string | null]>([
  ['nothing else is there', [], 100, 200, null],
  ['another goes on', [from(50, 300)], 100, 200, 'sil_50'],
  ['another ended at the same moment', [from(50, 100)], 100, 200, null],
  ['another began at the same moment', [from(100, 300)], 100, 200, 'sil_100'],
  ['another has ended since, and nothing followed it', [from(50, 150)], 100, 200, null],
  ['others took turns up to now', [from(50, 150), from(120, 180), from(170, 300)], 100, 200, 'sil_170'],
  ['another began a moment too late, though it is active now', [from(101, 300)], 100, 200, null],
  ['another was ended by hand since', [from(50, 300, { endedAt: 150 })], 100, 200, null],
  ['its own window has come round again since', [recurring], HOUR, 2 * HOUR + 1, null],
  [
    'its next window began before the last ended',
    [{ ...recurring, until: 2 * HOUR + 10 }],
    2 * HOUR + 10,
    2 * HOUR + 20,
    'sil_0',
  ],
])('an alert where %s', (_, others, endedAt, now, by) => {
  const silences = others.map((terms) => silenceOf(terms));
  const muting = mutedAfter(alert, endedAt, now, (at) => new ActiveSilences(silences, at));
  expect(muting?.id ?? null).toBe(by);
  if (muting) expect(muting.until).toBeGreaterThan(now);
});
