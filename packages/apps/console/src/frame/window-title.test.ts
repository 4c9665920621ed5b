import { expect, it } from 'vitest';
import { windowTitle } from './window-title.ts';

it.each([
  ['◆ db-03: Memory is full', 0, '◆ db-03: Memory is full · Tidewatch'],
  ['Overview', 3, '(3) Overview · Tidewatch'],
])('titles %s with %i critical alerts', (title, count, shown) => {
  expect(windowTitle(title, count)).toBe(shown);
});
