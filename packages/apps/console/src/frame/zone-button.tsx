import { formatDuration } from '../components/number/number-format.ts';
import { clockSkewMs, useServerNow } from '../components/time/clock.ts';
import { formatClock, formatTime, zoneName } from '../components/time/time-format.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import styles from './zone-button.module.css';

/** A smaller difference of the clocks changes no age that anybody reads. */
const MIN_REPORTED_SKEW_MS = 5_000;

/** The server's time and the zone of all times of the page; a click changes between that of the browser and UTC. */
export function ZoneButton() {
  const { zone } = usePreferences();
  const now = useServerNow(60_000);
  const skew = clockSkewMs();
  const other = zone === 'utc' ? 'local' : 'utc';
  const name = zoneName(now, zone);
  const change = () => setPreferences({ zone: other });
  useShortcuts({ u: change });
  return (
    <>
      {Math.abs(skew) > MIN_REPORTED_SKEW_MS && (
        <span role="status" className={styles['skew']}>
          This device's clock is {formatDuration(Math.abs(skew))} {skew > 0 ? 'fast' : 'slow'}.
        </span>
      )}
      <time
        className={styles['clock']}
        dateTime={new Date(now).toISOString()}
        title={`Ages are counted to this time of the server: ${formatTime(now, zone)}`}
      >
        {formatClock(now, zone).slice(0, 5)}
      </time>
      <button
        type="button"
        className={styles['zone']}
        title={`Times are shown in ${name}. Show them in ${zoneName(now, other)}.`}
        onClick={change}
      >
        <span className="visually-hidden">Zone: </span>
        {name}
      </button>
    </>
  );
}
