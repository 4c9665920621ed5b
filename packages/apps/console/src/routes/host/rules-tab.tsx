import { unitOf } from '@tidewatch/contracts/values/unit';
import type { HostRule } from '../../chart/data/use-rules.ts';
import { thresholdsOf, useHostRules } from '../../chart/data/use-rules.ts';
import { thresholdText } from '../../chart/lanes/thresholds.ts';
import { Empty } from '../../components/empty.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { PageLink } from '../page-link.tsx';
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
  return <Table name="Rules" columns={COLUMNS} rows={data} keyOf={({ rule }) => rule.id} />;
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
      <PageLink page="rule" id={rule.id} title={rule.name}>
        {rule.name}
        {rule.mode === 'shadow' && ' (shadow)'}
      </PageLink>
    ),
  },
  {
    id: 'metric',
    heading: 'Evaluates',
    width: 'minmax(160px, 2fr)',
    cell: (each) => <span title={measured(each)}>{measured(each)}</span>,
  },
  {
    id: 'terms',
    heading: 'Thresholds of this host',
    width: 'minmax(200px, 3fr)',
    cell: (each) => {
      const { metric } = each.rule;
      const plain = { ...each, rule: { ...each.rule, transform: null } };
      const text = thresholdsOf([plain], metric)
        .map((threshold) => thresholdText(threshold, unitOf(metric), metric))
        .join('; ');
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
