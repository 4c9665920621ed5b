import { usePreferences } from '../../preferences/preferences.ts';
import { useServerNow } from './clock.ts';
import { formatAge, formatClock, formatTime } from './time-format.ts';

export interface TimeProps {
  /** RFC 3339. */
  at: string;
}

/** Shows a full time in the time zone of the page. */
export function Time({ at }: TimeProps) {
  const { zone } = usePreferences();
  return <time dateTime={at}>{formatTime(Date.parse(at), zone)}</time>;
}

/** How long ago that was by the server's clock, with the full time as its title. It stands still with the clock. */
export function Age({ at }: TimeProps) {
  const { zone } = usePreferences();
  const time = Date.parse(at);
  const full = formatTime(time, zone);
  return (
    <time dateTime={at} title={full}>
      {formatAge(time, useServerNow())}
    </time>
  );
}

/** "4 min ago", or "now", with the full time as its title. */
export function Ago({ at }: TimeProps) {
  const { zone } = usePreferences();
  const time = Date.parse(at);
  const age = formatAge(time, useServerNow());
  return (
    <time dateTime={at} title={formatTime(time, zone)}>
      {age === 'now' || age.startsWith('in ') ? age : `${age} ago`}
    </time>
  );
}

/** The time of day alone, with the full time as its title. */
export function Clock({ at }: TimeProps) {
  const { zone } = usePreferences();
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={formatTime(time, zone)}>
      {formatClock(time, zone)}
    </time>
  );
}
