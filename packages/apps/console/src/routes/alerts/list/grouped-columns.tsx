import { formatCount } from '../../../components/number/number-format.ts';
import { StatusShape } from '../../../components/status/status.tsx';
import type { Column } from '../../../components/table/column.ts';
import { visibleText } from '../../../components/visible-text.ts';
import { type AlertGroup, type AlertLine, type AlertRow, type Grouping, worstOf } from './alert-groups.ts';
import styles from './alerts-page.module.css';

/** The columns of a list of alerts, with the headings of groups among the rows. */
export function groupedColumns(
  columns: readonly Column<AlertLine>[],
  grouping: Grouping | null,
  toggle: (group: AlertGroup) => void,
): Column<AlertRow>[] {
  return columns.map(({ cell, ...column }) => ({
    ...column,
    cell: (row, isSelected) => {
      if (row.kind === 'alert') return cell(row, isSelected);
      if (column.id === 'severity') return <Counts group={row.group} />;
      if (column.id === 'host') return counted(row.group.hosts, 'host');
      if (column.id === 'alert')
        return <Heading group={row.group} isOpen={row.isOpen} grouping={grouping} onToggle={toggle} />;
      return null;
    },
  }));
}

interface HeadingProps {
  group: AlertGroup;
  isOpen: boolean;
  grouping: Grouping | null;
  onToggle: (group: AlertGroup) => void;
}

/** The name of a group, which opens and closes it. */
function Heading({ group, isOpen, grouping, onToggle }: HeadingProps) {
  const name = nameOf(group, grouping);
  return (
    <button
      type="button"
      className={styles['group']}
      aria-expanded={isOpen}
      title={name}
      onClick={() => onToggle(group)}
    >
      <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <strong>{name}</strong>{' '}
      {counted(group.alerts.length, 'alert')}
    </button>
  );
}

/** The heading of a group on a phone. */
export function NarrowGroup(props: HeadingProps) {
  return (
    <div className={styles['narrowGroup']}>
      <Heading {...props} />
      <span className={styles['narrowSince']}>
        <Counts group={props.group} />
      </span>
    </div>
  );
}

function Counts({ group }: { group: AlertGroup }) {
  const worst = worstOf(group);
  const shown = (['critical', 'warning', 'info'] as const).filter((severity) => group.counts[severity] > 0);
  return (
    <span className={styles['counts']} data-worst={worst}>
      {shown.map((severity) => (
        <span key={severity} className={styles['count']}>
          <StatusShape status={severity} /> {formatCount(group.counts[severity])}
          <span className="visually-hidden"> {severity}</span>
        </span>
      ))}
    </span>
  );
}

function nameOf({ name }: AlertGroup, grouping: Grouping | null): string {
  if (grouping?.by === 'tag') return name === null ? `no ${visibleText(grouping.tag)}` : visibleText(name);
  return visibleText(name ?? '');
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
