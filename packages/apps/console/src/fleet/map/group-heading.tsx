import { formatCount } from '../../components/number/number-format.ts';
import { StatusShape } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { FLEET_STATUSES, type HostColumns } from '../fleet.ts';
import type { HostGroup } from '../group.ts';
import styles from './fleet-map.module.css';

interface GroupHeadingProps {
  hosts: HostColumns;
  group: HostGroup;
  y: number;
  onOpen: () => void;
}

/** The value of a group with its counts: "eu-1  4,100 · ◆ 2 ▲ 9". A click shows that group alone. */
export function GroupHeading({ hosts, group, y, onOpen }: GroupHeadingProps) {
  const counts = new Uint32Array(FLEET_STATUSES.length);
  for (const row of group.rows) {
    const status = hosts.status[row] as number;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  const unhealthy = FLEET_STATUSES.flatMap((status, code) =>
    status === 'healthy' || counts[code] === 0 ? [] : [{ status, count: counts[code] as number }],
  );
  const name = visibleText(group.value ?? 'without the tag');
  return (
    <h2 className={styles['heading']} style={{ top: y }}>
      <button type="button" onClick={onOpen} title={`Show ${name} alone`}>
        {group.value === null ? <em>{name}</em> : name === '' ? <em>empty</em> : name}
      </button>
      <span>{formatCount(group.rows.length)}</span>
      {unhealthy.map(({ status, count }) => (
        <span key={status} className={styles['headingCount']}>
          <StatusShape status={status} size={11} />
          <span className="visually-hidden">{status} </span>
          {formatCount(count)}
        </span>
      ))}
    </h2>
  );
}
