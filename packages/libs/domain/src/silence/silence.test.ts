import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchersOf, silenceOf } from './silence.fixture.ts';
import type { SilenceTerms } from './silence.ts';

const NEVER = Number.POSITIVE_INFINITY;

describe('a silence', () => {
  test.each<[string, Partial<SilenceTerms>, at: number, status: string, until: number]>([
    ['is scheduled before it begins', {}, 999, 'scheduled', 1_000],
    ['is active from its beginning', {}, 1_000, 'active', 2_000],
    ['is active up to its end', {}, 1_999, 'active', 2_000],
    ['is expired from its end', {}, 2_000, 'expired', NEVER],
    ['is expired once it was ended by hand', { endedAt: 1_500 }, 1_500, 'expired', NEVER],
    ['is active until it was ended by hand', { endedAt: 1_500 }, 1_499, 'active', 1_500],
    ['that was ended before it began never begins', { endedAt: 500 }, 499, 'scheduled', 500],
    ['that recurs is active again in each window', daily(), 86_400_000 + 1_500, 'active', 86_400_000 + 2_000],
    ['that recurs is scheduled between two', daily(), 5_000, 'scheduled', 86_400_000 + 1_000],
    ['that recurs is expired after the last', daily(86_402_000), 86_402_000, 'expired', NEVER],
    [
      'whose windows overlap is active until the newest ends',
      { ...daily(), until: 100_000_000 },
      90_000_000,
      'active',
      86_400_000 + 100_000_000,
    ],
  ])('%s', (_, terms, at, status, until) => {
    expect(silenceOf(terms).stateAt(at)).toMatchObject({ status, until });
  });

  test('returns the same result, whatever calls came before', () => {
    const terms = {
      recurrence: 'FREQ=HOURLY;INTERVAL=2',
      from: 0,
      until: HOUR_MS,
      endsAt: NEVER,
      endedAt: 100 * HOUR_MS,
    };
    const asked = silenceOf(terms);
    fc.assert(
      fc.property(fc.integer({ min: -HOUR_MS, max: 110 * HOUR_MS }), (at) => {
        const { status, until } = asked.stateAt(at);
        expect(silenceOf(terms).stateAt(at)).toMatchObject({ status, until });
        const active = at >= 0 && at < 100 * HOUR_MS && Math.floor(at / HOUR_MS) % 2 === 0;
        expect(status === 'active').toBe(active);
        if (until !== NEVER) expect(silenceOf(terms).stateAt(until).status).not.toBe(status);
      }),
    );
  });

  test.each<[string, Partial<SilenceTerms>, from: number, to: number, windows: [number, number][]]>([
    ['once has its window', {}, 0, 5_000, [[1_000, 2_000]]],
    ['has a window that overlaps the start', {}, 1_999, 5_000, [[1_000, 2_000]]],
    ['has no window that ends where the range starts', {}, 2_000, 5_000, []],
    ['has no window that begins where the range ends', {}, 0, 1_000, []],
    ['that was ended by hand ends its window then', { endedAt: 1_500 }, 0, 5_000, [[1_000, 1_500]]],
    [
      'that recurs has a window for each day',
      daily(),
      1_500,
      2 * DAY_MS + 1_001,
      [0, 1, 2].map((day) => [day * DAY_MS + 1_000, day * DAY_MS + 2_000]),
    ],
    ['that recurs has none after its last', daily(2_000), 2_000, 9 * DAY_MS, []],
  ])('%s within a range', (_, terms, from, to, windows) => {
    const found = [...silenceOf(terms).windowsWithin(from, to)].map(({ from, until }) => [from, until]);
    expect(found).toEqual(windows);
  });

  test('is active exactly within its windows', () => {
    const terms = { recurrence: 'FREQ=HOURLY;INTERVAL=2', from: 0, until: 3 * HOUR_MS, endsAt: NEVER };
    const windows = [...silenceOf(terms).windowsWithin(-HOUR_MS, 60 * HOUR_MS)];
    const silence = silenceOf(terms);
    fc.assert(
      fc.property(fc.integer({ min: -HOUR_MS, max: 60 * HOUR_MS - 1 }), (at) => {
        const within = windows.some(({ from, until }) => at >= from && at < until);
        expect(silence.stateAt(at).status === 'active').toBe(within);
      }),
    );
  });

  const alert = {
    ruleId: 'rul_1',
    severity: 'warning',
    subject: { kind: 'container', name: 'api-1' },
  } as const;
  test.each<[string, Parameters<typeof matchersOf>[0], boolean]>([
    ['that asks for hosts alone takes any', { hosts: ['web'] }, true],
    ['takes a rule that it names', { rule_ids: ['rul_2', 'rul_1'] }, true],
    ['takes no other rule', { rule_ids: ['rul_2'] }, false],
    ['takes a severity that it names', { severities: ['critical', 'warning'] }, true],
    ['takes no other severity', { severities: ['critical'] }, false],
    ['takes a subject by its pattern', { subjects: [{ kind: 'container', name: 'api-*' }] }, true],
    ['takes no subject of another kind', { subjects: [{ kind: 'process', name: 'api-*' }] }, false],
    ['asks for everything that it names', { rule_ids: ['rul_1'], severities: ['info'] }, false],
  ])('%s', (_, matchers, wanted) => {
    expect(silenceOf({ matchers: matchersOf(matchers) }).matchesAlert(alert)).toBe(wanted);
  });

  test('takes a part by its kind and name', () => {
    const ofParts = silenceOf({
      matchers: matchersOf({ subjects: [{ kind: 'part', name: 'filesystem:/var*' }] }),
    });
    const matches = (name: string) => ofParts.matchesAlert({ ...alert, subject: { kind: 'part', name } });
    expect(['filesystem:/var/log', 'filesystem:/', 'disk:/var'].map(matches)).toEqual([true, false, false]);
  });
});

/** Terms of a silence that lasts from 1,000 to 2,000 ms of each day. */
function daily(endsAt = NEVER): Partial<SilenceTerms> {
  return { recurrence: 'FREQ=DAILY', endsAt };
}
