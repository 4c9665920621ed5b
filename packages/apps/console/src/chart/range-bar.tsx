import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Copy } from '../components/copy.tsx';
import { ExactTimes } from '../components/time/exact-times.tsx';
import { formatTime } from '../components/time/time-format.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { chartLink } from './chart-actions.tsx';
import { useChartGroup } from './chart-group.tsx';
import { rangeAfterKey } from './data/keys.ts';
import { absoluteTexts, type RangeText } from './data/range.ts';
import styles from './range-bar.module.css';

const PRESETS: readonly [string, string][] = [
  ['-15m', 'Last 15 minutes'],
  ['-1h', 'Last hour'],
  ['-6h', 'Last 6 hours'],
  ['-24h', 'Last 24 hours'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
  ['-365d', 'Last year'],
];

export interface RangeBarProps {
  /** Changes the range in the URL; without texts the page has its default. */
  onRange: (texts: RangeText) => void;
  /** What else stands in the bar. */
  children?: ReactNode;
}

/** The range of all charts of the page: presets, zoom, shift, exact times, and a link with absolute times. */
export function RangeBar({ onRange, children }: RangeBarProps) {
  const { range, texts, zoom } = useChartGroup();
  const { zone } = usePreferences();
  const [isExact, setExact] = useState(false);
  const choice = useRef<HTMLSelectElement>(null);
  const copy = useRef<HTMLSpanElement>(null);
  const preset = texts.to === undefined ? PRESETS.find(([from]) => from === texts.from) : undefined;
  const change = (key: string) => () => {
    const next = rangeAfterKey(key, range);
    if (next !== undefined) zoom(next);
  };
  useShortcuts({
    t: () => choice.current?.focus(),
    l: () => copy.current?.querySelector('button')?.click(),
    '0': () => onRange({}),
    '+': change('+'),
    '=': change('='),
    '-': change('-'),
    '[': change('['),
    ']': change(']'),
  });
  return (
    <div className={styles['bar']}>
      <label>
        <span className="visually-hidden">Time range</span>
        <select
          ref={choice}
          value={preset?.[0] ?? ''}
          onChange={({ target: { value } }) =>
            value === 'exact' ? setExact(true) : onRange({ from: value })
          }
        >
          {preset === undefined && <option value="">{`From ${formatTime(range.from, zone)}`}</option>}
          {PRESETS.map(([from, name]) => (
            <option key={from} value={from}>
              {name}
            </option>
          ))}
          <option value="exact">Exact times …</option>
        </select>
      </label>
      {preset === undefined && <span className={styles['end']}>to {formatTime(range.to, zone)}</span>}
      <span className={styles['group']}>
        <Button aria-label="Earlier" title="Earlier  [" onClick={change('[')}>
          ‹
        </Button>
        <Button aria-label="Zoom out" title="Zoom out  -" onClick={change('-')}>
          −
        </Button>
        <Button aria-label="Zoom in" title="Zoom in  +" onClick={change('+')}>
          +
        </Button>
        <Button aria-label="Later" title="Later  ]" onClick={change(']')}>
          ›
        </Button>
      </span>
      <span ref={copy}>
        <Copy text={chartLink({}, absoluteTexts(range))} label="Copy link" showsText={false} />
      </span>
      {children}
      {isExact && (
        <ExactTimes
          zone={zone}
          range={range}
          onDone={(chosen) => {
            setExact(false);
            if (chosen !== null) onRange(absoluteTexts(chosen));
          }}
        />
      )}
    </div>
  );
}
