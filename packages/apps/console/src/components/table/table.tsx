import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ShortcutKey } from '../../keyboard/shortcut-words.ts';
import { isDisabledKey, useListedShortcuts } from '../../keyboard/use-shortcuts.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { Column } from './column.ts';
import { rowAfterKey } from './rows.ts';
import styles from './table.module.css';
import { TableCells } from './table-cells.tsx';
import { TableHeading } from './table-heading.tsx';
import { minWidthOf } from './track-width.ts';
import { useNarrow } from './use-narrow.ts';

export interface TableProps<Row> {
  /** The name of the grid, which tests and screen readers find it by. */
  name: string;
  /** The same array as before leaves the cells of rows that did not change alone. */
  columns: readonly Column<Row>[];
  /** How the head of a column sorts, where that changes more often than the columns. Default: what the column says. */
  sortingOf?: (id: string) => Pick<Column<Row>, 'sorted' | 'onSort'>;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** How many rows there are, where `rows` are only the first of them. Default: all of `rows`. */
  total?: number;
  onOpen?: (row: Row) => void;
  /** The keys that `onKey` knows, for the list of shortcuts. */
  keys?: readonly ShortcutKey[];
  /** Called for keys that mean nothing to a grid; true if the key was used. */
  onKey?: (key: string, row: Row) => unknown;
  isSelected?: (row: Row) => boolean;
  /** Called when the last rows come into view. */
  onEnd?: () => void;
  /** The row that the table begins at. Default: the first. */
  startAt?: number | undefined;
  /** Called with the row that receives the focus. */
  onCurrent?: (row: Row) => void;
  /** Called with the first and last row in view when they change. */
  onVisible?: (first: number, last: number) => void;
  /** A row where the columns have no room, such as on a phone: two or three lines in place of the cells. */
  narrow?: (row: Row, isSelected: boolean) => ReactNode;
  /** True where somebody chose the columns: they scroll sideways rather than give way to `narrow`, except on a phone. */
  keepsColumns?: boolean;
  /** Called with whether somebody reads the rows: they are scrolled, or one has the focus. */
  onHold?: (isHeld: boolean) => void;
}

const HEIGHTS = { comfortable: 40, compact: 28 } as const;
const NARROW_HEIGHT = 72;
/** Number of rows above and below the visible ones that are in the document, too. */
const OVERSCAN = 4;

/** A grid of rows, of which the document holds the visible ones and a few more. The whole page scrolls. */
export function Table<Row>(props: TableProps<Row>) {
  const { name, columns, rows, keyOf, total = rows.length, onOpen, onKey, isSelected, onEnd } = props;
  const { startAt = 0, onCurrent, onVisible } = props;
  useListedShortcuts(['j', 'k', ...(onOpen ? (['Enter'] as const) : []), ...(props.keys ?? [])]);
  const density = usePreferences().density;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow(
    scroller,
    props.keepsColumns ? 0 : minWidthOf(columns.map(({ width }) => width)),
  );
  const narrow = isNarrow ? props.narrow : undefined;
  const height = narrow ? NARROW_HEIGHT : HEIGHTS[density];
  const [current, setCurrent] = useState(Math.max(startAt, 0));
  // Another function makes the virtualizer measure every row again, of which there may be ten thousand.
  const getItemKey = useCallback((index: number) => keyOf(rows[index] as Row), [keyOf, rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // The row that it begins at stands a few rows below the head.
    initialOffset: Math.max(startAt - OVERSCAN, 0) * height,
    getItemKey,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1);
      if (last !== undefined && last.index >= rows.length - OVERSCAN) onEnd?.();
    },
  });
  const { startIndex: first, endIndex: last } = virtual.range ?? { startIndex: 0, endIndex: -1 };
  useEffect(() => {
    if (last >= first) onVisible?.(first, last);
  }, [first, last, onVisible]);
  // Rows have another height after a change of density, or on a phone that was turned.
  // Before they are painted, or they would stand apart for a moment where a page has much to do.
  useLayoutEffect(() => {
    if (height > 0) virtual.measure();
  }, [virtual, height]);
  const { onHold } = props;
  const hold = () => {
    const { current: element } = scroller;
    if (element === null) return;
    onHold?.(element.scrollTop > 0 || element.querySelector('[role="rowgroup"]:focus-within') !== null);
  };
  const focused = Math.min(current, Math.max(rows.length - 1, 0));
  const template = narrow ? '1fr' : columns.map(({ width }) => width).join(' ');

  const cells = narrow ? [] : columns;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select')) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isDisabledKey(event.key)) return;
    const row = rows[focused];
    const next = rowAfterKey(
      event.key,
      focused,
      rows.length,
      Math.floor((scroller.current?.clientHeight ?? 0) / height),
    );
    if (next !== undefined) {
      event.preventDefault();
      setCurrent(next);
      virtual.scrollToIndex(next);
      requestAnimationFrame(() =>
        scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"]`)?.focus(),
      );
    } else if (
      row !== undefined &&
      event.key === 'Enter' &&
      event.target === event.currentTarget.ownerDocument.activeElement
    ) {
      if (!(event.target as HTMLElement).matches('a, button')) onOpen?.(row);
    } else if (row !== undefined && onKey?.(event.key, row) === true) event.preventDefault();
  };

  return (
    // The rows take the focus; this element only notes that one has it.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={scroller}
      className={styles['scroller']}
      data-narrow={narrow !== undefined || undefined}
      onScroll={hold}
      onFocus={hold}
      onBlur={() => requestAnimationFrame(hold)}
    >
      <div
        role="grid"
        aria-label={name}
        aria-rowcount={total + 1}
        aria-colcount={narrow ? 1 : columns.length}
        className={styles['grid']}
        onKeyDown={onKeyDown}
      >
        <div
          role="row"
          aria-rowindex={1}
          className={styles['head']}
          style={{ gridTemplateColumns: template }}
        >
          {narrow && (
            <div role="columnheader" className="visually-hidden">
              {name}
            </div>
          )}
          {cells.map((column) => (
            <TableHeading key={column.id} {...column} {...props.sortingOf?.(column.id)} />
          ))}
        </div>
        <div role="rowgroup" className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index] as Row;
            return (
              // The keys of a row are handled by the grid.
              // biome-ignore lint/a11y/useKeyWithClickEvents: see above
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isSelected?.(row)}
                tabIndex={index === focused ? 0 : -1}
                className={styles['row']}
                style={{ gridTemplateColumns: template, height, transform: `translateY(${start}px)` }}
                // What follows the focus is not urgent: keys have moved it already, and a click shows something of its own.
                onFocus={() =>
                  startTransition(() => {
                    setCurrent(index);
                    onCurrent?.(row);
                  })
                }
                onClick={(event) => {
                  if (!(event.target as HTMLElement).closest('a, button, input')) onOpen?.(row);
                }}
              >
                <TableCells
                  row={row}
                  isSelected={isSelected?.(row) ?? false}
                  columns={columns}
                  narrow={narrow}
                  density={density}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
