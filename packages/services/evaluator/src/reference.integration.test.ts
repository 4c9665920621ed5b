import { openForFile } from '@tidewatch/harness/opened';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const GAP = 300;

interface Terms {
  duration: number;
  keep: number;
  recovery: number | null;
}

interface Outcome {
  pending: number;
  fired: number;
  value: number;
  flaps: number;
  resolved: number | null;
}

/** A minimal reference implementation of alert evaluation, for streams with a short usual interval. Times in seconds. */
function expected(terms: Terms, samples: readonly [number, number][]): Outcome[] {
  const alerts: Outcome[] = [];
  let state = 'inactive';
  let since = 0;
  let clearSince = 0;
  let last: number | null = null;
  for (const [at, value] of samples) {
    if (last !== null && at < last) continue;
    const gap = last === null ? 0 : at - last;
    last = at;
    const breach = value > 90;
    const open = alerts.at(-1) as Outcome;
    if (state === 'pending' && (gap > GAP || !breach)) state = 'inactive';
    if (state === 'inactive' && breach) {
      state = 'pending';
      since = at;
    }
    if (state === 'pending' && at >= since + terms.duration * 60) {
      state = 'firing';
      alerts.push({ pending: since, fired: at, value, flaps: 0, resolved: null });
    } else if (state === 'firing' && !breach && (terms.recovery === null || value < terms.recovery)) {
      state = 'recovering';
      clearSince = at;
    } else if (state === 'recovering' && breach) {
      state = 'firing';
      open.flaps += 1;
    }
    if (state === 'recovering' && at >= clearSince + terms.keep * 60) {
      state = 'inactive';
      open.resolved = at;
    }
  }
  return alerts;
}

const step = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 290, max: 320 }) },
);
const value = fc.oneof(fc.constantFrom(91, 99), fc.constantFrom(10, 85, 90));
const event = fc.record({
  step,
  value,
  late: fc.integer({ min: 0, max: 12 }),
  after: fc.constantFrom('go on', 'go on', 'go on', 'go on', 'restart', 'roll back', 'flush', 'end within'),
  parts: fc.integer({ min: 1, max: 5 }),
});

const terms = fc.record({
  duration: fc.constantFrom(0, 1, 3),
  keep: fc.constantFrom(0, 2),
  recovery: fc.constantFrom(null, 80),
});

/**
 * Whether all sample times differ: with several values of one time, an alert may be recorded twice after a restart between
 * them.
 */
const areDistinct = (samples: readonly [number, number][]) =>
  new Set(samples.map(([time]) => time)).size === samples.length;

test.each([
  { how: 'whole requests', alertsAtOnce: undefined },
  { how: 'one step in each transaction', alertsAtOnce: 1 },
  { how: 'two steps in each transaction', alertsAtOnce: 2 },
])(
  'the evaluator fires and resolves the same alerts as the reference model on random samples, rules, requests, restarts and rollbacks ($how)',
  async ({ how, alertsAtOnce }) => {
    harness.alertsAtOnce = alertsAtOnce;
    await harness.begin();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 20, maxLength: 60 }),
        fc.array(terms, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        async (stream, all, size) => {
          run += 1;
          const host = `random-${how}-${run}`;
          const metric = `${host.replaceAll(' ', '_')}_metric`.replaceAll('-', '_');
          const rules: { id: string; of: Terms }[] = [];
          for (const of of all) {
            const { id } = await harness.rule({
              metric,
              duration_minutes: of.duration,
              keep_firing_minutes: of.keep,
              recovery_threshold: of.recovery,
            });
            rules.push({ id, of });
          }
          const samples: [number, number][] = [];
          let at = 0;
          for (let i = 0; i < stream.length; i += size) {
            const part: [number, number][] = [];
            for (const { step: by, value: sample, late } of stream.slice(i, i + size)) {
              at += by;
              part.push([late === 0 ? at - 100 : at, sample]);
            }
            const { after, parts = 1 } = stream[i] ?? {};
            const sent = part.map(([time, sample]): [number, number] => [time / 60 - 120, sample]);
            if (after === 'roll back') await harness.send(host, metric, sent, {}, { fail: true });
            if (after === 'end within' && areDistinct(part)) {
              await harness.send(host, metric, sent, {}, { parts });
              await harness.begin();
            }
            await harness.send(host, metric, sent, {}, { retry: after === 'roll back' });
            if (after === 'flush') await harness.settled();
            if (after === 'restart') await harness.begin();
            samples.push(...part.toSorted((a, b) => a[0] - b[0]));
          }
          const base = harness.now - 120 * 60_000;
          const order = (a: Outcome, b: Outcome) =>
            a.fired - b.fired || (a.resolved ?? Infinity) - (b.resolved ?? Infinity);
          for (const { id, of } of rules) {
            const found = (await harness.alerts(id)).map((a) => ({
              pending: (a.pending_since - base) / 1_000,
              fired: (a.fired_at - base) / 1_000,
              value: a.value_at_fire,
              flaps: a.flap_count,
              resolved: a.resolved_at === null ? null : (a.resolved_at - base) / 1_000,
            }));
            expect(found.sort(order)).toEqual(expected(of, samples).sort(order));
          }
        },
      ),
      { numRuns: 25, seed: 7 },
    );
  },
  // Hundreds of requests, each with its own transactions, on a machine at five times its load.
  400_000,
);
