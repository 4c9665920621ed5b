import type { Column } from './column.ts';

type TableHeadingProps = Pick<Column<unknown>, 'heading' | 'sorted' | 'onSort' | 'isNumber'>;

/** The heading of a column, as a button where the column sorts. */
export function TableHeading({ heading, sorted, onSort, isNumber }: TableHeadingProps) {
  return (
    <div role="columnheader" aria-sort={sorted} data-number={isNumber || undefined}>
      {onSort ? (
        <button type="button" onClick={onSort}>
          {heading}
          <span aria-hidden="true">
            {sorted === 'ascending' ? ' ▴' : sorted === 'descending' ? ' ▾' : ''}
          </span>
        </button>
      ) : (
        heading
      )}
    </div>
  );
}
