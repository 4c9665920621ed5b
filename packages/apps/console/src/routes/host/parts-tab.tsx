import { unitOf } from '@tidewatch/contracts/values/unit';
import { Empty } from '../../components/empty.tsx';
import { formatValue } from '../../components/number/number-format.ts';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';
import { labelsText, type Part, type PartGroup, partGroups, shortName, subjectOf } from './part-rows.ts';
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
        <Table
          name={`Parts of the kind ${visibleText(group.kind)}`}
          columns={columnsOf(group)}
          rows={group.parts}
          keyOf={({ name }) => name}
          isSelected={(part) => subjectOf(part) === subject}
          narrow={(part) => <NarrowPart part={part} metrics={group.metrics} />}
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

/** A part on a phone: its name, then what it reports. */
function NarrowPart({ part, metrics }: { part: Part; metrics: readonly string[] }) {
  const values = metrics.flatMap((metric) => {
    const text = valueText(part, metric);
    return text === '' ? [] : `${visibleText(shortName(metric))} ${text}`;
  });
  return (
    <div>
      <b>{visibleText(part.name)}</b>
      <div className={styles['hint']}>{values.join(' · ')}</div>
    </div>
  );
}

function columnsOf({ metrics }: PartGroup): Column<Part>[] {
  return [
    {
      id: 'name',
      heading: 'Part',
      width: 'minmax(140px, 2fr)',
      cell: ({ name }) => <b title={visibleText(name)}>{visibleText(name)}</b>,
    },
    {
      id: 'labels',
      heading: 'Labels',
      width: 'minmax(120px, 2fr)',
      cell: ({ labels }) => (
        <span title={visibleText(labelsText(labels))}>{visibleText(labelsText(labels))}</span>
      ),
    },
    ...metrics.map(
      (metric): Column<Part> => ({
        id: `metric ${metric}`,
        heading: <span title={visibleText(metric)}>{visibleText(shortName(metric))}</span>,
        width: 'minmax(90px, 1fr)',
        isNumber: true,
        cell: (part) => valueText(part, metric) || '–',
      }),
    ),
    { id: 'time', heading: 'Reported', width: '90px', cell: ({ time }) => <Age at={time} /> },
  ];
}

/** "81.2 %"; empty where the part does not have the metric. */
function valueText({ metrics }: Part, metric: string): string {
  const value = metrics[metric];
  return value === undefined ? '' : formatValue(value, unitOf(metric), metric);
}
