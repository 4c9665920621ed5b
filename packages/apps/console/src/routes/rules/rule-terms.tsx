import type { Rule } from '@tidewatch/contracts/rules/rule';
import { unitOf } from '@tidewatch/contracts/values/unit';
import type { ReactNode } from 'react';
import { formatValue } from '../../components/number/number-format.ts';
import { Time } from '../../components/time/time.tsx';
import { useChannelNames } from './channel-names.ts';
import { scopeText } from './rule-words.ts';
import styles from './rules.module.css';

const NO_DATA_WORDS = {
  keep_state: 'nothing changes: no alert fires or resolves',
  alert: 'an alert fires',
  resolve: 'the alert resolves',
} as const;

/** The terms of a rule as a list; what has its default is left out where nobody would look for it. */
export function RuleTerms({ rule }: { rule: Rule }) {
  const nameOf = useChannelNames();
  const minutes = (value: number) => (value === 0 ? 'at once' : `${value} min`);
  const terms: [string, ReactNode][] = [
    ['Hosts', scopeText(rule.scope)],
    ['Metric', <code key="metric">{rule.metric}</code>],
    ['Fires after', minutes(rule.duration_minutes)],
    ['Resolves after', minutes(rule.keep_firing_minutes)],
    ...(rule.recovery_threshold === null
      ? []
      : [
          ['Clears at', formatValue(rule.recovery_threshold, unitOf(rule.metric), rule.metric)] satisfies [
            string,
            ReactNode,
          ],
        ]),
    ['Notifies', rule.channels.map(nameOf).join(', ') || 'nobody'],
    [
      'Repeats',
      rule.renotify_minutes === null
        ? 'never: each alert is notified once'
        : `every ${rule.renotify_minutes} min`,
    ],
    ['Without data', `after ${rule.no_data.after_minutes} min ${NO_DATA_WORDS[rule.no_data.policy]}`],
    [
      'Exceptions',
      rule.overrides.length === 0 ? 'none' : rule.overrides.map(({ match }) => scopeText(match)).join(' · '),
    ],
    ...(rule.runbook_url === null
      ? []
      : [['Runbook', <Runbook key="runbook" url={rule.runbook_url} />] satisfies [string, ReactNode]]),
    ['Created', <Time key="created" at={rule.created_at} />],
    ['Changed', <Changed key="changed" rule={rule} />],
  ];
  return (
    <dl className={styles['terms']}>
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Changed({ rule }: { rule: Rule }) {
  return (
    <>
      <Time at={rule.updated_at} /> (version {rule.version})
    </>
  );
}

function Runbook({ url }: { url: string }) {
  return (
    <a href={url} rel="noreferrer">
      {url}
    </a>
  );
}
