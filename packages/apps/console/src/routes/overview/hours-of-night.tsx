import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { formatCount } from '../../components/number/number-format.ts';
import { formatClock, type Zone } from '../../components/time/time-format.ts';
import type { HourCount } from './last-night.ts';
import styles from './overview-page.module.css';

/** On a phone the times of so many hours have room below their bars; of a longer night every third hour has its time. */
const MAX_LABELLED = 5;
const LABEL_STEP = 3;

/** The alerts of each hour of a night as bars, with the hours below, the maximum and the total. */
export function HoursOfNight({ counts, zone }: { counts: readonly HourCount[]; zone: Zone }) {
  const numbers = counts.map(({ alerts }) => alerts);
  const max = Math.max(...numbers, 1);
  const total = numbers.reduce((sum, alerts) => sum + alerts, 0);
  const step = counts.length > MAX_LABELLED ? LABEL_STEP : 1;
  const clock = (at: number) => formatClock(at, zone).slice(0, 5);
  const hours = counts.map(({ at, alerts }) => ({
    at,
    alerts,
    name: `${clock(at)} to ${clock(at + HOUR_MS)}`,
  }));
  return (
    <figure className={styles['night']}>
      <figcaption>
        Alerts by hour: at most {formatCount(max)} in an hour, {formatCount(total)} in total
      </figcaption>
      <span className={styles['scale']} aria-hidden="true">
        <span>{formatCount(max)}</span>
        <span>0</span>
      </span>
      <div
        className={styles['hours']}
        role="img"
        aria-label={`Alerts by hour: ${hours.map(({ name, alerts }) => `${name} ${alerts}`).join(', ')}`}
      >
        {hours.map(({ at, alerts, name }) => (
          <span
            key={at}
            title={`${name}: ${formatCount(alerts)}`}
            style={{ height: `${Math.max((alerts / max) * 100, 4)}%` }}
            data-none={alerts === 0 || undefined}
          />
        ))}
      </div>
      <div className={styles['ticks']} aria-hidden="true">
        {hours.map(({ at }, index) => (
          <span key={at}>{index % step === 0 && clock(at)}</span>
        ))}
      </div>
    </figure>
  );
}
