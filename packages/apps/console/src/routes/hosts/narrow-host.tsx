import { Value } from '../../components/number/number.tsx';
import { Status } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { FLEET_METRICS, type HostColumns, statusOf } from '../../fleet/fleet.ts';
import { METRIC_WORDS } from '../../fleet/host-text.ts';
import { PageLink } from '../page-link.tsx';
import styles from './hosts-page.module.css';

interface NarrowHostProps {
  hosts: HostColumns;
  row: number;
  isSelected: boolean;
  onSelect: (ids: readonly string[]) => void;
}

/** A host on a phone: its name and status, then its values. */
export function NarrowHost({ hosts, row, isSelected, onSelect }: NarrowHostProps) {
  const id = hosts.ids[row] as string;
  const name = visibleText(hosts.names[row] as string);
  return (
    <div className={styles['narrow']}>
      <input
        type="checkbox"
        tabIndex={-1}
        className={styles['check']}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={() => onSelect([id])}
      />
      <span className={styles['narrowName']} title={name}>
        <PageLink page="host" id={id}>
          {name}
        </PageLink>
      </span>
      <Status status={statusOf(hosts, row)} />
      <span className={styles['narrowValues']}>
        {FLEET_METRICS.map((metric) => {
          const value = hosts.metrics[metric][row] as number;
          return (
            <span key={metric}>
              {METRIC_WORDS[metric]} <Value value={Number.isNaN(value) ? null : value} unit="percent" />
            </span>
          );
        })}
      </span>
    </div>
  );
}
