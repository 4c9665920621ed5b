import { useQuery } from '@tanstack/react-query';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { serverNow } from '../../components/time/clock.ts';
import { formatDate, formatTime, zoneName } from '../../components/time/time-format.ts';
import toolbar from '../../components/toolbar.module.css';
import { visibleText } from '../../components/visible-text.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { daysLater, matchersText, recurrenceText, weekOf } from './silence-words.ts';
import styles from './silences.module.css';
import { useRuleNames } from './use-rule-names.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The windows of a week as bars, a row for each silence that has one. */
export function SilenceCalendar({ silences }: { silences: readonly Silence[] }) {
  const { from } = usePageSearch('silences');
  const setSearch = useSetPageSearch('silences');
  const { zone } = usePreferences();
  const ruleName = useRuleNames();
  const isUtc = zone === 'utc';
  const given = from === undefined ? Number.NaN : Date.parse(from);
  const start = weekOf(Number.isNaN(given) ? serverNow() : given, isUtc);
  const end = daysLater(start, 7, isUtc);
  const { data, error, refetch } = useQuery({
    queryKey: ['silences', 'windows', start, end],
    queryFn: ({ signal }) => {
      const query = { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
      return api.get('/api/v1/silences/windows', { params: { query }, signal });
    },
  });
  const percent = (at: number) => Math.min(Math.max(((at - start) / (end - start)) * 100, 0), 100);
  const rows = silences.flatMap((silence) => {
    const windows = data?.windows.filter(({ silence_id }) => silence_id === silence.id) ?? [];
    return windows.length === 0 ? [] : [{ silence, windows }];
  });
  const show = (at: number) => void setSearch({ from: new Date(at).toISOString() });
  return (
    <section aria-label="Calendar">
      <div className={toolbar['toolbar']}>
        <Button onClick={() => show(daysLater(start, -7, isUtc))}>Week before</Button>
        <Button onClick={() => void setSearch({ from: undefined })}>This week</Button>
        <Button onClick={() => show(end)}>Week after</Button>
        <span className={styles['muted']}>
          {formatDate(start, zone)} to {formatDate(daysLater(start, 6, isUtc), zone)}, times in{' '}
          {zoneName(start, zone)}
        </span>
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window it scrolls, by keyboard too */}
      <section aria-label="Windows of the week" tabIndex={0} className={styles['calendar']}>
        <div className={styles['days']} aria-hidden="true">
          <span />
          {WEEKDAYS.map((day, place) => (
            <span key={day}>
              {day} {formatDate(daysLater(start, place, isUtc), zone).slice(8)}
            </span>
          ))}
        </div>
        {rows.map(({ silence, windows }) => (
          <div key={silence.id} className={styles['week']}>
            <span className={styles['who']} title={matchersText(silence.matchers, ruleName)}>
              {matchersText(silence.matchers, ruleName)}
              <small>
                {recurrenceText(silence.recurrence)}, by {visibleText(silence.created_by.name ?? 'Tidewatch')}
              </small>
            </span>
            <span className={styles['bars']}>
              {windows.map((window) => {
                const [first, last] = [Date.parse(window.from), Date.parse(window.until)];
                const text = `${formatTime(first, zone)} to ${formatTime(last, zone)}`;
                return (
                  <span
                    key={window.from}
                    role="img"
                    aria-label={text}
                    title={text}
                    style={{
                      left: `${percent(first)}%`,
                      width: `${Math.max(percent(last) - percent(first), 0.5)}%`,
                    }}
                  />
                );
              })}
            </span>
          </div>
        ))}
        {data !== undefined && rows.length === 0 && (
          <p className={styles['none']}>No silence in this week.</p>
        )}
      </section>
    </section>
  );
}
