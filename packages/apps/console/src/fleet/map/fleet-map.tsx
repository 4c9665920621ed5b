import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState } from 'react';
import { serverNow } from '../../components/time/clock.ts';
import { isDisabledKey, useListedShortcuts } from '../../keyboard/use-shortcuts.ts';
import type { Fill } from '../filter.ts';
import type { HostColumns } from '../fleet.ts';
import type { HostGroup } from '../group.ts';
import { announcementOf } from '../host-text.ts';
import styles from './fleet-map.module.css';
import { GroupHeading } from './group-heading.tsx';
import { HostTip } from './host-tip.tsx';
import { cellAfterKey, cellAt, cellsIn, layoutMap, placeOf } from './layout.ts';
import type { MapPicture } from './map-picture.ts';
import { useArea } from './use-area.ts';
import { useMapCanvas } from './use-map-canvas.ts';
import { useRectangle } from './use-rectangle.ts';

/** More hosts are shown by groups alone. */
const MAX_CELLS = 20_000;
const UNKNOWN_AREA = { width: 0, height: 240 };

export interface FleetMapProps {
  hosts: HostColumns;
  groups: readonly HostGroup[];
  /** Whether groups have headings. */
  isGrouped: boolean;
  fill: Fill;
  selected: ReadonlySet<string>;
  /** The host that has the focus. */
  current: string | undefined;
  onCurrent: (id: string) => void;
  onOpen: (id: string) => void;
  /** Adds hosts to the selection, or removes a single one that is in it. */
  onSelect: (ids: readonly string[]) => void;
  onOpenGroup: (group: HostGroup) => void;
}

/** All hosts as cells of a canvas, with a grid of one focusable cell for keyboards and assistive technology. */
export const FleetMap = memo(function FleetMap(props: FleetMapProps) {
  const { hosts, groups, isGrouped, fill, selected, current, onCurrent, onOpen, onSelect, onOpenGroup } =
    props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const area = useArea(box) ?? UNKNOWN_AREA;

  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const order = useMemo(() => (total > MAX_CELLS ? [] : groups.flatMap(({ rows }) => rows)), [groups, total]);
  const layout = useMemo(
    () =>
      layoutMap(
        groups.map(({ rows }) => (total > MAX_CELLS ? 0 : rows.length)),
        area,
        isGrouped,
      ),
    [groups, total, area, isGrouped],
  );
  const picture = useMemo<MapPicture>(
    () => ({ hosts, layout, order, fill, selected }),
    [hosts, layout, order, fill, selected],
  );
  useMapCanvas(canvas, picture, area.width);
  useListedShortcuts(['Enter', 'x']);

  const idAt = (position: number) => hosts.ids[order[position] as number] as string;
  const known = current === undefined ? -1 : order.findIndex((row) => hosts.ids[row] === current);
  const focused = Math.max(known, 0);
  const place = order.length === 0 ? undefined : placeOf(layout, focused);
  const shown = hovered ?? (hasFocus ? focused : null);
  const shownRow = shown === null ? undefined : order[shown];
  const shownPlace = shown === null ? undefined : placeOf(layout, shown);

  const drag = useRectangle((rectangle) => onSelect(cellsIn(layout, rectangle).map(idAt)));
  const positionAt = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return cellAt(layout, event.clientX - left, event.clientY - top);
  };
  const focusCell = () => grid.current?.querySelector<HTMLElement>('[role="gridcell"]')?.focus();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isDisabledKey(event.key)) return;
    const next = cellAfterKey(layout, event.key, focused);
    if (next !== undefined) onCurrent(idAt(next));
    else if (event.key === 'Enter') onOpen(idAt(focused));
    else if (event.key === 'x' || event.key === ' ') onSelect([idAt(focused)]);
    else return;
    event.preventDefault();
    setHovered(null);
  };

  return (
    <div
      ref={box}
      className={styles['map']}
      style={{ maxHeight: Math.max(area.height, layout.isNamed ? layout.height : layout.cell * 4) + 8 }}
    >
      <div className={styles['content']} style={{ height: layout.height }}>
        {isGrouped &&
          groups.map((group, index) => (
            <GroupHeading
              key={group.value ?? '\0'}
              hosts={hosts}
              group={group}
              y={layout.groups[index]?.headingY ?? 0}
              onOpen={() => onOpenGroup(group)}
            />
          ))}
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus, and the grid says what it shows */}
        <canvas ref={canvas} className={styles['canvas']} aria-hidden="true" />
        <div
          ref={grid}
          role="grid"
          aria-label="Fleet map"
          aria-rowcount={layout.rows}
          aria-colcount={layout.columns}
          aria-multiselectable="true"
          className={styles['grid']}
          onKeyDown={onKeyDown}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          {...drag.handlers}
          onPointerMove={(event: PointerEvent<HTMLElement>) => {
            drag.handlers.onPointerMove(event);
            setHovered(event.pointerType === 'mouse' ? (positionAt(event) ?? null) : null);
          }}
          onPointerLeave={() => setHovered(null)}
          onClick={(event) => {
            if (drag.wasDragged()) return;
            const position = positionAt(event);
            if (position === undefined) return;
            if (event.ctrlKey || event.metaKey || event.shiftKey) {
              onCurrent(idAt(position));
              onSelect([idAt(position)]);
              focusCell();
            } else onOpen(idAt(position));
          }}
        >
          {place !== undefined && (
            <div role="row" aria-rowindex={place.gridRow + 1}>
              <div
                // Another element for each cell: assistive technology announces what receives the focus.
                key={focused}
                ref={(element) => {
                  if (element !== null && hasFocus && document.activeElement !== element)
                    element.focus({ preventScroll: false });
                }}
                role="gridcell"
                tabIndex={0}
                aria-colindex={place.gridColumn + 1}
                aria-selected={selected.has(idAt(focused))}
                aria-label={announcementOf(hosts, order[focused] as number, serverNow(), {
                  place: focused + 1,
                  of: order.length,
                  isSelected: selected.has(idAt(focused)),
                })}
                className={styles['cell']}
                style={{
                  left: place.x,
                  top: place.y,
                  width: layout.width - layout.gap,
                  height: layout.cell - layout.gap,
                }}
              />
            </div>
          )}
        </div>
        {drag.rectangle && <DraggedRectangle corners={drag.rectangle} />}
        {shownRow !== undefined && shownPlace && !drag.rectangle && (
          <HostTip
            hosts={hosts}
            row={shownRow}
            x={shownPlace.x}
            y={shownPlace.y + layout.cell}
            width={area.width}
          />
        )}
      </div>
    </div>
  );
});

function DraggedRectangle({
  corners: [x1, y1, x2, y2],
}: {
  corners: readonly [number, number, number, number];
}) {
  return (
    <div
      className={styles['rectangle']}
      style={{
        left: Math.min(x1, x2),
        top: Math.min(y1, y2),
        width: Math.abs(x2 - x1),
        height: Math.abs(y2 - y1),
      }}
    />
  );
}
