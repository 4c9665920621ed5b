/** Sizes of cells and headings, px. */
export const MIN_CELL = 6;
export const MAX_CELL = 28;
export const HEADING = 28;
const GROUP_GAP = 8;
/** Between squares, and between tiles, px. */
const CELL_GAP = 1;
const TILE_GAP = 4;

/** The sizes of tiles, which have room for names: the first at which all hosts fit is taken, and columns share the rest of the width. */
const TILES: readonly Area[] = [
  { width: 104, height: 40 },
  { width: 96, height: 32 },
  { width: 96, height: 26 },
  { width: 80, height: 26 },
];
/** Rows of tiles may be as high as this even where the view is lower, such as on a phone: then the page scrolls, px. */
const MIN_TILES_HEIGHT = 440;
/** From this height a tile has a second line, with the value that it is filled by, px. */
const MIN_TWO_LINES = 40;

export interface LaidGroup {
  /** The position of its first cell among all cells. */
  first: number;
  count: number;
  /** The y of its heading and of its first row of cells, px. */
  headingY: number;
  y: number;
}

export interface MapLayout {
  /** The width and height of a cell with the gap after it, px: the same for squares. */
  width: number;
  cell: number;
  gap: number;
  /** True where cells are tiles with the name of their host. */
  isNamed: boolean;
  /** True where tiles have room for a value below the name. */
  hasValues: boolean;
  columns: number;
  /** The height of all groups, px. */
  height: number;
  groups: readonly LaidGroup[];
  /** Rows of cells in all groups. */
  rows: number;
}

export interface Area {
  width: number;
  height: number;
}

/**
 * Lays cells out in groups below each other. Few hosts have tiles with their names. More have squares of the largest size at which
 * all fit into the area; if they do not fit at the smallest size, the map is higher than the area.
 */
export function layoutMap(counts: readonly number[], area: Area, hasHeadings: boolean): MapLayout {
  for (const { width: minWidth, height: cell } of TILES) {
    if (minWidth > area.width) continue;
    const columns = columnsOf(area.width, minWidth);
    const rows = counts.reduce((sum, count) => sum + Math.ceil(count / columns), 0);
    if (rows * cell > MIN_TILES_HEIGHT && heightOf(counts, columns, cell, hasHeadings) > area.height)
      continue;
    const width = Math.floor(area.width / columns);
    const tiles = { columns, width, cell, gap: TILE_GAP, isNamed: true, hasValues: cell >= MIN_TWO_LINES };
    return placed(counts, tiles, hasHeadings);
  }
  for (let cell = MAX_CELL; cell > MIN_CELL; cell -= 1) {
    if (heightOf(counts, columnsOf(area.width, cell), cell, hasHeadings) <= area.height)
      return placed(counts, squares(area.width, cell), hasHeadings);
  }
  return placed(counts, squares(area.width, MIN_CELL), hasHeadings);
}

type Cells = Pick<MapLayout, 'columns' | 'width' | 'cell' | 'gap' | 'isNamed' | 'hasValues'>;

function squares(width: number, cell: number): Cells {
  return {
    columns: columnsOf(width, cell),
    width: cell,
    cell,
    gap: CELL_GAP,
    isNamed: false,
    hasValues: false,
  };
}

function columnsOf(width: number, cell: number): number {
  return Math.max(Math.floor(width / cell), 1);
}

function heightOf(counts: readonly number[], columns: number, cell: number, hasHeadings: boolean): number {
  let height = 0;
  for (const count of counts) height += Math.ceil(count / columns) * cell;
  return height + counts.length * (hasHeadings ? HEADING : 0) + Math.max(counts.length - 1, 0) * GROUP_GAP;
}

