import { describe, expect, it } from 'vitest';
import { fleetOf } from '../fleet-columns.fixture.ts';
import { changedCells } from './changed-cells.ts';
import {
  type Area,
  cellAfterKey,
  cellAt,
  cellsIn,
  HEADING,
  layoutMap,
  type MapLayout,
  placeOf,
} from './layout.ts';
import type { MapPicture } from './map-picture.ts';

const AREA = { width: 100, height: 100 };
const TILES = layoutMap([3], { width: 336, height: 240 }, false);
/** Ten columns of 10 px: 45 hosts in five rows, and 12 in two. */
const TWO_GROUPS = layoutMap([45, 12], { width: 100, height: 134 }, true);

describe('the size of cells of the fleet map', () => {
  it.each([
    ['so many in the largest squares that tiles have no room', [900], { width: 1_000, height: 800 }, 28],
    ['as many as fit', [100], AREA, 10],
    ['one more than fits in smaller ones', [101], AREA, 9],
    ['more than fit at the smallest size, so that the map scrolls', [10_000], AREA, 6],
    ['a view that is narrower than a cell', [3], { width: 4, height: 600 }, 28],
  ])('suits %s', (_, counts, area, cell) => {
    expect(layoutMap(counts, area, false).cell).toBe(cell);
  });

  it.each<[string, readonly number[], Area, Partial<MapLayout>]>([
    [
      'the largest that fit, which share the width of the view',
      [44],
      { width: 1_032, height: 300 },
      { width: 114, cell: 40, columns: 9 },
    ],
    [
      'lower ones for more hosts',
      [100],
      { width: 1_032, height: 300 },
      { width: 103, cell: 32, columns: 10 },
    ],
    [
      'on a phone as high as a screen, so that the page scrolls',
      [50],
      { width: 336, height: 240 },
      { width: 84, cell: 26, columns: 4 },
    ],
    ['no hosts', [], { width: 336, height: 240 }, { cell: 40 }],
  ])('has tiles for few hosts: %s', (_, counts, area, layout) => {
    expect(layoutMap(counts, area, false)).toMatchObject({ ...layout, isNamed: true });
  });

  it('has squares where all tiles would be higher than the view', () => {
    expect(layoutMap([500], { width: 1_032, height: 600 }, false)).toMatchObject({
      width: 28,
      cell: 28,
      isNamed: false,
    });
  });

  it('counts headings', () => {
    expect(layoutMap([100], AREA, true).cell).toBeLessThan(10);
    expect(TWO_GROUPS).toMatchObject({ cell: 10, columns: 10, rows: 7 });
    expect(TWO_GROUPS.groups.map(({ y }) => y)).toEqual([HEADING, HEADING + 50 + 8 + HEADING]);
  });
});

describe('a cell of the fleet map', () => {
  it('is found by a point inside of it, in every group', () => {
    for (let position = 0; position < 57; position += 1) {
      const { x, y } = placeOf(TWO_GROUPS, position) ?? { x: -1, y: -1 };
      expect(cellAt(TWO_GROUPS, x + 5, y + 5)).toBe(position);
    }
    expect(placeOf(TWO_GROUPS, 57)).toBeUndefined();
  });

  it.each([
    ['beside the columns', 101, 40],
    ['left of them', -1, 40],
    ['on a heading', 5, 10],
    ['after the last host of a group', 65, HEADING + 45],
    ['below the map', 5, 500],
  ])('is not %s', (_, x, y) => {
    expect(cellAt(TWO_GROUPS, x, y)).toBeUndefined();
  });
});

it('selects the cells that a rectangle touches, whichever corner came first', () => {
  const wanted = [0, 1, 10, 11];
  expect(cellsIn(TWO_GROUPS, [1, HEADING + 1, 19, HEADING + 19])).toEqual(wanted);
  expect(cellsIn(TWO_GROUPS, [19, HEADING + 19, 1, HEADING + 1])).toEqual(wanted);
  expect(cellsIn(TWO_GROUPS, [-50, -50, 500, 500])).toHaveLength(57);
  expect(cellsIn(TWO_GROUPS, [0, 0, 100, 20])).toEqual([]);
});

it.each<[string, number, number | undefined]>([
  ['ArrowRight', 9, 10],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 3, 13],
  ['ArrowDown', 38, 44],
  ['ArrowDown', 44, 49],
  ['ArrowDown', 50, 56],
  ['ArrowUp', 49, 44],
  ['ArrowUp', 5, 5],
  ['PageDown', 0, 55],
  ['Home', 40, 0],
  ['End', 3, 56],
  ['j', 4, 5],
  ['k', 4, 3],
  ['Enter', 4, undefined],
])('moves the focus with %s from %i to %s', (key, from, to) => {
  expect(cellAfterKey(TWO_GROUPS, key, from)).toBe(to);
});

describe('what is drawn again', () => {
  const names = ['a', 'b', 'c'];
  const picture = (changes: Partial<MapPicture> = {}): MapPicture => ({
    hosts: fleetOf(names.map((name) => ({ name, cpu: 10 }))),
    layout: layoutMap([3], { width: 60, height: 100 }, false),
    order: [0, 1, 2],
    fill: 'status',
    selected: new Set(),
    ...changes,
  });
  const hotter = fleetOf(names.map((name, row) => ({ name, cpu: row === 1 ? 90 : 11 })));
  const warmer = fleetOf(names.map((name, row) => ({ name, cpu: row === 1 ? 13 : 10.02 })));
  const worse = fleetOf([{ name: 'a' }, { name: 'b' }, { name: 'c', status: 'critical' }]);

  it.each<[string, MapPicture, MapPicture, number[] | null]>([
    ['nothing where nothing has changed', picture(), picture(), []],
    ['the host whose status has changed', picture(), picture({ hosts: worse }), [2]],
    ['no host whose value changes in a map of the status', picture(), picture({ hosts: hotter }), []],
    [
      'the host whose step has changed in a map of that metric',
      picture({ fill: 'cpu_percent' }),
      picture({ fill: 'cpu_percent', hosts: hotter }),
      [1],
    ],
    ['a host that is now selected', picture(), picture({ selected: new Set(['svc_a']) }), [0]],
    [
      'the host whose value has changed in a map with names, which shows it',
      picture({
        fill: 'cpu_percent',
        layout: TILES,
        hosts: fleetOf(names.map((name) => ({ name, cpu: 10 }))),
      }),
      picture({ fill: 'cpu_percent', layout: TILES, hosts: warmer }),
      [1],
    ],
    ['other hosts in the same cells', picture(), picture({ order: [0, 2, 1] }), [1, 2]],
    ['everything for another fill', picture(), picture({ fill: 'disk_percent' }), null],
    ['everything for fewer hosts', picture(), picture({ order: [0, 1] }), null],
    [
      'everything for another size of cells',
      picture(),
      picture({ layout: layoutMap([3], { width: 30, height: 30 }, false) }),
      null,
    ],
  ])('is %s', (_, before, after, cells) => {
    expect(changedCells(before, after)).toEqual(cells);
  });
});
