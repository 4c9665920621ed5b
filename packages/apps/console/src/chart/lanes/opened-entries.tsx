import { Button } from '../../components/button.tsx';
import { StatusShape } from '../../components/status/status.tsx';
import { formatTime, type Zone } from '../../components/time/time-format.ts';
import { PageLink } from '../../routes/page-link.tsx';
import styles from '../time-chart.module.css';
import type { LaneEntry } from './lanes.ts';

const MAX_SHOWN = 10;

/** What a button of a lane stands for, with a link to each. */
export function OpenedEntries(props: { entries: readonly LaneEntry[]; zone: Zone; onClose: () => void }) {
  const { entries, zone, onClose } = props;
  return (
    <div className={styles['details']}>
      {entries.slice(0, MAX_SHOWN).map(({ id, name, severity, from, to, page }) => (
        <span key={id}>
          {severity && <StatusShape status={severity} />}{' '}
          {page ? (
            <PageLink page={page.name} id={page.id} search={('search' in page && page.search) || {}}>
              {name}
            </PageLink>
          ) : (
            name
          )}{' '}
          {formatTime(from, zone)}
          {to > from && ` to ${formatTime(to, zone)}`}
        </span>
      ))}
      {entries.length > MAX_SHOWN && <span>{entries.length - MAX_SHOWN} more</span>}
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
