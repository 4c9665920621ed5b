import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Alert } from '../alert-reads.ts';
import type { LikelyCause } from '../likely-cause.ts';

/** What alerts are grouped by: their rule, their host, or a tag of their host. */
export type Grouping = { by: 'rule' } | { by: 'host' } | { by: 'tag'; tag: string };

export interface AlertGroup {
  /** The rule, the host or the value; null for hosts without the tag. */
  key: string | null;
  /** The name as it was sent. */
  name: string | null;
  alerts: readonly Alert[];
  /** How many alerts there are of each severity. */
  counts: Readonly<Record<Severity, number>>;
  hosts: number;
}

/** A line of a list of alerts: the heading of a group, or an alert. */
export type AlertRow = { kind: 'group'; group: AlertGroup; isOpen: boolean } | AlertLine;

/** An alert with everything that its line shows, so that a line whose members are the same is not rendered again. */
export interface AlertLine {
  kind: 'alert';
  alert: Alert;
  isNew: boolean;
  cause: LikelyCause | undefined;
}

/** The grouping that a URL names: `rule`, `host` or `tag.<name>`; null for none and for any other. */
export function groupingOf(text: string | undefined): Grouping | null {
  if (text === 'rule' || text === 'host') return { by: text };
  const [, tag] = /^tag\.(.+)$/s.exec(text ?? '') ?? [];
  return tag === undefined ? null : { by: 'tag', tag };
}

/** The groups of alerts, worst first and then the largest; within a group alerts stay in order. */
export function alertGroups(
  alerts: readonly Alert[],
  grouping: Grouping,
  tagOf: (serviceId: string) => string | null,
): AlertGroup[] {
  const groups = new Map<string | null, { name: string | null; alerts: Alert[] }>();
  for (const alert of alerts) {
    const { key, name } = placeOf(alert, grouping, tagOf);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { name, alerts: [alert] });
    else group.alerts.push(alert);
  }
  return [...groups]
    .map(([key, group]) => ({
      key,
      ...group,
      counts: countsOf(group.alerts),
      hosts: new Set(group.alerts.map(({ service_id }) => service_id)).size,
    }))
    .sort(worstFirst);
}

/** The rows of a grouped list; those of closed groups are left out. */
export function groupedRows(
  groups: readonly AlertGroup[],
  closed: ReadonlySet<string | null>,
  lineOf: (alert: Alert) => AlertLine,
): AlertRow[] {
  return groups.flatMap((group): AlertRow[] => {
    const isOpen = !closed.has(group.key);
    return [{ kind: 'group', group, isOpen }, ...(isOpen ? group.alerts.map(lineOf) : [])];
  });
}

export function worstOf({ counts }: Pick<AlertGroup, 'counts'>): Severity {
  return WORST_FIRST.find((severity) => counts[severity] > 0) ?? 'info';
}

/** The contract has this order beside its schemas, which lists of alerts do not load; the type names each severity. */
const ORDER: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };
const WORST_FIRST = Object.keys(ORDER) as readonly Severity[];

function placeOf(
  { rule_id, rule_name, service_id, host }: Alert,
  grouping: Grouping,
  tagOf: (serviceId: string) => string | null,
): { key: string | null; name: string | null } {
  if (grouping.by === 'rule') return { key: rule_id, name: rule_name };
  if (grouping.by === 'host') return { key: service_id, name: host };
  const value = tagOf(service_id);
  return { key: value, name: value };
}

function countsOf(alerts: readonly Alert[]): Record<Severity, number> {
  const counts = Object.fromEntries(WORST_FIRST.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const { severity } of alerts) counts[severity] += 1;
  return counts;
}

function worstFirst(a: AlertGroup, b: AlertGroup): number {
  const worse = ORDER[worstOf(a)] - ORDER[worstOf(b)];
  const larger = b.alerts.length - a.alerts.length;
  const isWithout = Number(a.key === null) - Number(b.key === null);
  return worse || larger || isWithout || (a.name ?? '').localeCompare(b.name ?? '', 'en');
}
