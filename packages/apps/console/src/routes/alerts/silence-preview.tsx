import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount } from '../../components/number/number-format.ts';
import { problemText } from '../../components/problem-text.ts';
import { Status } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { AlertFilter } from '../../live/alert-filter.ts';
import styles from './alert-dialogs.module.css';
import { alertsRead } from './alert-reads.ts';

/** The active alerts that a silence of this filter mutes now. */
export function SilencePreview({ filter }: { filter: AlertFilter }) {
  const { data, error } = useInfiniteQuery(alertsRead({ ...filter, status: 'active' }));
  if (error) return <p role="alert">{problemText(error).detail}</p>;
  const [first] = data?.pages ?? [];
  if (first === undefined) return <p className={styles['preview']}>Looking up what it mutes …</p>;
  const { total } = first.pagination;
  const left = total - first.alerts.length;
  return (
    <section className={styles['preview']} aria-label="Muted now">
      <p>
        {total === 0
          ? 'No active alert is muted now.'
          : `${formatCount(total)} active ${total === 1 ? 'alert is' : 'alerts are'} muted now:`}
      </p>
      <ul>
        {first.alerts.map(({ id, severity, summary }) => (
          <li key={id}>
            <Status status={severity}>{visibleText(summary)}</Status>
          </li>
        ))}
      </ul>
      {left > 0 && <p>{formatCount(left)} more</p>}
    </section>
  );
}
