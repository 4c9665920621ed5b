import { Status } from '../../components/status/status.tsx';
import { useServerNow } from '../../components/time/clock.ts';
import { formatAge } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import { type HostColumns, statusOf } from '../fleet.ts';
import { reasonOf, valuesOf } from '../host-text.ts';
import styles from './fleet-map.module.css';

const WIDTH = 260;

/** What is known of a host, beside its cell. The focused cell announces the same. */
export function HostTip(props: { hosts: HostColumns; row: number; x: number; y: number; width: number }) {
  const { hosts, row, x, y, width } = props;
  const now = useServerNow();
  const reason = reasonOf(hosts, row, now);
  return (
    <div
      className={styles['tip']}
      aria-hidden="true"
      style={{ left: Math.max(Math.min(x, width - WIDTH), 0), top: y + 6, maxWidth: Math.min(WIDTH, width) }}
    >
      <strong className={styles['tipName']}>{visibleText(hosts.names[row] as string)}</strong>
      <span>
        <Status status={statusOf(hosts, row)} /> for {formatAge(hosts.statusSince[row] as number, now)}
        {reason !== '' && `: ${reason}`}
      </span>
      <span>{valuesOf(hosts, row)}</span>
      <span className={styles['tipAge']}>last seen {formatAge(hosts.lastSeen[row] as number, now)} ago</span>
    </div>
  );
}
