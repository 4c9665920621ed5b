import { expect, it } from 'vitest';
import { CounterStates } from '../series/counter-states.ts';
import type { SentSeries } from '../series/sent-series.ts';
import { KnownSeries } from './known-series.ts';

const SENT: SentSeries = {
  protocol: 'remote_write',
  name: 'x',
  labels: ['job', 'shop'],
  resource: [],
  type: 'unknown',
  unit: '',
};

it('drops the description of a series once no request needs it, and takes it again', () => {
  const known = new KnownSeries(new CounterStates());
  const series = known.create(1, 2, SENT);
  known.hold(series);
  known.hold(series);
  known.leave(series);
  expect([known.sentOf(series), known.isForgotten(series)]).toEqual([SENT, false]);
  known.leave(series);
  expect([known.sentOf(series), known.isForgotten(series)]).toEqual([undefined, true]);
  expect(known.fateOf(series)).toBeUndefined();
  known.describe(series, SENT);
  expect([known.sentOf(series), known.isForgotten(series)]).toEqual([SENT, false]);
});

it('keeps what became of a series that was settled', () => {
  const known = new KnownSeries(new CounterStates());
  const series = known.create(1, 2, SENT);
  const fate = { kind: 'rejected', reason: 'invalid_name', example: 'x', host: undefined } as const;
  known.hold(series);
  known.dismiss(series, fate);
  known.leave(series);
  expect([known.fateOf(series), known.isForgotten(series)]).toEqual([fate, false]);
});
