import { Empty } from '../../components/empty.tsx';
import { Value } from '../../components/number/number.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { ContainerSpark } from './container-spark.tsx';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';
import { SubjectCharts } from './subject-charts.tsx';

type Container = Host['containers'][number];

/** The containers of a host, and the charts of the one that is chosen. */
export function ContainersTab({ host }: { host: Host }) {
  const { subject = '' } = usePageSearch('host');
  const setSearch = useSetPageSearch('host');
  const name = subject.startsWith('container:') ? subject.slice('container:'.length) : undefined;
  const chosen = host.containers.find((each) => each.name === name);
  if (host.containers.length === 0) return <Empty>This host has sent no containers.</Empty>;
  const columns = columnsOf(host);
  return (
    <>
      <Table
        name="Containers"
        columns={columns}
        rows={host.containers}
        keyOf={(container) => container.name}
        isSelected={(container) => container.name === name}
        narrow={(container) => <NarrowContainer container={container} />}
        onOpen={(container) => void setSearch({ subject: `container:${container.name}`, metric: undefined })}
      />
      {chosen !== undefined && (
        <SubjectCharts
          host={host}
          subject={`container:${chosen.name}`}
          title={chosen.name}
          metrics={metricsOf(chosen)}
        />
      )}
    </>
  );
}

/** A container on a phone: name and state, then what it uses. */
function NarrowContainer({
  container: { name, status, health, cpu_percent: cpu, memory_usage: memory },
}: NarrowProps) {
  return (
    <div>
      <b>{visibleText(name)}</b> {stateText(status, health)}
      <div className={styles['hint']}>
        CPU <Value value={numberOf(cpu)} unit="percent" /> · memory{' '}
        <Value value={numberOf(memory)} unit="bytes" />
      </div>
    </div>
  );
}

interface NarrowProps {
  container: Container;
}

/** "running, healthy" */
function stateText(status: string | null | undefined, health: string | null | undefined): string {
  const known = [status, health].flatMap((text) => (text ? visibleText(text) : []));
  return known.length > 0 ? known.join(', ') : '–';
}

/** The numeric fields of a container, which are its metrics. */
function metricsOf(container: Container): string[] {
  return Object.entries(container)
    .filter(([, value]) => typeof value === 'number')
    .map(([metric]) => metric)
    .sort();
}

function columnsOf(host: Host): Column<Container>[] {
  return [
    {
      id: 'name',
      heading: 'Container',
      width: 'minmax(120px, 2fr)',
      cell: ({ name }) => <b title={visibleText(name)}>{visibleText(name)}</b>,
    },
    {
      id: 'status',
      heading: 'State',
      width: '150px',
      cell: ({ status, health }) => stateText(status, health),
    },
    {
      id: 'image',
      heading: 'Image',
      width: 'minmax(120px, 2fr)',
      cell: ({ image }) => (
        <span title={image === null ? undefined : visibleText(image)}>{visibleText(image ?? '–')}</span>
      ),
    },
    {
      id: 'cpu',
      heading: 'CPU',
      width: '80px',
      isNumber: true,
      cell: ({ cpu_percent: value }) => <Value value={numberOf(value)} unit="percent" />,
    },
    {
      id: 'memory',
      heading: 'Memory',
      width: '100px',
      isNumber: true,
      cell: ({ memory_usage: value }) => <Value value={numberOf(value)} unit="bytes" />,
    },
    {
      id: 'spark',
      heading: 'CPU, last hour',
      width: '140px',
      cell: ({ name }) => <ContainerSpark serviceId={host.id} name={name} />,
    },
    { id: 'time', heading: 'Reported', width: '80px', isNumber: true, cell: ({ time }) => <Age at={time} /> },
  ];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
