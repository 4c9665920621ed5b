import type { Schema } from '@tidewatch/api-client/schema';
import { isServed, pathOf } from '@tidewatch/contracts/console/paths';
import { api } from '../api/client.ts';
import { visibleText } from '../components/visible-text.ts';
import type { PaletteEntry } from './palette-entries.ts';
import type { Visited } from './visited.ts';

const MAX_FOUND = 8;
/** Active alerts and investigations that are searched: the newest. */
const NEWEST = 50;

type Host = Pick<Schema<'Service'>, 'id' | 'name' | 'status'>;
type Rule = Pick<Schema<'Rule'>, 'id' | 'name' | 'severity'>;
type Metric = Pick<Schema<'Metric'>, 'name'>;
type Alert = Schema<'Alert'>;
type Investigation = Schema<'InvestigationItem'>;

export interface Found {
  hosts: Host[];
  rules: Rule[];
  metrics: Metric[];
}

/** Hosts, rules and metrics whose names contain the text. */
export async function search(q: string, signal: AbortSignal): Promise<Found> {
  const query = { q, limit: MAX_FOUND } as const;
  const [services, rules, metrics] = await Promise.all([
    api.get('/api/v1/services', { params: { query }, signal }),
    api.get('/api/v1/alerts/rules', { params: { query }, signal }),
    api.get('/api/v1/metrics', { params: { query }, signal }),
  ]);
  return {
    hosts: (services as Schema<'ServicesPage'>).services,
    rules: (rules as Schema<'RulesPage'>).rules,
    metrics: (metrics as Schema<'MetricsPage'>).metrics,
  };
}

/** The newest active alerts and investigations, which have no search of their own. */
export async function readNewest(
  signal: AbortSignal,
): Promise<{ alerts: Alert[]; investigations: Investigation[] }> {
  const [alerts, investigations] = await Promise.all([
    api.get('/api/v1/alerts', { params: { query: { limit: NEWEST } }, signal }),
    api.get('/api/v1/investigations', { params: { query: { limit: NEWEST } }, signal }),
  ]);
  return {
    alerts: (alerts as Schema<'AlertsPage'>).alerts,
    investigations: (investigations as Schema<'InvestigationsPage'>).investigations,
  };
}

export function hostEntry({ id, name, status }: Host): PaletteEntry {
  return { id, label: visibleText(name), status, action: { kind: 'open', to: pathOf('host', { id }) } };
}

export function ruleEntry({ id, name, severity }: Rule): PaletteEntry {
  return {
    id,
    label: visibleText(name),
    status: severity,
    action: { kind: 'open', to: pathOf('rule', { id }) },
  };
}

export function metricEntry({ name }: Metric): PaletteEntry {
  const to = pathOf('query', {}, { metric: name });
  return { id: `metric ${name}`, label: visibleText(name), action: { kind: 'open', to } };
}

export function alertEntry({ id, summary, rule_name, severity }: Alert): PaletteEntry {
  const action = { kind: 'open', to: pathOf('alert', { id }) } as const;
  return { id, label: visibleText(summary), words: rule_name, status: severity, action };
}

export function investigationEntry({ id, title }: Investigation): PaletteEntry {
  return { id, label: visibleText(title), action: { kind: 'open', to: pathOf('investigation', { id }) } };
}

/** None for an object whose page the console does not have. */
export function visitedEntry({ page, id, name }: Visited): PaletteEntry[] {
  if (!isServed(page)) return [];
  const action = { kind: 'open', to: pathOf(page, { id }) } as const;
  return [{ id: `visited ${id}`, label: visibleText(name), words: page, action }];
}
