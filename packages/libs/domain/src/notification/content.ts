import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import { CONDITION_FACTS } from '@tidewatch/contracts/rules/condition';
import { namedSubject } from '@tidewatch/contracts/values/named-subject';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import { bytes, quantity, stretch } from '../alerting/quantity.ts';
import { comparison, saysSilence, silence } from '../alerting/summary.ts';
import { breachDuration } from './breach-duration.ts';
import { alertLinks, ruleAlertsLink } from './links.ts';
import { oneLine } from './text.ts';

/** The max number of processes that a notification names, the busiest first. */
const TOP_PROCESSES = 5;

/** The fact that names the alert by its id. */
export const ALERT_LABEL = 'Alert';

/** The facts of a notification, which every provider words in its own form. */
export interface NoticeFacts {
  transition: Transition;
  /** When it was decided to notify, ms. */
  time: number;
  rule: { name: string; runbookUrl: string | null };
  /** The alert, or all alerts of a digest; never empty. */
  alerts: readonly Alert[];
  publicUrl: string | null;
}

/** The content of every provider's message. All texts are single lines without control characters. */
export interface NoticeContent {
  resolved: boolean;
  severity: Severity;
  /** "Firing", "Resolved", "Still firing", … */
  state: string;
  /** "web-01: CPU is busy", host first. */
  title: string;
  /** The notification in one sentence. */
  summary: string;
  facts: readonly { label: string; value: string }[];
  processes: readonly string[];
  /** A line for each alert of a digest, host first; empty for a single one. */
  lines: readonly string[];
  links: readonly { label: string; url: string }[];
}

/** Words a notification about one alert or about a digest of several alerts. */
export function noticeContent(facts: NoticeFacts): NoticeContent {
  const [first] = facts.alerts;
  if (first === undefined) throw new RangeError('A notice must have at least one alert.');
  return facts.transition === 'digest' ? digest(facts, first) : single(facts, first);
}

const STATES: Record<Exclude<Transition, 'digest'>, string> = {
  fired: 'Firing',
  escalated: 'Escalated',
  resolved: 'Resolved',
  renotified: 'Still firing',
  flapping: 'Flapping',
  silence_ended: 'Firing, no longer silenced',
};

function single(facts: NoticeFacts, alert: Alert): NoticeContent {
  const { transition, time, rule, publicUrl } = facts;
  const resolved = alert.status === 'resolved';
  const links = alertLinks(publicUrl, alert);
  const optional = (label: string, value: string | null) => (value === null ? [] : [{ label, value }]);
  const compared = comparedOf(alert);
  return {
    resolved,
    severity: alert.severity,
    state: STATES[transition as keyof typeof STATES],
    title: `${placeOf(alert)}: ${oneLine(rule.name)}`,
    summary: summaryOf(alert, time, transition),
    facts: [
      { label: 'Host', value: oneLine(alert.host) },
      ...subjectFact(alert),
      { label: 'Severity', value: alert.severity },
      { label: 'Rule', value: oneLine(rule.name) },
      { label: 'Metric', value: oneLine(alert.metric) },
      { label: 'Value', value: compared.is },
      ...optional('Fires when', compared.limits),
      { label: resolved ? 'Lasted' : 'For', value: lastedOf(alert, time) },
      { label: ALERT_LABEL, value: alert.id },
    ],
    processes: busiest(alert),
    lines: [],
    links: present([
      ['Alert', links.alert],
      ['Chart', links.chart],
      ['Investigation', links.investigation],
      ['Runbook', rule.runbookUrl],
    ]),
  };
}

function digest({ rule, alerts, time, publicUrl }: NoticeFacts, first: Alert): NoticeContent {
  const resolved = alerts.every(({ status }) => status === 'resolved');
  const hosts = new Set(alerts.map(({ host }) => host)).size;
  const verb = resolved ? 'resolved' : 'firing';
  const name = oneLine(rule.name);
  const many = `${alerts.length} ${alerts.length === 1 ? 'alert' : 'alerts'}`;
  return {
    resolved,
    severity: SEVERITIES.find((each) => alerts.some(({ severity }) => severity === each)) ?? first.severity,
    state: resolved ? 'Resolved' : 'Firing',
    title: `${many} on ${hosts} ${hosts === 1 ? 'host' : 'hosts'}: ${name}`,
    summary: `${many} of the rule "${name}" ${alerts.length === 1 ? 'is' : 'are'} ${verb}.`,
    facts: [
      { label: 'Rule', value: name },
      { label: 'Metric', value: oneLine(first.metric) },
    ],
    processes: [],
    lines: alerts.map((alert) => lineOf(alert, time)),
    links: present([
      ['Alerts', ruleAlertsLink(publicUrl, first.rule_id)],
      ['Runbook', rule.runbookUrl],
    ]),
  };
}

