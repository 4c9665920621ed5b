import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { useRef, useState } from 'react';
import { absoluteTexts, type RangeText, timeOf } from '../../chart/data/range.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { serverNow } from './clock.ts';
import styles from './exact-times.module.css';
import { ExactTimes } from './exact-times.tsx';
import { formatTime } from './time-format.ts';

const PRESETS: Readonly<Record<string, string>> = {
  '-1h': 'Last hour',
  '-24h': 'Last 24 hours',
  '-7d': 'Last 7 days',
  '-30d': 'Last 30 days',
};

export interface RangeChoiceProps {
  /** What the times are of, such as "Fired". */
  label: string;
  /** The range in the URL; without texts any time. */
  texts: RangeText;
  onRange: (texts: RangeText) => void;
}

/** The range of a list: any time, the last hours or days, or exact times. */
export function RangeChoice({ label, texts, onRange }: RangeChoiceProps) {
  const { zone } = usePreferences();
  const [isExact, setExact] = useState(false);
  const choice = useRef<HTMLSelectElement>(null);
  useShortcuts({ t: () => choice.current?.focus() });
  const { from, to } = texts;
  const isPreset = to === undefined && (from === undefined || Object.hasOwn(PRESETS, from));
  const full = (text: string) => formatTime(timeOf(text, serverNow()), zone);
  return (
    <>
      <select
        ref={choice}
        aria-label={label}
        title="Shortcut: t"
        value={isPreset ? (from ?? '') : 'given'}
        onChange={({ target: { value } }) => {
          if (value === 'exact') setExact(true);
          else if (value !== 'given') onRange({ from: value || undefined, to: undefined });
        }}
      >
        <option value="">Any time</option>
        {Object.entries(PRESETS).map(([preset, words]) => (
          <option key={preset} value={preset}>
            {words}
          </option>
        ))}
        {!isPreset && (
          <option value="given">
            {from === undefined ? `Until ${full(to ?? '')}` : `From ${full(from)}`}
          </option>
        )}
        <option value="exact">Exact times …</option>
      </select>
      {!isPreset && from !== undefined && to !== undefined && (
        <span className={styles['end']}>to {full(to)}</span>
      )}
      {isExact && (
        <ExactTimes
          zone={zone}
          range={rangeNow(texts)}
          onDone={(range) => {
            setExact(false);
            if (range !== null) onRange(absoluteTexts(range));
          }}
        />
      )}
    </>
  );
}

/** The range that the fields begin with: that of the URL, or the last hour. */
function rangeNow({ from, to }: RangeText): { from: number; to: number } {
  const now = serverNow();
  const end = to === undefined ? now : timeOf(to, now);
  return { from: from === undefined ? end - HOUR_MS : timeOf(from, now), to: end };
}
