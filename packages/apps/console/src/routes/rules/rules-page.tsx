import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isServed, pathOf } from '@tidewatch/contracts/console/paths';
import type { Rule } from '@tidewatch/contracts/rules/rule';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { Status, StatusShape } from '../../components/status/status.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch, useSetPageSearch } from '../page-state.ts';
import { useChannelNames } from './channel-names.ts';
import { NarrowRule } from './narrow-rule.tsx';
import { readRules } from './read-rules.ts';
import { countsText, useRuleCounts } from './rule-counts.ts';
import { conditionText, scopeText, worstSeverity } from './rule-words.ts';
import styles from './rules.module.css';
import { ruleOrder, sortRules } from './rules-order.ts';
import { RulesToolbar } from './rules-toolbar.tsx';

const POLL_MS = 15_000;

/** All rules with what they evaluate, whom they notify, and how many alerts they have. */
export function RulesPage() {
  const { q, severity, sort } = usePageSearch('rules');
  const setSearch = useSetPageSearch('rules');
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['rules', { q, severity }],
    queryFn: () => readRules({ q, severity }),
    refetchInterval: POLL_MS,
  });
  const nameOf = useChannelNames();
  const counts = useRuleCounts();
  const order = ruleOrder(sort);
  const rows = data === undefined ? [] : sortRules(data, order, ({ id }) => counts.get(id)?.alerts ?? 0);
  const isFiltered = q !== undefined || severity !== undefined;
  const columns: Column<Rule>[] = [
    {
      id: 'name',
      heading: 'Rule',
      width: 'minmax(180px, 2fr)',
      sorted: order === 'name' ? 'ascending' : undefined,
      onSort: () => void setSearch({ sort: undefined }),
      cell: (rule) => (
        <span className={styles['name']}>
          <StatusShape status={worstSeverity(rule)} />
          <span className="visually-hidden">{worstSeverity(rule)}</span>
          <PageLink page="rule" id={rule.id} title={visibleText(rule.name)}>
            {visibleText(rule.name)}
          </PageLink>
          {rule.mode === 'shadow' && <span className={styles['note']}>shadow</span>}
          {!rule.enabled && <span className={styles['note']}>off</span>}
        </span>
      ),
    },
    {
      id: 'condition',
      heading: 'Condition',
      width: 'minmax(200px, 3fr)',
      wraps: true,
      cell: (rule) => <span title={conditionText(rule)}>{conditionText(rule)}</span>,
    },
    {
      id: 'scope',
      heading: 'Hosts',
      width: 'minmax(90px, 1fr)',
      wraps: true,
      cell: (rule) => <span title={scopeText(rule.scope)}>{scopeText(rule.scope)}</span>,
    },
    {
      id: 'channels',
      heading: 'Channels',
      width: 'minmax(96px, 1fr)',
      wraps: true,
      cell: ({ channels, mode }) =>
        channels.length === 0 && mode === 'active' ? (
          <Status status="warning">none</Status>
        ) : (
          channels.map(nameOf).join(', ') || '–'
        ),
    },
    {
      id: 'state',
      heading: 'State',
      width: '84px',
      cell: (rule) =>
        rule.state === 'firing' ? (
          <Status status={worstSeverity(rule)}>firing {rule.firing_count}</Status>
        ) : (
          rule.state
        ),
    },
    {
      id: 'alerts',
      heading: 'Alerts in 7 days',
      width: 'minmax(176px, 1fr)',
      wraps: true,
      sorted: order === 'alerts' ? 'descending' : undefined,
      onSort: () => void setSearch({ sort: 'alerts' }),
      cell: (rule) => {
        const text = countsText(counts.get(rule.id));
        return (
          <PageLink page="alerts" search={{ rule_id: rule.id, status: 'all' }} title={text}>
            {text}
          </PageLink>
        );
      },
    },
    {
      id: 'updated_at',
      heading: 'Changed',
      width: '84px',
      sorted: order === 'updated_at' ? 'descending' : undefined,
      onSort: () => void setSearch({ sort: 'updated_at' }),
      cell: (rule) => <Age at={rule.updated_at} />,
    },
  ];
  return (
    <>
      <PageHeader
        title="Rules"
        actions={
          <>
            <PageLink page="channels">Channels</PageLink>
            <ScopedButton kind="primary" onClick={() => void navigate({ to: pathOf('newRule', {}) })}>
              New rule
            </ScopedButton>
          </>
        }
      />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <RulesToolbar rules={rows} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={32} />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <Empty
            action={
              <Button onClick={() => void setSearch({ q: undefined, severity: undefined })}>
                Clear filters
              </Button>
            }
          >
            No rule matches {[q, severity].filter(Boolean).join(', ')}.
          </Empty>
        ) : (
          <Empty action={<PageLink page="newRule">Create one</PageLink>}>
            There is no rule. A rule says which value of a metric fires an alert.
          </Empty>
        )
      ) : (
        <Table
          name="Rules"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: pathOf('rule', { id }) })}
          narrow={(rule) => <NarrowRule rule={rule} counts={countsText(counts.get(rule.id))} />}
          keys={['e']}
          onKey={(key, { id }) => {
            if (key !== 'e' || !isServed('editRule')) return false;
            void navigate({ to: pathOf('editRule', { id }) });
            return true;
          }}
        />
      )}
    </>
  );
}
