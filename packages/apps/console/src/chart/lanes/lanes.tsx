import type { CSSProperties } from 'react';
import { StatusShape } from '../../components/status/status.tsx';
import { formatClock, formatTime, type Zone } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import type { Range } from '../data/range.ts';
import type { PlotLayout } from '../plot/layout.ts';
import styles from './lanes.module.css';
import { LANE_KINDS, type LaneButton, type LaneEntry, type LaneKind, laneButtons, spanOf } from './lanes.ts';

export interface LanesProps {
  entries: readonly LaneEntry[];
  range: Range;
  layout: PlotLayout;
  zone: Zone;
  onHighlight: (span: Range | undefined) => void;
  onOpen: (entries: readonly LaneEntry[]) => void;
}

const MIN_BUTTON_PX = matchMedia('(pointer: coarse)').matches ? 44 : 24;

/** What happened, beneath a plot: alerts as bars, silences hatched, findings as flags, markers as ticks. */
export function Lanes({ entries, range, layout, zone, onHighlight, onOpen }: LanesProps) {
  const lanes = LANE_KINDS.map((kind) => ({
    kind,
    buttons: laneButtons(
      entries.filter((entry) => entry.kind === kind),
      range,
      MIN_BUTTON_PX / layout.plotWidth,
    ),
  })).filter(({ buttons }) => buttons.length > 0);
  if (lanes.length === 0) return null;
  return (
    <div className={styles['lanes']}>
      {lanes.map(({ kind, buttons }) => (
        <div
          key={kind}
          className={styles['lane']}
          style={{ '--plot-left': `${layout.left}px` } as CSSProperties}
        >
          <span className={styles['name']} title={NAMES[kind]}>
            {NAMES[kind]}
          </span>
          <div className={styles['track']} style={{ width: layout.plotWidth }}>
            {buttons.map((button) => (
              <button
                key={button.entries[0]?.id}
                type="button"
                className={`${styles['entry']} ${styles[kind]}`}
                data-severity={worstOf(button)}
                style={{ left: `${button.left * 100}%`, width: `${(button.right - button.left) * 100}%` }}
                aria-label={nameOf(button, kind, zone)}
                title={nameOf(button, kind, zone)}
                onPointerEnter={() => onHighlight(spanOf(button))}
                onPointerLeave={() => onHighlight(undefined)}
                onFocus={() => onHighlight(spanOf(button))}
                onBlur={() => onHighlight(undefined)}
                onClick={() => onOpen(button.entries)}
              >
                {kind === 'alerts' ? <StatusShape status={worstOf(button) ?? 'unknown'} /> : SIGNS[kind]}
                {button.entries.length > 1 && <span>{button.entries.length}</span>}
              </button>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Markers and other changes share a lane. */
const NAMES: Readonly<Record<LaneKind, string>> = {
  alerts: 'alerts',
  silences: 'silences',
  findings: 'findings',
  markers: 'changes',
};

const SIGNS: Readonly<Record<Exclude<LaneKind, 'alerts'>, string>> = {
  silences: '',
  findings: '⚑',
  markers: '▏',
};

const ORDER = ['critical', 'warning', 'info'] as const;

function worstOf({ entries }: LaneButton) {
  return ORDER.find((severity) => entries.some((entry) => entry.severity === severity));
}

/** "Alert: CPU is busy, 2026-11-26 03:12:40 CET to 03:20:10". */
function nameOf({ entries }: LaneButton, kind: LaneKind, zone: Zone): string {
  const [first] = entries;
  if (first === undefined) return '';
  if (entries.length > 1)
    return visibleText(`${entries.length} ${NAMES[kind]}: ${entries.map(({ name }) => name).join('; ')}`);
  const end = first.to > first.from ? ` to ${formatClock(first.to, zone)}` : '';
  return visibleText(`${first.name}, ${formatTime(first.from, zone)}${end}`);
}
