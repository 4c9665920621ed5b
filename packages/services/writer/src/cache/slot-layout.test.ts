import { expect, test } from 'vitest';
import { NO_SLOTS, SlotLayout } from './slot-layout.ts';

test('subjects with the same metrics at the same places share one slot layout', () => {
  const layout = NO_SLOTS.with([['cpu', 0]]).with([['memory', 1]]);
  expect(NO_SLOTS.with(new Map(Object.entries({ cpu: 0, memory: 1 })))).toBe(layout);
  expect(NO_SLOTS.with([['cpu', 0]])).not.toBe(layout);
  expect(layout.with([['disk', 2]])).not.toBe(layout.with([['disk', 3]]));
  expect(layout.places.has('disk')).toBe(false);
});

test('a slot layout finds metrics in every order of the payload', () => {
  const layout = NO_SLOTS.with([
    ['cpu', 0],
    ['memory', 17],
  ]);
  for (const order of [
    ['cpu', 'memory'],
    ['memory', 'cpu'],
    ['new', 'cpu', 'memory'],
    ['cpu', 'memory', 'new'],
    ['cpu'],
    ['cpu', 'memory'],
  ]) {
    const places = order.map((metric) => layout.places.get(metric));
    expect(layout.placesOf(order)).toEqual(places.includes(undefined) ? null : places);
  }
});

test('slot layouts stay correct when there are more than can be shared', () => {
  const layouts = Array.from({ length: 200 }, (_, index) => NO_SLOTS.with([[`metric_${index}`, index]]));
  for (const [index, layout] of layouts.entries())
    expect(layout.placesOf([`metric_${index}`])).toEqual([index]);
  expect(SlotLayout.of(new Map([['metric_199', 199]]))).toBe(layouts[199]);
});

test('large slot layouts are not shared', () => {
  const many = Array.from({ length: 300 }, (_, index): [string, number] => [`metric_${index}`, index]);
  const [one, two] = [NO_SLOTS.with(many), NO_SLOTS.with(many)];
  const grown = one.with([['further', 300]]);
  expect(grown.placesOf(['further'])).toEqual([300]);
  expect(grown.placesOf(['metric_299'])).toEqual([299]);
  expect(two.placesOf(['further'])).toBeNull();
});
