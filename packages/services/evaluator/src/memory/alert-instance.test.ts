import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { newId } from '@tidewatch/contracts/values/id';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import { compileRule } from '@tidewatch/domain/rules/rule';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ActiveRows } from './active-rows.ts';
import { AlertInstance } from './alert-instance.ts';
import { newService } from './loading/load-services.ts';
import { Stream } from './stream.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const now = Date.now();
const definition = definitionOf({ metric: 'm', condition: 'greater_than', threshold: 1 });
const rule = compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition });
const rows = new ActiveRows();
const service = newService('org_1', 'svc_1', 'host', now, rows);
const stream = new Stream(service, { subject: service.subject, metric: 'm', key: 'm' }, 0, NEVER);

// Sample times near the present, long ago and years ahead: only near ones are stored as small integers.
const time = fc.oneof(
  fc.integer({ min: now - 86_400_000, max: now + 60_000 }),
  fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }),
);
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const level = fc.record({
  state: fc.constantFrom('pending' as const, 'firing' as const, 'recovering' as const),
  pendingSince: time,
  clearSince: fc.option(time),
});
const levels = fc.option(fc.record({ critical: level, warning: level, info: level }, { requiredKeys: [] }));
const common = {
  pendingSince: time,
  evaluatedAt: time,
  severity: fc.constantFrom(...SEVERITIES),
  levels,
  missed: fc.integer({ min: 0, max: 2 }),
};
const pending = fc.record({ ...common, value }).map(
  (state): AlertInstanceState => ({
    ...state,
    state: 'pending',
    clearSince: null,
    peakValue: state.value,
    flapCount: 0,
    firedAt: null,
    valueAtFire: null,
    noData: false,
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

const place = fc.record({
  topic: fc.constantFrom('samples', 'tidewatch.samples', ''),
  partition: fc.nat(),
  offset: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String), fc.constantFrom('0', '007', '')),
});
const alertId = fc.oneof(
  fc.integer().map(() => newId('alr')),
  fc.constantFrom(
    'alr_0197f3a1c0de7b3c9a51d2e4f6a80b1c',
    'alr_00000000000000000000000000000000',
    'alr_1',
    '',
  ),
);

test('an alert instance returns any state as it was set', () => {
  const state = fc.oneof(pending, active);
  fc.assert(
    fc.property(state, state, fc.boolean(), (first, second, dirty) => {
      const instance = new AlertInstance(stream, rule, NEVER);
      for (const each of [
        first,
        { ...second, evaluatedAt: Math.max(first.evaluatedAt, second.evaluatedAt) },
      ]) {
        instance.dirty = dirty;
        instance.state = each;
        expect(instance.state).toEqual(each);
        expect([instance.phase, instance.evaluatedAt, instance.dirty]).toEqual([
          each.state,
          each.evaluatedAt,
          dirty,
        ]);
      }
      instance.state = null;
      expect([instance.state, instance.phase, instance.opened, instance.dirty]).toEqual([
        null,
        null,
        null,
        dirty,
      ]);
    }),
  );
});

test('only a pending alert instance keeps the sample that began it', () => {
  const opening = fc.record({ at: time, value: fc.option(value), place: fc.option(place) });
  fc.assert(
    fc.property(pending, pending, active, opening, (first, later, then, opened) => {
      const instance = new AlertInstance(stream, rule, NEVER);
      instance.opened = opened;
      expect(instance.opened).toBeNull();
      instance.state = first;
      expect(instance.opened).toBeNull();
      instance.opened = opened;
      instance.state = later;
      expect(instance.opened).toEqual(opened);
      instance.state = then;
      expect(instance.opened).toBeNull();
      expect(instance.state?.firedAt).toBe(then.firedAt);
    }),
  );
});

test('a new alert instance has the evaluated time that it was created with, or none', () => {
  expect(new AlertInstance(stream, rule, NEVER)).toMatchObject({
    evaluatedAt: NEVER,
    storedAt: NEVER,
    stored: false,
  });
  expect(new AlertInstance(stream, rule, now)).toMatchObject({
    evaluatedAt: now,
    storedAt: now,
    shadow: false,
  });
});

test('an alert instance keeps its alert id through any change of state until it is set to null', () => {
  const state = fc.oneof(pending, active, fc.constant(null));
  fc.assert(
    fc.property(state, fc.array(state), alertId, alertId, (first, states, id, next) => {
      const instance = new AlertInstance(stream, rule, NEVER);
      instance.state = first;
      expect(instance.alertId).toBeNull();
      instance.alertId = id;
      for (const each of states) {
        instance.state = each;
        expect([instance.alertId, instance.phase]).toEqual([id, each?.state ?? null]);
      }
      const last = instance.state;
      instance.alertId = null;
      expect([instance.alertId, instance.state]).toEqual([null, last]);
      instance.alertId = next;
      expect([instance.alertId, instance.state]).toEqual([next, last]);
    }),
  );
});

test('an alert instance that ends gives its row back and leaves the rows of others unchanged', () => {
  const state = fc.oneof(pending, active);
  const run = fc.record({ state, id: fc.option(alertId), opened: fc.record({ at: time, value, place }) });
  fc.assert(
    fc.property(fc.array(fc.array(fc.option(run), { minLength: 3, maxLength: 3 })), (rounds) => {
      const former = rows.held;
      const instances = Array.from({ length: 3 }, () => new AlertInstance(stream, rule, NEVER));
      for (const round of rounds) {
        for (const [index, each] of round.entries()) {
          const instance = instances[index] as AlertInstance;
          instance.evaluatedAt = NEVER;
          instance.state = null;
          instance.alertId = null;
          if (each === null) continue;
          instance.state = each.state;
          if (each.state.state === 'pending') instance.opened = each.opened;
          else instance.alertId = each.id;
        }
        for (const [index, each] of round.entries()) {
          const { state: kept, alertId: id, opened } = instances[index] as AlertInstance;
          const isPending = each?.state.state === 'pending';
          expect([kept, id]).toEqual([each?.state ?? null, isPending ? null : (each?.id ?? null)]);
          expect(opened).toEqual(isPending ? each?.opened : null);
        }
      }
      for (const [index, instance] of instances.entries()) {
        // Tries both orders: evaluation resets the state first, and resolving by hand resets the alert first.
        if (index === 0) instance.alertId = null;
        if (index === 2) instance.forget();
        else instance.state = null;
        if (index === 1) instance.alertId = null;
        expect([instance.state, instance.alertId, instance.opened]).toEqual([null, null, null]);
      }
      expect(rows.held).toBe(former);
    }),
  );
});
