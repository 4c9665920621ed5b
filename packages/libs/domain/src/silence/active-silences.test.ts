import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ActiveSilences } from './active-silences.ts';
import { matchersOf, ORGANIZATION, silenceOf } from './silence.fixture.ts';
import type { CompiledSilence, SilenceTerms } from './silence.ts';

const alert = { ruleId: 'rul_1', severity: 'warning', subject: { kind: 'host', name: 'web-1' } } as const;
const hosts = (...names: string[]): Partial<SilenceTerms> => ({ matchers: matchersOf({ hosts: names }) });
const mutes = (silences: CompiledSilence[], at: number, host = 'web-1', tags = {}) =>
  new ActiveSilences(silences, at).muting(ORGANIZATION, host, tags, alert);

describe('active silences', () => {
  test('mute what they match while they are active', () => {
    const silence = silenceOf(hosts('web-*'));
    expect([999, 1_000, 1_999, 2_000].map((at) => mutes([silence], at)?.id)).toEqual([
      undefined,
      'sil_1',
      'sil_1',
      undefined,
    ]);
    expect(mutes([silence], 1_500)).toEqual({ id: 'sil_1', until: 2_000 });
    expect(mutes([silence], 1_500, 'db-1')).toBeNull();
    expect(new ActiveSilences([silence], 1_500).muting('org_2', 'web-1', {}, alert)).toBeNull();
  });

  test('mute by the one that lasts longest if several match', () => {
    const longer = silenceOf({ ...hosts('web-1'), id: 'sil_2', until: 3_000 });
    const same = silenceOf({ ...hosts('*'), id: 'sil_0', until: 3_000 });
    expect(mutes([silenceOf(hosts('web-1')), longer], 1_500)?.id).toBe('sil_2');
    expect(mutes([longer, same], 1_500)?.id).toBe('sil_0');
    expect(mutes([same, longer], 1_500)?.id).toBe('sil_0');
  });

  test('cover a whole host only if they match by hosts alone', () => {
    const whole = silenceOf({ matchers: matchersOf({ tags: { env: ['prod', 'stage-*'] } }) });
    const part = silenceOf({
      matchers: matchersOf({ hosts: ['*'], severities: ['warning', 'critical', 'info'] }),
    });
    const active = new ActiveSilences([whole, part], 1_500);
    expect(active.whole).toEqual([whole]);
    expect(active.covers(ORGANIZATION, 'x', { env: 'stage-1' })).toBe(true);
    expect(active.covers(ORGANIZATION, 'x', { env: 'test' })).toBe(false);
    expect(active.covers(ORGANIZATION, 'x', {})).toBe(false);
    expect(active.covers('org_2', 'x', { env: 'prod' })).toBe(false);
  });

  test('are valid until the next silence begins or ends', () => {
    const later = silenceOf({ from: 1_700, until: 9_000, endsAt: 9_000 });
    expect(
      [0, 1_000, 1_800, 2_500, 9_000].map((at) => new ActiveSilences([silenceOf(), later], at).validUntil),
    ).toEqual([1_000, 1_700, 2_000, 9_000, Number.POSITIVE_INFINITY]);
  });

  test('are found by the index as if each was tested', () => {
    const name = fc.constantFrom('web-1', 'web-2', 'db-1', 'web-*', '*-1', '*');
    const some = fc.record({
      hosts: fc.array(name, { maxLength: 3 }),
      tags: fc.constantFrom<Record<string, string | string[]>[]>(
        {},
        { env: 'prod' },
        { env: ['*'] },
        { env: ['prod', 'x'] },
        { env: 'y' },
      ),
      from: fc.integer({ min: 0, max: 50 }),
      length: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 8 }),
        fc.constantFrom<Record<string, string>[]>({}, { env: 'prod' }),
        fc.integer({ min: 0, max: 100 }),
        (list, tags, at) => {
          const silences = list.map(({ from, length, ...matchers }, index) =>
            silenceOf({ id: `sil_${index}`, matchers: matchersOf(matchers), from, until: from + length }),
          );
          for (const host of ['web-1', 'web-2', 'db-1']) {
            const matching = silences.filter(
              (each) => each.stateAt(at).status === 'active' && each.matchesHost(host, tags),
            );
            const ends = matching.map((each) => each.stateAt(at).until);
            const found = mutes(silences, at, host, tags);
            expect(found?.until ?? null).toBe(ends.length === 0 ? null : Math.max(...ends));
            expect(new ActiveSilences(silences, at).covers(ORGANIZATION, host, tags)).toBe(
              matching.length > 0,
            );
          }
        },
      ),
    );
  });
});