const SUBJECT_LABELS = { container: 'Container', process: 'Process', part: 'Part' };

/** What the alert is about within its host; a part has its kind before its name, such as "filesystem /var". */
function subjectFact({ subject }: Alert): { label: string; value: string }[] {
  if (subject.kind === 'host') return [];
  const { kind, name } = namedSubject(subject);
  const value = subject.kind === 'part' ? `${kind} ${name}` : name;
  return [{ label: SUBJECT_LABELS[subject.kind], value: oneLine(value) }];
}

/** "web-01", "web-01, container api", or of a part "web-01, filesystem /var". */
function placeOf(alert: Alert): string {
  const host = oneLine(alert.host);
  if (alert.subject.kind === 'host') return host;
  const { kind, name } = namedSubject(alert.subject);
  return `${host}, ${oneLine(kind)} ${oneLine(name)}`;
}

function summaryOf(alert: Alert, time: number, transition: Transition): string {
  const place = placeOf(alert);
  const silent = saysSilence(alert.metric, alert.condition);
  const { is, limits } = comparedOf(alert);
  if (alert.status === 'resolved') {
    const why =
      alert.resolution === 'recovered' || alert.resolution === null ? '' : REASONS[alert.resolution];
    const now = silent ? (why === '' ? 'reports again' : 'offline') : `${oneLine(alert.metric)} is ${is}`;
    return `${place}: ${now}; resolved after ${lastedOf(alert, time)}${why}.`;
  }
  if (transition === 'fired' || transition === 'silence_ended') return oneLine(alert.summary);
  if (silent) return oneLine(silence(alert.host, alert.value));
  const condition = limits === null ? '' : `, ${limits}`;
  return `${place}: ${oneLine(alert.metric)} is ${is}${condition} for ${lastedOf(alert, time)}.`;
}

const REASONS = {
  no_data: ', for the metric stayed away',
  manual: ', by hand',
  rule_deleted: ', for the rule was deleted',
  rule_disabled: ', for the rule was disabled',
  rule_changed: ', for the rule was changed',
  service_deleted: ', for the service was deleted',
  service_archived: ', for the service was archived',
  subject_gone: ', for it is gone',
};

/** The value and its condition in words; `limits` is null if the metric is missing. */
function comparedOf(alert: Alert): { is: string; limits: string | null } {
  const { metric, value, condition, threshold, threshold_max: max } = alert;
  if (alert.no_data || threshold === null) return { is: quantity(metric, value), limits: null };
  if (saysSilence(metric, condition))
    return { is: quantity(metric, value), limits: `silent for more than ${quantity(metric, threshold)}` };
  if (value === null) {
    const limits = CONDITION_FACTS[condition].words(
      quantity(metric, threshold),
      quantity(metric, max ?? threshold),
    );
    return { is: quantity(metric, value), limits };
  }
  return comparison(metric, value, condition, threshold, max);
}

/** How long the breach lasted in words: from its first sample to its end, or to `time` (ms) while it lasts. */
function lastedOf(alert: Alert, time: number): string {
  return stretch(breachDuration(alert, time));
}

function lineOf(alert: Alert, time: number): string {
  const is = `${quantity(alert.metric, alert.value)}, ${alert.severity}`;
  return alert.status === 'resolved'
    ? `${placeOf(alert)}: resolved after ${lastedOf(alert, time)}, ${is}, ${alert.id}`
    : `${placeOf(alert)}: ${is}, ${alert.id}`;
}

function busiest({ context, metric }: Alert): string[] {
  const byMemory = metric.includes('memory');
  const measure = (process: Alert['context']['processes'][number]) =>
    (byMemory ? process.memory_rss : process.cpu_percent) ?? -1;
  return [...context.processes]
    .sort((a, b) => measure(b) - measure(a))
    .slice(0, TOP_PROCESSES)
    .map(({ name, pid, cpu_percent: cpu, memory_rss: memory }) =>
      [
        `${oneLine(name)} (pid ${pid})`,
        ...(cpu === null ? [] : [`${quantity('cpu_percent', cpu)} CPU`]),
        ...(memory === null ? [] : [`${bytes(memory)} memory`]),
      ].join(', '),
    );
}

function present(links: readonly (readonly [label: string, url: string | null])[]) {
  return links.flatMap(([label, url]) => (url === null ? [] : [{ label, url }]));
}
