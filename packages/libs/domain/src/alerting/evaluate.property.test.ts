import type { Condition } from '@tidewatch/contracts/rules/condition';
import { CONDITIONS } from '@tidewatch/contracts/rules/condition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleOf } from '../rules/rule.fixture.ts';
import type { AlertInstanceState } from './alert-instance-state.ts';
import { evaluate } from './evaluate.ts';

const GAP = 5 * MINUTE_MS;

interface Shape {
  condition: Condition;
  threshold: number;
  threshold_max: number | null;
  recovery_threshold: number | null;
  duration_minutes: number;
  keep_firing_minutes: number;
}

interface Outcome {
  pendingSince: number;
  firedAt: number;
  valueAtFire: number;
  flaps: number;
  resolvedAt: number | null;
}

/**
 * A slow reference implementation of alert evaluation without state: it finds each alert in the whole history of samples.
 */
function outcomes(
  shape: Shape,
  samples: readonly [number, number][],
): { alerts: Outcome[]; pendingSince: number | null } {
  const evaluated: [number, number][] = [];
  for (const sample of samples) if (evaluated.every(([time]) => time <= sample[0])) evaluated.push(sample);
  const bad = evaluated.map(([, value]) => holds(shape, value));
  const alerts: Outcome[] = [];
  let at = 0;
  while (at < evaluated.length) {
    const start = at;
    if (!bad[start]) {
      at += 1;
      continue;
    }
    let end = start;
    while (
      end + 1 < evaluated.length &&
      bad[end + 1] &&
      timeOf(evaluated, end + 1) - timeOf(evaluated, end) <= GAP
    )
      end += 1;
    const since = timeOf(evaluated, start);
    const fire = range(start, end).find(
      (index) => timeOf(evaluated, index) >= since + shape.duration_minutes * MINUTE_MS,
    );
    if (fire === undefined) {
      if (end === evaluated.length - 1) return { alerts, pendingSince: since };
      at = end + 1;
      continue;
    }
    const alert: Outcome = {
      pendingSince: since,
      firedAt: timeOf(evaluated, fire),
      valueAtFire: sampleOf(evaluated, fire),
      flaps: 0,
      resolvedAt: null,
    };
    alerts.push(alert);
    at = fire + 1;
    while (alert.resolvedAt === null && at < evaluated.length) {
      const clear = range(at, evaluated.length - 1).find(
        (index) => !bad[index] && passed(shape, sampleOf(evaluated, index)),
      );
      if (clear === undefined) return { alerts, pendingSince: null };
      const done = timeOf(evaluated, clear) + shape.keep_firing_minutes * MINUTE_MS;
      const next = range(clear, evaluated.length - 1).find(
        (index) => bad[index] || timeOf(evaluated, index) >= done,
      );
      if (next === undefined) return { alerts, pendingSince: null };
      if (bad[next]) alert.flaps += 1;
      else alert.resolvedAt = timeOf(evaluated, next);
      at = next + 1;
    }
  }
  return { alerts, pendingSince: null };
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
const timeOf = (samples: readonly [number, number][], index: number) =>
  (samples[index] as [number, number])[0];
const sampleOf = (samples: readonly [number, number][], index: number) =>
  (samples[index] as [number, number])[1];

function holds({ condition, threshold, threshold_max }: Shape, value: number): boolean {
  const most = threshold_max ?? Number.NaN;
  const inside = threshold <= value && value <= most;
  return {
    greater_than: value > threshold,
    greater_than_or_equal: value >= threshold,
    less_than: value < threshold,
    less_than_or_equal: value <= threshold,
    equal: value === threshold,
    not_equal: value !== threshold,
    between: inside,
    not_between: !inside,
  }[condition];
}

function passed({ condition, recovery_threshold: line }: Shape, value: number): boolean {
  if (line === null) return true;
  return condition.startsWith('greater') ? value < line : value > line;
}

const shapes: fc.Arbitrary<Shape> = fc
  .record({
    condition: fc.constantFrom(...CONDITIONS),
    threshold: fc.integer({ min: 0, max: 10 }),
    width: fc.integer({ min: 0, max: 5 }),
    recovery: fc.option(fc.integer({ min: 0, max: 4 })),
    duration_minutes: fc.constantFrom(0, 1, 2, 5, 8),
    keep_firing_minutes: fc.constantFrom(0, 1, 3, 6),
  })
  .map(({ width, recovery, ...shape }) => {
    const direction = shape.condition.startsWith('greater') ? -1 : shape.condition.startsWith('less') ? 1 : 0;
    return {
      ...shape,
      threshold_max: shape.condition.endsWith('between') ? shape.threshold + width : null,
      recovery_threshold:
        direction === 0 || recovery === null ? null : shape.threshold + direction * recovery,
    };
  });

/** Sample times that mostly increase, with some equal times, steps back and gaps. */
const histories = fc
  .array(
    fc.tuple(
      fc.constantFrom(-90_000, 0, 10_000, 60_000, 60_000, 60_000, 120_000, 300_000, 300_001, 900_000),
      fc.integer({ min: -2, max: 14 }),
    ),
    { maxLength: 60 },
  )
  .map((steps) => {
    let time = 0;
    return steps.map(([step, value]): [number, number] => {
      time += step;
      return [time, value];
    });
  });

test('evaluating sample by sample finds the alerts that looking over the whole history finds', () => {
  fc.assert(
    fc.property(shapes, histories, (shape, samples) => {
      const rule = ruleOf(shape);
      const alerts: Outcome[] = [];
      let state: AlertInstanceState | null = null;
      let last: number | null = null;
      for (const [time, value] of samples) {
        const verdict = evaluate(rule, state, last, time, value, MINUTE_MS);
        last = Math.max(last ?? time, time);
        if (verdict === null) continue;
        const before: AlertInstanceState | null = state;
        state = verdict.next;
        for (const kind of verdict.transitions) {
          if (kind === 'fired' && state !== null) {
            alerts.push({
              pendingSince: state.pendingSince,
              firedAt: state.firedAt as number,
              valueAtFire: state.valueAtFire as number,
              flaps: 0,
              resolvedAt: null,
            });
          }
          const open = alerts.at(-1) as Outcome;
          if (kind === 'refired') open.flaps += 1;
          if (kind === 'resolved') open.resolvedAt = time;
          if (kind === 'refired') expect(state?.flapCount).toBe((before?.flapCount ?? 0) + 1);
        }
      }
      expect({ alerts, pendingSince: state?.state === 'pending' ? state.pendingSince : null }).toEqual(
        outcomes(shape, samples),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('evaluating a whole history again changes nothing if evaluating its last sample again changes nothing', () => {
  fc.assert(
    fc.property(shapes, histories, (shape, samples) => {
      const rule = ruleOf(shape);
      const ordered = samples
        .toSorted(([a], [b]) => a - b)
        .filter(([time], index, all) => all[index + 1]?.[0] !== time);
      let state: AlertInstanceState | null = null;
      let last: number | null = null;
      for (const [time, value] of ordered) {
        const verdict = evaluate(rule, state, last, time, value, MINUTE_MS);
        if (verdict !== null) state = verdict.next;
        last = time;
      }
      for (const [time, value] of ordered) {
        const verdict = evaluate(rule, state, last, time, value, MINUTE_MS);
        expect(verdict?.transitions ?? []).toEqual([]);
        if (verdict !== null) expect(verdict.next).toEqual(state);
      }
    }),
    { numRuns: 500 },
  );
});
