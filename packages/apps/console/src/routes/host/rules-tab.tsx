import { unitOf } from '@tidewatch/contracts/values/unit';
import type { HostRule } from '../../chart/data/use-rules.ts';
import { thresholdsOf, useHostRules } from '../../chart/data/use-rules.ts';
import { thresholdText } from '../../chart/lanes/thresholds.ts';
import { Empty } from '../../components/empty.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import type { Column } from '../../components/table/column.ts';
import { Table } from '../../components/table/table.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { PageLink } from '../page-link.tsx';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';

/** The rules that evaluate a host, with the thresholds that apply to it. */
export function RulesTab({ host }: { host: Host }) {
  const { data, error, refetch } = useHostRules(host.id, host.name);
  if (data === undefined)
    return error ? (
      <Problem error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton lines={5} height={32} />
    );
  if (data.length === 0) return <Empty>No enabled rule evaluates this host.</Empty>;
  return (
    <Table
      name="Rules"
      columns={COLUMNS}
      rows={data}
      keyOf={({ rule }) => rule.id}
      narrow={(each) => <NarrowRule each={each} />}
    />
  );
}

const ORDER = ['critical', 'warning', 'info'] as const;

/** The worst severity that the rule can have on this host. */
function worstOf({ rule, terms }: HostRule): string {
  const severities = terms.thresholds?.map(({ severity }) => severity) ?? [terms.severity];
  return ORDER.find((severity) => severities.includes(severity)) ?? rule.severity;
}

/** What a rule compares with its thresholds: the metric, or a value derived from it. */
function measured({ rule: { metric, transform } }: HostRule): string {
  if (transform === null) return metric;
  const kind = transform.kind.replaceAll('_', ' ');
  return `${kind} of ${metric} over ${transform.over_minutes} min`;
}

/** The thresholds of the host in words, the mildest first. */
function termsText(each: HostRule): string {
  const { metric } = each.rule;
  // Those of derived values are no lines of the chart of the metric, and thresholds all the same.
  return thresholdsOf([{ ...each, rule: { ...each.rule, transform: null } }], metric)
    .map((threshold) => thresholdText(threshold, unitOf(metric), metric))
    .join('; ');
}

/** A rule on a phone: severity and name, then its thresholds. */
function NarrowRule({ each }: { each: HostRule }) {
  return (
    <div className={styles['narrow']}>
      <Status status={worstOf(each)} />{' '}
      <PageLink page="rule" id={each.rule.id}>
        {visibleText(each.rule.name)}
      </PageLink>
      <div className={styles['line']} title={termsText(each)}>
        {termsText(each)}
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<HostRule>[] = [
  {
    id: 'severity',
    heading: 'Severity',
    width: '100px',
    cell: (each) => <Status status={worstOf(each)} />,
  },
  {
    id: 'name',
    heading: 'Rule',
    width: 'minmax(160px, 2fr)',
    cell: ({ rule }) => (
      <PageLink page="rule" id={rule.id} title={visibleText(rule.name)}>
        {visibleText(rule.name)}
        {rule.mode === 'shadow' && ' (shadow)'}
      </PageLink>
    ),
  },
  {
    id: 'metric',
    heading: 'Evaluates',
    width: 'minmax(160px, 2fr)',
    wraps: true,
    cell: (each) => <span title={measured(each)}>{measured(each)}</span>,
  },
  {
    id: 'terms',
    heading: 'Thresholds of this host',
    width: 'minmax(200px, 3fr)',
    wraps: true,
    cell: (each) => {
      const text = termsText(each);
      return <span title={text}>{text}</span>;
    },
  },
  {
    id: 'from',
    heading: 'From',
    width: '110px',
    cell: ({ isOverridden }) => (isOverridden ? 'an override' : 'the rule'),
  },
];
