import { useQuery } from '@tanstack/react-query';
import { summaryRead } from '../api/summary.ts';
import { Button } from '../components/button.tsx';
import { clockSkewMs } from '../components/time/clock.ts';
import { formatClock, formatTime } from '../components/time/time-format.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { Countdown } from './countdown.tsx';
import { completeUntil, type Freshness } from './freshness.ts';
import styles from './freshness-view.module.css';
import { retryLive } from './live.ts';
import { useLive } from './live-state.ts';

/** How often a delay is read again while it lasts, ms. */
const REREAD_MS = 10_000;

const WORDS: Readonly<Record<Exclude<Freshness['kind'], 'not-current'>, readonly [string, string]>> = {
  connecting: ['◌', 'Connecting'],
  live: ['●', 'Live'],
  'catching-up': ['◐', 'Catching up'],
  'signed-out': ['◌', 'Signed out'],
};

/** How current the page is, in the bar at the top. A change is announced once. */
export function FreshnessStatus() {
  const { freshness } = useLive();
  const [mark, word] =
    freshness.kind === 'not-current' ? (['○', 'Not current'] as const) : WORDS[freshness.kind];
  return (
    <span
      role="status"
      className={styles['status']}
      data-kind={freshness.kind}
      title={
        freshness.kind === 'live'
          ? 'Changes appear here as they happen. This says nothing about the health of hosts.'
          : undefined
      }
    >
      <span aria-hidden="true">{mark}</span>{' '}
      <span>
        <span>{word}</span>
        {freshness.kind === 'live' && <span className={styles['more']}> updates</span>}
      </span>
    </span>
  );
}

/** Why the page is not current, above its content: since when, and what happens next. */
export function FreshnessBanner() {
  const { freshness, delay } = useLive();
  const { zone } = usePreferences();
  const { data: summary } = useQuery({
    ...summaryRead(),
    // The event of the end may have been emitted to a page before this one.
    refetchInterval: ({ state }) => completeUntil(null, state.data) !== null && REREAD_MS,
  });
  const until = completeUntil(delay, summary);
  if (freshness.kind === 'not-current') {
    const since = freshness.since - clockSkewMs();
    return (
      <div role="alert" className={styles['banner']}>
        <p title={formatTime(since, zone)}>
          <strong>Not current since {formatClock(since, zone)}</strong>.{' '}
          {freshness.retryAt !== null && <Countdown until={freshness.retryAt} />}
        </p>
        <Button onClick={retryLive}>Retry now</Button>
      </div>
    );
  }
  if (until === null) return null;
  return (
    <div role="status" className={styles['banner']}>
      <p title={formatTime(until, zone)}>
        Evaluation is behind. Alerts are complete until {formatClock(until, zone)}.
      </p>
    </div>
  );
}
