import { useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';
import {
  labelsText,
  METRIC,
  nextOrder,
  type Part,
  type PartGroup,
  partGroups,
  shortName,
  sortParts,
  subjectOf,
  valueText,
} from './part-rows.ts';
import { SubjectCharts } from './subject-charts.tsx';

/** The parts of a host by kind, such as its filesystems and units, and the charts of the one that is chosen. */
export function PartsTab({ host }: { host: Host }) {
  const { subject } = usePageSearch('host');
  const setSearch = useSetPageSearch('host');
  if (host.parts.length === 0)
    return <Empty>This host has sent no parts, such as filesystems, disks or units.</Empty>;
  return partGroups(host.parts).map((group) => {
    const chosen = group.parts.find((part) => subjectOf(part) === subject);
    return (
      <section key={group.kind} aria-label={`Parts of the kind ${visibleText(group.kind)}`}>
        <h2 className={styles['group']}>
          {visibleText(group.kind)} <span className={styles['hint']}>{group.parts.length}</span>
        </h2>
        <PartsTable
          group={group}
          subject={subject}
          onOpen={(part) => void setSearch({ subject: subjectOf(part), metric: undefined })}
        />
        {chosen !== undefined && (
          <SubjectCharts
            host={host}
            subject={subjectOf(chosen)}
            title={`${chosen.kind} ${chosen.name}`}
            metrics={Object.keys(chosen.metrics).sort()}
          />
        )}
      </section>
    );
  });
}

const LABELS: Column<Part> = {
  id: 'labels',
  heading: 'Labels',
  width: 'minmax(120px, 2fr)',
  cell: ({ labels }) => (
    <span title={visibleText(labelsText(labels))}>{visibleText(labelsText(labels))}</span>
  ),
};

interface PartsTableProps {
  group: PartGroup;
  /** The chosen subject of the page. */
  subject: string | undefined;
  onOpen: (part: Part) => void;
}

/** The parts of one kind, by name until the heading of another column is chosen. */
function PartsTable({ group, subject, onOpen }: PartsTableProps) {
  const [order, setOrder] = useState('name');
  return (
    <Table
      name={`Parts of the kind ${visibleText(group.kind)}`}
      columns={columnsOf(group)}
      rows={sortParts(group.parts, order)}
      keyOf={({ name }) => name}
      isSelected={(part) => subjectOf(part) === subject}
      sortingOf={(id) => {
        if (id === 'labels') return {};
        return {
          ...(order === id && { sorted: 'ascending' as const }),
          ...(order === `-${id}` && { sorted: 'descending' as const }),
          onSort: () => setOrder(nextOrder(order, id)),
        };
      }}
      narrow={(part) => <NarrowPart part={part} metrics={group.metrics} />}
      onOpen={onOpen}
    />
  );
}

/** A part on a phone: its name and labels as far as they fit, then what it reports. */
function NarrowPart({ part, metrics }: { part: Part; metrics: readonly string[] }) {
  const values = metrics.flatMap((metric) => {
    const text = valueText(part, metric);
    // A value stays with its name and its unit, and the dot with the value before it.
    return text === '' ? [] : unbroken(`${visibleText(shortName(metric, metrics))} ${text}`);
  });
  return (
    <div>
      <div className={styles['first']}>
        <b>{visibleText(part.name)}</b>{' '}
        <span className={styles['hint']}>{visibleText(labelsText(part.labels))}</span>
      </div>
      <div className={`${styles['hint']} ${styles['line']}`}>{values.join('\u00A0· ')}</div>
    </div>
  );
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

function columnsOf({ metrics, parts }: PartGroup): Column<Part>[] {
  const hasLabels = parts.some(({ labels }) => labelsText(labels) !== '');
  return [
    {
      id: 'name',
      heading: 'Part',
      width: 'minmax(140px, 2fr)',
      cell: ({ name }) => <b title={visibleText(name)}>{visibleText(name)}</b>,
    },
    ...(hasLabels ? [LABELS] : []),
    ...metrics.map(
      (metric): Column<Part> => ({
        id: `${METRIC}${metric}`,
        heading: <span title={visibleText(metric)}>{visibleText(shortName(metric, metrics))}</span>,
        width: 'minmax(90px, 1fr)',
        isNumber: true,
        cell: (part) => valueText(part, metric) || '–',
      }),
    ),
    { id: 'time', heading: 'Reported', width: '90px', isNumber: true, cell: ({ time }) => <Age at={time} /> },
  ];
}
