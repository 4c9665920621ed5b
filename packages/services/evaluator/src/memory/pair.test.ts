import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { PairState } from '@tidewatch/domain/alerting/pair-state';
import { compileRule } from '@tidewatch/domain/alerting/rule';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newService } from './load-services.ts';
import { Pair } from './pair.ts';
import { Stream } from './stream.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const now = Date.now();
const definition = definitionOf({ metric: 'm', condition: 'greater_than', threshold: 1 });
const rule = compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition });
const service = newService('org_1', 'svc_1', 'host', now);
const stream = new Stream(service, { subject: service.subject, metric: 'm', key: 'm' }, 0, NEVER);

// Times of this year, of long ago and of years ahead, since not all of them are near.
const time = fc.oneof(
  fc.integer({ min: now - 86_400_000, max: now + 60_000 }),
  fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }),
);
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const levels = fc.option(
  fc.constant({ warning: { state: 'pending' as const, pendingSince: 1, clearSince: null } }),
);
const common = {
  ...{ pendingSince: time, judgedAt: time, severity: fc.constantFrom(...SEVERITIES), levels },
  ...{ missed: fc.integer({ min: 0, max: 2 }), alertId: fc.constant(null) },
};
const pending = fc.record({ ...common, value }).map(
  (state): PairState => ({
    ...state,
    ...{ state: 'pending', clearSince: null, peakValue: state.value, flapCount: 0 },
    ...{ firedAt: null, valueAtFire: null, noData: false },
  }),
);
const active = fc.record({
  ...common,
  state: fc.constantFrom('firing' as const, 'recovering' as const),
  clearSince: fc.option(time),
  value: fc.option(value),
  peakValue: fc.option(value),
  flapCount: fc.integer({ min: 0, max: 100_000 }),
  firedAt: fc.option(time),
  valueAtFire: fc.option(value),
  noData: fc.boolean(),
});

test('any state is answered as it was given', () => {
  const state = fc.oneof(pending, active);
  fc.assert(
    fc.property(state, state, fc.boolean(), (first, second, dirty) => {
      const pair = new Pair(stream, rule, NEVER);
      for (const each of [first, { ...second, judgedAt: Math.max(first.judgedAt, second.judgedAt) }]) {
        pair.dirty = dirty;
        pair.state = each;
        expect(pair.state).toEqual(each);
        expect([pair.phase, pair.judgedAt, pair.dirty]).toEqual([each.state, each.judgedAt, dirty]);
      }
      pair.state = null;
      expect([pair.state, pair.phase, pair.opened, pair.dirty]).toEqual([null, null, null, dirty]);
    }),
  );
});

test('what is pending keeps the sample that began it, and nothing else does', () => {
  const place = { topic: 't', partition: 3, offset: '17' };
  fc.assert(
    fc.property(pending, pending, active, time, fc.option(value), (first, later, then, at, opening) => {
      const pair = new Pair(stream, rule, NEVER);
      const opened = { at, value: opening, place };
      pair.opened = opened;
      expect(pair.opened).toBeNull();
      pair.state = first;
      expect(pair.opened).toBeNull();
      pair.opened = opened;
      pair.state = later;
      expect(pair.opened).toEqual(opened);
      pair.state = then;
      expect(pair.opened).toBeNull();
      expect(pair.state?.firedAt).toBe(then.firedAt);
    }),
  );
});

test('a new pair has judged nothing, or up to when it was told', () => {
  expect(new Pair(stream, rule, NEVER)).toMatchObject({ judgedAt: NEVER, storedAt: NEVER, stored: false });
  expect(new Pair(stream, rule, now)).toMatchObject({ judgedAt: now, storedAt: now, shadow: false });
});
