import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  id: string;
  heading: ReactNode;
  /** The width as a track of a CSS grid, such as `2fr` or `120px`. */
  width: string;
  /** A cell is rendered again when its row, `columns` of the table or its selection change. */
  cell: (row: Row, isSelected: boolean) => ReactNode;
  /** True for sentences, which take a second line where rows are high enough. */
  wraps?: boolean;
  /** True for numbers, which are aligned at their end. */
  isNumber?: boolean;
  /** The order of the rows by this column, if they have one. */
  sorted?: 'ascending' | 'descending' | undefined;
  /** Called when the heading is chosen; absent where rows cannot be sorted by this column. */
  onSort?: () => void;
}
