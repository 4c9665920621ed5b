import { memo, type ReactNode } from 'react';
import type { Column } from './column.ts';
import { isSameRow } from './rows.ts';
import styles from './table.module.css';

interface TableCellsProps<Row> {
  row: Row;
  isSelected: boolean;
  columns: readonly Column<Row>[];
  /** Renders all of the row where the columns have no room. */
  narrow: ((row: Row, isSelected: boolean) => ReactNode) | undefined;
  density: 'comfortable' | 'compact';
}

/** The cells of a row. Rows that only move are not rendered again, which is most of them in a list that changes all the time. */
export const TableCells = memo(Cells, isSame) as typeof Cells;

function Cells<Row>({ row, isSelected, columns, narrow, density }: TableCellsProps<Row>) {
  if (narrow)
    return (
      <div role="gridcell" className={styles['narrow']}>
        {narrow(row, isSelected)}
      </div>
    );
  return columns.map(({ id, cell, isNumber, wraps }) => (
    <div key={id} role="gridcell" data-number={isNumber || undefined} className={styles['cell']}>
      {wraps && density === 'comfortable' ? (
        <div className={styles['lines']}>{cell(row, isSelected)}</div>
      ) : (
        cell(row, isSelected)
      )}
    </div>
  ));
}

function isSame<Row>(former: TableCellsProps<Row>, next: TableCellsProps<Row>): boolean {
  return (
    former.isSelected === next.isSelected &&
    former.columns === next.columns &&
    former.narrow === next.narrow &&
    former.density === next.density &&
    isSameRow(former.row, next.row)
  );
}
