import truncateWidth from 'fast-string-truncated-width';
import { safeText } from './safe-text.ts';

/** A column by its title. */
export type Column = string | ShapedColumn;

interface ShapedColumn {
  title: string;
  align?: 'right';
  elastic?: boolean;
}

/** A column that is truncated if the terminal is too narrow; other columns never are. */
export const elastic = (title: string): ShapedColumn => ({ title, elastic: true });

/** A column of numbers, aligned right. */
export const numeric = (title: string): ShapedColumn => ({ title, align: 'right' });

export interface Cell {
  text: string;
  /** Colours the text after its width was measured. */
  paint?: ((text: string) => string) | undefined;
}

const GAP = '  ';
const MIN_WIDTH = 8;
const ELLIPSIS = '…';

const widthOf = (text: string) => truncateWidth(text).width;

/** Formats rows under column titles, each column as wide as its widest cell. `width` null: no limit. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly (string | Cell)[])[],
  width: number | null,
  paintTitle: (text: string) => string = (text) => text,
): string {
  const shaped = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  const cells = rows.map((row) =>
    row.map((cell) => {
      const { text, paint } = typeof cell === 'string' ? { text: cell, paint: undefined } : cell;
      return { text: safeText(text), paint };
    }),
  );
  const natural = shaped.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index]?.text ?? ''))),
  );
  const widths = fit(shaped, natural, width);
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, index) =>
        place(cell, widths[index] ?? 0, shaped[index]?.align === 'right', index === row.length - 1),
      )
      .join(GAP)
      .trimEnd();
  const titles = shaped.map(({ title }) => ({ text: title, paint: paintTitle }));
  return [titles, ...cells].map((row) => `${line(row)}\n`).join('');
}

/** Narrows the widest elastic column step by step until the table fits or all are at their minimum. */
function fit(columns: readonly ShapedColumn[], natural: readonly number[], width: number | null): number[] {
  const widths = [...natural];
  if (width === null) return widths;
  const gaps = GAP.length * (columns.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, gaps) - width;
  const elastic = columns.flatMap(({ elastic }, index) => (elastic ? [index] : []));
  while (excess > 0) {
    const widest = elastic.reduce<number | null>(
      (best, index) => (best === null || (widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
      null,
    );
    if (widest === null || (widths[widest] ?? 0) <= MIN_WIDTH) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function place({ text, paint }: Cell, width: number, right: boolean, last: boolean): string {
  const { index, ellipsed } = truncateWidth(text, { limit: width, ellipsis: ELLIPSIS });
  const shown = ellipsed ? `${text.slice(0, index)}${ELLIPSIS}` : text;
  const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
  const painted = paint ? paint(shown) : shown;
  if (right) return padding + painted;
  return last ? painted : painted + padding;
}