function placed(counts: readonly number[], cells: Cells, hasHeadings: boolean): MapLayout {
  const { columns, cell } = cells;
  const groups: LaidGroup[] = [];
  let [first, headingY, rows] = [0, 0, 0];
  for (const count of counts) {
    const y = headingY + (hasHeadings ? HEADING : 0);
    groups.push({ first, count, headingY, y });
    const ownRows = Math.ceil(count / columns);
    first += count;
    rows += ownRows;
    headingY = y + ownRows * cell + GROUP_GAP;
  }
  return { ...cells, groups, rows, height: heightOf(counts, columns, cell, hasHeadings) };
}

export interface CellPlace {
  x: number;
  y: number;
  /** Row and column in the whole grid, from 0. */
  gridRow: number;
  gridColumn: number;
}

/** Where the cell with this position among all cells is; undefined if there is none. */
export function placeOf(layout: MapLayout, position: number): CellPlace | undefined {
  let rowsBefore = 0;
  for (const group of layout.groups) {
    const inGroup = position - group.first;
    if (inGroup >= 0 && inGroup < group.count) {
      const row = Math.floor(inGroup / layout.columns);
      const column = inGroup % layout.columns;
      return {
        x: column * layout.width,
        y: group.y + row * layout.cell,
        gridRow: rowsBefore + row,
        gridColumn: column,
      };
    }
    rowsBefore += Math.ceil(group.count / layout.columns);
  }
  return undefined;
}

/** The position of the cell at a point; undefined between the cells. */
export function cellAt(layout: MapLayout, x: number, y: number): number | undefined {
  const column = Math.floor(x / layout.width);
  if (x < 0 || column >= layout.columns) return undefined;
  for (const group of layout.groups) {
    const row = Math.floor((y - group.y) / layout.cell);
    if (row < 0) continue;
    const inGroup = row * layout.columns + column;
    if (inGroup < group.count && row < Math.ceil(group.count / layout.columns)) return group.first + inGroup;
  }
  return undefined;
}

/** The positions of the cells that a rectangle touches, whatever its corners. */
export function cellsIn(
  layout: MapLayout,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
): number[] {
  const { width, cell, columns } = layout;
  const left = Math.max(Math.floor(Math.min(x1, x2) / width), 0);
  const right = Math.min(Math.floor(Math.max(x1, x2) / width), columns - 1);
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  const found: number[] = [];
  for (const group of layout.groups) {
    const lastRow = Math.ceil(group.count / columns) - 1;
    const from = Math.max(Math.floor((top - group.y) / cell), 0);
    const to = Math.min(Math.floor((bottom - group.y) / cell), lastRow);
    for (let row = from; row <= to; row += 1)
      for (let column = left; column <= right; column += 1) {
        const inGroup = row * columns + column;
        if (inGroup < group.count) found.push(group.first + inGroup);
      }
  }
  return found;
}

/** The cell that a key moves the focus to; undefined where the key means nothing to the map. */
export function cellAfterKey(layout: MapLayout, key: string, position: number): number | undefined {
  const last = layout.groups.reduce((sum, { count }) => sum + count, 0) - 1;
  if (last < 0) return undefined;
  const limited = (to: number) => Math.min(Math.max(to, 0), last);
  switch (key) {
    case 'ArrowRight':
    case 'j':
      return limited(position + 1);
    case 'ArrowLeft':
    case 'k':
      return limited(position - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowDown':
      return rowsAway(layout, position, 1);
    case 'ArrowUp':
      return rowsAway(layout, position, -1);
    case 'PageDown':
      return rowsAway(layout, position, 10);
    case 'PageUp':
      return rowsAway(layout, position, -10);
    default:
      return undefined;
  }
}

/** The cell so many rows below, in the same column or the last one of a shorter row. */
function rowsAway(layout: MapLayout, position: number, rows: number): number {
  const place = placeOf(layout, position);
  if (place === undefined) return 0;
  let target = Math.min(Math.max(place.gridRow + rows, 0), layout.rows - 1);
  for (const { first, count } of layout.groups) {
    const own = Math.ceil(count / layout.columns);
    if (target < own) return first + Math.min(target * layout.columns + place.gridColumn, count - 1);
    target -= own;
  }
  return position;
}
