import { type ComponentType, Fragment, Suspense } from 'react';
import { Charts } from '../../chart/chart-group.tsx';
import { useHostRules } from '../../chart/data/use-rules.ts';
import { formatCount } from '../../components/number/number-format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { SHAPE_CHARACTERS, STATUS_KINDS, statusKind } from '../../components/status/status-kinds.ts';
import { Tabs } from '../../components/tabs/tabs.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useVisited } from '../../palette/use-visited.ts';
import { lazyPart } from '../../upgrade/load-part.ts';
import { sentenceParts } from '../alerts/alert-words.ts';
import { isMissing, MissingObject } from '../missing-object.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageId, usePageSearch, useSetPageSearch } from '../page-state.ts';
import { HostAgents } from './agents/host-agents.tsx';
import { HostActions } from './host-actions.tsx';
import { HostFacts } from './host-facts.tsx';
import styles from './host-page.module.css';
import { type Host, useHost } from './host-reads.ts';
import { reasonText, TABS, type TabName, tabOf } from './host-texts.ts';
import { MetricsTab } from './metrics-tab.tsx';

// Metrics come first; the other tabs are loaded once they are chosen.
const PartsTab = lazyPart(() => import('./parts-tab.tsx'), 'PartsTab');
const ContainersTab = lazyPart(() => import('./containers-tab.tsx'), 'ContainersTab');
const ProcessesTab = lazyPart(() => import('./processes-tab.tsx'), 'ProcessesTab');
const AlertsTab = lazyPart(() => import('./alerts-tab.tsx'), 'AlertsTab');
const ChangesTab = lazyPart(() => import('./changes-tab.tsx'), 'ChangesTab');
const RulesTab = lazyPart(() => import('./rules-tab.tsx'), 'RulesTab');

/** Active alerts that the head of the page names; the tab has all. */
const MAX_NAMED = 2;

/** Everything about one host. Links of notifications lead here, with a metric and the time around an alert. */
export function HostPage() {
  const id = usePageId();
  const { data: host, error, refetch } = useHost(id);
  if (host === undefined && isMissing(error))
    return (
      <MissingObject
        noun="host"
        id={id}
        deletion="service.deleted"
        list={<PageLink page="hosts">Open the hosts</PageLink>}
      />
    );
  if (host === undefined)
    return (
      <>
        <PageHeader title="Host" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={8} height={32} />}
        {error && (
          <p>
            <PageLink page="hosts">All hosts</PageLink>
          </p>
        )}
      </>
    );
  return <OneHost host={host} />;
}

function OneHost({ host }: { host: Host }) {
  const search = usePageSearch('host');
  const setSearch = useSetPageSearch('host');
  const rules = useHostRules(host.id, host.name);
  useVisited('host', host.id, host.name);
  const shape = SHAPE_CHARACTERS[STATUS_KINDS[statusKind(host.status)].shape];
  const current = tabOf(search);
  const counts: Partial<Record<TabName, number | undefined>> = {
    metrics: Object.keys(host.metrics).length,
    parts: host.parts.length,
    containers: host.containers.length,
    alerts: host.alerts.length,
    rules: rules.data?.length,
  };
  const tabs = Object.entries(TABS).map(([name, label]) => {
    const count = counts[name as TabName];
    return { name: name as TabName, label: count === undefined ? label : `${label} ${formatCount(count)}` };
  });
  const Content = CONTENTS[current];
  return (
    <>
      <PageHeader
        title={visibleText(host.name)}
        windowTitle={`${shape} ${visibleText(host.name)}: ${host.status}`}
        before={<Status status={host.status} />}
        actions={<HostActions host={host} />}
      />
      <p className={styles['reason']}>
        {reasonText(host)} <NamedAlerts host={host} />
      </p>
      <HostFacts host={host} />
      <HostAgents host={host} />
      <Charts from={search.from} to={search.to} onRange={(range) => void setSearch(range)}>
        <Tabs
          label="What is shown of the host"
          tabs={tabs}
          current={current}
          onChange={(tab) => void setSearch({ tab: tab === 'metrics' ? undefined : tab, subject: undefined })}
        >
          <Suspense fallback={<Skeleton lines={8} height={32} />}>
            <Content host={host} />
          </Suspense>
        </Tabs>
      </Charts>
    </>
  );
}

/** The newest active alerts, so that nobody has to look for what is wrong. */
function NamedAlerts({ host: { alerts } }: { host: Host }) {
  return alerts.slice(0, MAX_NAMED).map((alert) => (
    <Fragment key={alert.id}>
      <PageLink page="alert" id={alert.id}>
        {sentenceParts(alert)[1]}
      </PageLink>{' '}
    </Fragment>
  ));
}

const CONTENTS: Readonly<Record<TabName, ComponentType<{ host: Host }>>> = {
  metrics: MetricsTab,
  parts: PartsTab,
  containers: ContainersTab,
  processes: ProcessesTab,
  alerts: AlertsTab,
  changes: ChangesTab,
  rules: RulesTab,
};
