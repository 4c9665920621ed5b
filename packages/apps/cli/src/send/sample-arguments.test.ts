import { expect, it } from 'vitest';
import { readSample } from './sample-arguments.ts';

it('readSample builds a payload from arguments', () => {
  const options = { tags: [['region', 'eu-1'] as const], time: '2026-11-22T08:00:00Z' };
  expect(readSample('web-01', ['cpu_percent=93.5', 'a=b=-1e3'], options)).toEqual({
    host: 'web-01',
    timestamp: '2026-11-22T08:00:00Z',
    tags: { region: 'eu-1' },
    metrics: { cpu_percent: 93.5, 'a=b': -1_000 },
  });
  expect(readSample('a', ['x=0'], { tags: [] })).toEqual({ host: 'a', metrics: { x: 0 } });
});

it.each([['cpu'], ['cpu='], ['=1'], ['cpu=many'], ['cpu=NaN'], ['cpu=1,5']])(
  'readSample rejects the value %s',
  (value) => {
    expect(() => readSample('web-01', [value], { tags: [] })).toThrow(/METRIC=NUMBER/);
  },
);

it('readSample rejects a sample without a value', () => {
  expect(() => readSample('web-01', [], { tags: [] })).toThrow(/metric/);
});
