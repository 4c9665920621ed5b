import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { formatCount } from '../../../components/number/number-format.ts';
import { serverNow } from '../../../components/time/clock.ts';
import { formatTime } from '../../../components/time/time-format.ts';
import type { AlertFilter } from '../../../live/alert-filter.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { useSetPageSearch } from '../../page-state.ts';
import { histogramBars, histogramRange } from '../histogram.ts';
import styles from './alerts-page.module.css';

/** How many alerts fired when; a press on a bar shows the alerts of its time. */
export function Histogram({ filter }: { filter: AlertFilter }) {
  const { zone } = usePreferences();
  const setSearch = useSetPageSearch('alerts');
  const [now] = useState(serverNow);
  const range = histogramRange(filter, now);
  const iso = (at: number) => new Date(at).toISOString();
  const query = { from: iso(range.from), to: iso(range.to), step: `${range.stepMs / 1_000}s` };
  const { data } = useQuery({
    queryKey: ['alert-counts', query],
    queryFn: ({ signal }) => api.get('/api/v1/alerts/counts', { params: { query }, signal }),
    staleTime: 60_000,
  });
  if (data === undefined || data.total.alerts === 0) return null;
  const bars = histogramBars(range, data.total.points);
  const max = Math.max(...bars.map(({ alerts }) => alerts), 1);
  const [first, last] = [bars[0]?.at ?? range.from, (bars.at(-1)?.at ?? range.from) + range.stepMs];
  return (
    <fieldset className={styles['histogram']}>
      <legend>
        All alerts by the time they fired, from {formatTime(first, zone)} to {formatTime(last, zone)}, at most{' '}
        {formatCount(max)} a bar
      </legend>
      {bars.map(({ at, alerts }) => (
        <button
          key={at}
          type="button"
          disabled={alerts === 0}
          title={`${alerts} from ${formatTime(at, zone)}`}
          aria-label={`${alerts} alerts from ${formatTime(at, zone)}`}
          onClick={() => setSearch({ from: iso(at), to: iso(at + range.stepMs) })}
        >
          <span style={{ height: `${(alerts / max) * 100}%` }} />
        </button>
      ))}
    </fieldset>
  );
}
