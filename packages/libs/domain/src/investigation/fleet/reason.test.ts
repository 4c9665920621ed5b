import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { movementOf, PARAMETERS } from './movement.ts';
import { reasonOf } from './reason.ts';
import type { Trace } from './trace.ts';

const SINCE = 30 * MINUTE_MS;
const source = { ref: '', query: '', from: 0, to: 0 };

/** A metric that varies around `before` by `spread` for half an hour, and is at `after` for three minutes. */
function trace(metric: string, before: number, after: number, spread = 1, correlation = 0.9): Trace {
  const values = Array.from({ length: 33 }, (_, i) =>
    i < 30 ? before + (i % 2 === 0 ? spread : -spread) : after,
  );
  const window = {
    times: Float64Array.from(values, (_, i) => i * MINUTE_MS),
    values: Float64Array.from(values),
  };
  const usual = { median: before, mad: spread, min: before - spread, max: before + spread, count: 500 };
  const movement = movementOf(metric, window, usual, PARAMETERS, undefined, SINCE);
  const facts = { metric, usual, recent: window, source };
  return {
    facts,
    window,
    movement,
    correlation,
    compared: 33,
    together: 0.5,
    score: 0.5 * movement.strength,
  };
}
const reason = (...traces: Trace[]) => reasonOf(traces, PARAMETERS);

test('a resource that rose with the trouble is a reason, however short the trouble', () => {
  // A rise of 40 points is 27 spreads of 1.4826: (27 - 1) / (26 + 4), times the correlation.
  expect(reason(trace('cpu_percent', 20, 60))).toBeCloseTo((0.9 * (40 / 1.4826 - 1)) / (40 / 1.4826 + 3), 3);
  expect(reason(trace('cpu_percent', 20, 22))).toBeLessThan(0.1);
});

test('latency, errors and stolen time are no reasons for the symptom of another host', () => {
  expect(
    reason(trace('latency_ms', 20, 60), trace('errors_per_second', 0, 9), trace('cpu_steal_percent', 1, 40)),
  ).toBe(0);
});

test('a resource that is used less is no reason, but less that is free is one', () => {
  expect(reason(trace('cpu_percent', 60, 20, 1, -0.9))).toBe(0);
  expect(reason(trace('memory_free_percent', 60, 20, 1, -0.9))).toBeGreaterThan(0.7);
  expect(reason(trace('memory_free_percent', 20, 60))).toBe(0);
});

test('two resources are a stronger reason for a symptom than one, but two metrics of one resource are not', () => {
  const cpu = reason(trace('cpu_percent', 20, 30));
  const disk = reason(trace('disk_io_wait_percent', 2, 10));
  expect(reason(trace('cpu_percent', 20, 30), trace('disk_io_wait_percent', 2, 10))).toBeCloseTo(
    1 - (1 - cpu) * (1 - disk),
    9,
  );
  expect(reason(trace('cpu_percent', 20, 30), trace('load_1', 1, 1.2))).toBeCloseTo(cpu, 9);
});

test('a resource that does not correlate with the symptom is no reason for it', () => {
  expect(reason(trace('cpu_percent', 20, 60, 1, 0))).toBe(0);
});
