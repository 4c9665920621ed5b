import { Charts } from '../../chart/chart-group.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { SHAPE_CHARACTERS, STATUS_KINDS, statusKind } from '../../components/status/status-kinds.ts';
import { usePageId, usePageSearch, useSetPageSearch } from '../page-state.ts';
import { HostFacts } from './host-facts.tsx';
import styles from './host-page.module.css';
import { type Host, useHost } from './host-reads.ts';
import { reasonText } from './host-texts.ts';
import { MetricsTab } from './metrics-tab.tsx';

/** Everything about one host. Links of notifications lead here, with a metric and the time around an alert. */
export function HostPage() {
  const { data: host, error, refetch } = useHost(usePageId());
  if (host === undefined)
    return (
      <>
        <PageHeader title="Host" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={8} height={32} />}
      </>
    );
  return <OneHost host={host} />;
}

function OneHost({ host }: { host: Host }) {
  const search = usePageSearch('host');
  const setSearch = useSetPageSearch('host');
  const shape = SHAPE_CHARACTERS[STATUS_KINDS[statusKind(host.status)].shape];
  return (
    <>
      <PageHeader
        title={host.name}
        windowTitle={`${shape} ${host.name}: ${host.status}`}
        before={<Status status={host.status} />}
      />
      <p className={styles['reason']}>{reasonText(host)}</p>
      <HostFacts host={host} />
      <Charts from={search.from} to={search.to} onRange={(range) => void setSearch(range)}>
        <MetricsTab host={host} />
      </Charts>
    </>
  );
}
