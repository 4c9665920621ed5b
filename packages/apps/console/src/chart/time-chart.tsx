import type { Unit } from '@tidewatch/contracts/values/unit';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { formatClock, formatTime } from '../components/time/time-format.ts';
import { visibleText } from '../components/visible-text.ts';
import { Ellipsis } from '../icons/lucide.ts';
import { isDisabledKey, useListedShortcuts } from '../keyboard/use-shortcuts.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { ChartActions } from './chart-actions.tsx';
import { useChartGroup } from './chart-group.tsx';
import { cursorAfterKey, rangeAfterKey } from './data/keys.ts';
import { nearestIndex } from './data/points.ts';
import type { Range } from './data/range.ts';
import { DataTable } from './data-table.tsx';
import type { LaneEntry } from './lanes/lanes.ts';
import { Lanes } from './lanes/lanes.tsx';
import { OpenedEntries } from './lanes/opened-entries.tsx';
import { OpenedThresholds, ThresholdButtons } from './lanes/threshold-buttons.tsx';
import type { ChartThreshold } from './lanes/thresholds.ts';
import { Legend, Readout, readoutText } from './legend.tsx';
import { composePicture } from './plot/compose-picture.ts';
import type { ChartLine } from './plot/picture.ts';
import { PlotCanvas } from './plot/plot-canvas.tsx';
import styles from './time-chart.module.css';
import { useView } from './use-view.ts';

export interface TimeChartProps {
  /** The name of the chart; that of its table is "Data of <title>". */
  title: string;
  metric: string;
  unit: Unit | null;
  /** The lines, at most six; undefined until they are loaded. */
  lines: readonly ChartLine[] | undefined;
  /** What the lines were computed from, in a sentence. */
  provenance: string;
  thresholds?: readonly ChartThreshold[];
  lanes?: readonly LaneEntry[];
  /** The level of its heading. Default: 3, for charts below the heading of a group. */
  level?: 2 | 3;
  /** The height of the plot, px. Default: 200, and 160 on phones. */
  height?: number;
  csvUrl?: string | undefined;
  /** The lines of the CSV where there are more than the chart shows. Default: those of the chart. */
  csvLines?: readonly ChartLine[] | undefined;
  linkSearch?: Readonly<Record<string, string>>;
  /** What stands beside the title, such as a button that pins the chart. */
  actions?: ReactNode;
  /** Shown in place of the lines: why there are none. */
  notice?: ReactNode;
  /** Called when the chart comes near the view or leaves it, and with its width. */
  onView?: (view: { isNear: boolean; width: number }) => void;
}

const HEIGHT = 200;
const PHONE_HEIGHT = 160;
const NO_LINES: readonly ChartLine[] = [];

/** A chart over time: lines with bands, gaps, thresholds and what happened, by pointer, touch and keyboard. */
export function TimeChart(props: TimeChartProps) {
  const {
    title: name,
    metric,
    unit,
    lines = NO_LINES,
    thresholds = [],
    lanes = [],
    linkSearch = {},
    notice,
  } = props;
  const group = useChartGroup();
  useListedShortcuts(['d']);
  const { zone } = usePreferences();
  const { ref, isNear, width, isPhone } = useView(props.onView);
  const [preview, setPreview] = useState<Range | null>(null);
  const [highlighted, setHighlighted] = useState<Range>();
  const [opened, setOpened] = useState<readonly LaneEntry[]>([]);
  const [openedThresholds, setThresholds] = useState<readonly ChartThreshold[]>([]);
  const [isFitted, setFitted] = useState(false);
  const [isTableOpen, setTableOpen] = useState(false);
  const [areActionsOpen, setActionsOpen] = useState(false);
  const titleId = useId();
  const title = visibleText(name);
  const Heading = `h${props.level ?? 3}` as const;
  const height = isPhone ? PHONE_HEIGHT : (props.height ?? HEIGHT);
  const range = preview ?? group.range;
  const picture = useMemo(
    () =>
      composePicture({
        ...{
          range,
          now: group.now,
          lines,
          thresholds,
          unit,
          metric,
          zone,
          width,
          height,
          isFitted,
          highlighted,
        },
      }),
    [range, group.now, lines, thresholds, unit, metric, zone, width, height, isFitted, highlighted],
  );
  const [first] = lines;
  const points = first?.points ?? [];
  const snap = (at: number) => points[nearestIndex(points, at)]?.t ?? at;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isDisabledKey(event.key)) return;
    const next = cursorAfterKey(event, points, group.cursor.get());
    const zoomedTo = rangeAfterKey(event.key, group.range);
    if (next !== undefined) {
      group.cursor.set(next);
      group.announce(`${formatTime(next, zone)}: ${readoutText(lines, next, unit, metric)}`);
    } else if (zoomedTo !== undefined) group.zoom(zoomedTo);
    else if (event.key === 'd') setTableOpen(!isTableOpen);
    else if (event.key === 'Escape') group.cursor.set(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <figure className={styles['chart']} aria-labelledby={titleId} ref={ref}>
      <div className={styles['head']}>
        <Heading id={titleId} className={styles['title']} title={title}>
          {title}
        </Heading>
        {picture.scale.isBroken && <small>axis does not begin at 0</small>}
        <Readout lines={lines} unit={unit} metric={metric} zone={zone} />
        {props.actions}
        <button
          type="button"
          className={styles['icon']}
          aria-label={`Actions of ${title}`}
          aria-expanded={areActionsOpen}
          onClick={() => setActionsOpen(!areActionsOpen)}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      </div>
      {areActionsOpen && (
        <ChartActions
          {...{ title, picture, linkSearch, isFitted, isTableOpen }}
          provenance={props.provenance}
          csvUrl={props.csvUrl}
          csvLines={props.csvLines ?? lines}
          onFit={() => setFitted(!isFitted)}
          onTable={() => setTableOpen(!isTableOpen)}
        />
      )}
      <div className={styles['area']}>
        {/* The keys of a chart are its own, so assistive technology passes them through. */}
        <div
          role="application"
          aria-roledescription="chart"
          aria-label={`${title}. Arrow keys read it point by point, d shows its table.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard moves the cursor
          tabIndex={0}
          className={styles['plot']}
          style={{ height }}
          onKeyDown={onKeyDown}
          onBlur={() => group.cursor.set(null)}
        >
          {isNear && width > 0 && <PlotCanvas picture={picture} onPreview={setPreview} snap={snap} />}
          {props.lines !== undefined && points.length === 0 && (
            <div className={styles['empty']}>{notice ?? 'No data in this range'}</div>
          )}
        </div>
        {/* Before the first points the axis is another one, and they would move with it. */}
        {props.lines !== undefined && (
          <ThresholdButtons {...{ thresholds, picture, unit, metric }} onOpen={setThresholds} />
        )}
      </div>
      {openedThresholds.length > 0 && (
        <OpenedThresholds
          thresholds={openedThresholds}
          {...{ unit, metric }}
          onClose={() => setThresholds([])}
        />
      )}
      <Lanes
        {...{ entries: lanes, range, layout: picture.layout, zone }}
        onHighlight={setHighlighted}
        onOpen={setOpened}
      />
      {opened.length > 0 && <OpenedEntries entries={opened} zone={zone} onClose={() => setOpened([])} />}
      {lines.length > 1 && <Legend lines={lines} unit={unit} metric={metric} />}
      <p className={styles['provenance']}>
        {props.provenance}
        {picture.hatched && ` · no data since ${formatClock(picture.hatched.from, zone)}`}
      </p>
      {isTableOpen && <DataTable {...{ title, metric, unit, lines, zone }} />}
    </figure>
  );
}
