import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Empty } from '../../components/empty.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { alertsRead } from '../alerts/alert-reads.ts';
import { PageLink } from '../page-link.tsx';
import { readRules } from '../rules/read-rules.ts';
import styles from './system-page.module.css';

type Rule = Awaited<ReturnType<typeof readRules>>[number];

const isOnTidewatch = ({ metric }: Rule) => metric.startsWith('tidewatch_');

/** The rules that evaluate Tidewatch itself, each with what fires. */
export function OwnAlerts() {
  const { data, error, refetch } = useQuery({
    queryKey: ['rules', {}],
    queryFn: () => readRules({}),
    staleTime: 30_000,
  });
  if (data === undefined)
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={3} />;
  const rules = data.filter(isOnTidewatch);
  if (rules.length === 0)
    return (
      <Empty action={<PageLink page="rules">Rules</PageLink>}>
        No rule evaluates Tidewatch itself. The starter set has five such rules.
      </Empty>
    );
  return (
    <ul className={styles['list']} aria-label="Rules on Tidewatch">
      {rules.map((rule) => (
        <OwnRule key={rule.id} rule={rule} />
      ))}
    </ul>
  );
}

function OwnRule({ rule: { id, name, enabled } }: { rule: Rule }) {
  const { data, error } = useInfiniteQuery({ ...alertsRead({ status: 'active', rule_id: id }), enabled });
  const alerts = data?.pages.flatMap((page) => page.alerts) ?? [];
  return (
    <li>
      <PageLink page="rule" id={id}>
        <bdi>{visibleText(name)}</bdi>
      </PageLink>
      {!enabled ? (
        <span className={styles['muted']}>disabled</span>
      ) : error ? (
        <span className={styles['muted']}>its alerts could not be read</span>
      ) : data === undefined ? null : alerts.length === 0 ? (
        <span className={styles['muted']}>nothing fires</span>
      ) : (
        alerts.map((alert) => (
          <span key={alert.id}>
            <Status status={alert.severity} />{' '}
            <PageLink page="alert" id={alert.id}>
              <bdi>{visibleText(alert.summary)}</bdi>
            </PageLink>
          </span>
        ))
      )}
    </li>
  );
}
