import { greatest, type MetricReading } from '@tidewatch/api-client/prometheus-text';
import type { Schema } from '@tidewatch/api-client/schema';
import { type Finding, finding } from './finding.ts';

/** What of a service matters here. */
export type Host = Pick<Schema<'Service'>, 'name' | 'status' | 'status_reasons' | 'last_seen'>;

const NAMED = 5;
/** A host that was not seen for so long is silent, whatever its status says: it may be silenced, or have no rhythm yet. */
const SILENT_AFTER_MS = 5 * 60_000;

/** Hosts whose clock is wrong or that are silent at `now` (ms, by the service's clock). `complete` false: there are more than were looked at. */
export function judgeHosts(hosts: readonly Host[], complete: boolean, now: number): Finding[] {
  if (hosts.length === 0)
    return [
      finding(
        'hosts',
        'warning',
        'no host reports',
        'start an agent (npm run agent), or try: tidewatch send web-01 cpu_percent=1',
      ),
    ];
  const offline = hosts.filter((host) => isSilent(host, now));
  const skewed = withReason(hosts, 'clock_skew');
  const found: Finding[] = [];
  if (offline.length > 0)
    found.push(
      finding(
        'hosts',
        'warning',
        `${count(offline.length)} silent: ${names(offline)}`,
        'see whether the host and its agent run',
      ),
    );
  if (skewed.length > 0)
    found.push(
      finding(
        'hosts',
        'warning',
        `${count(skewed.length)} with a wrong clock: ${names(skewed)}`,
        'let these hosts keep their time by NTP: alerts and charts have the times of their clocks',
      ),
    );
  const all = `${complete ? '' : 'the first '}${count(hosts.length)}`;
  return found.length > 0 ? found : [finding('hosts', 'ok', `${all}, none silent, clocks agree`)];
}

interface Measure {
  metric: string;
  check: Finding['check'];
  warning: number;
  failed: number;
  unit: string;
  what: string;
  advice: string;
}

/** Each metric of the service itself with the values from which it is worth a word, and what to do. */
const MEASURES: readonly Measure[] = [
  {
    metric: 'tidewatch_writer_lag_seconds',
    warning: 10,
    failed: 60,
    unit: 's',
    check: 'lag',
    what: 'samples wait to be stored',
    advice: 'run more writers, or give the database faster disks',
  },
  {
    metric: 'tidewatch_consumer_lag_records',
    warning: 10_000,
    failed: 1_000_000,
    unit: ' records',
    check: 'lag',
    what: 'a consumer is behind',
    advice: 'run more writers or evaluators, up to the number of partitions',
  },
  {
    metric: 'tidewatch_notifications_oldest_seconds',
    warning: 60,
    failed: 600,
    unit: 's',
    check: 'notifications',
    what: 'a notification waits',
    advice: 'see the channels that fail: tidewatch notifications list --status queued',
  },
];

/** How far what was accepted is ahead of what was stored and judged. `readings` null: no metrics could be read. */
export function judgeLag(hosts: readonly Host[], readings: readonly MetricReading[] | null): Finding[] {
  const delayed = withReason(hosts, 'pipeline_delayed');
  const found: Finding[] = [];
  if (delayed.length > 0)
    found.push(
      finding(
        'lag',
        'failed',
        `${count(delayed.length)} judged with delay: ${names(delayed)}`,
        'see whether an evaluator is missing or too few run; docs/failure-modes.md says more',
      ),
    );
  for (const { metric, warning, failed, unit, check, what, advice } of MEASURES) {
    const value = greatest(readings ?? [], metric);
    if (value === undefined || value < warning) continue;
    const severity = value < failed ? 'warning' : 'failed';
    found.push(finding(check, severity, `${what}: ${Math.round(value)}${unit}`, advice));
  }
  if (found.some(({ check }) => check === 'lag')) return found;
  const summary =
    readings === null
      ? 'no host is judged with delay; the metrics of the service are not in reach'
      : 'nothing lags behind';
  return [finding('lag', 'ok', summary), ...found];
}

type Channel = Pick<
  Schema<'Channel'>,
  'id' | 'name' | 'kind' | 'is_default' | 'enabled' | 'last_delivery' | 'warnings'
>;
type Rule = Pick<Schema<'Rule'>, 'id' | 'name' | 'enabled' | 'mode' | 'warnings'>;

/** Whether somebody is notified of alerts: by channels that work, and by rules that name them. */
export function judgeChannels(channels: readonly Channel[], rules: readonly Rule[]): Finding[] {
  return [...judgeDestinations(channels), ...judgeMailServer(channels), ...judgeRules(rules)];
}

/** Email channels that nothing can be sent to. */
function judgeMailServer(channels: readonly Channel[]): Finding[] {
  const unsent = channels.filter(
    ({ enabled, warnings }) => enabled && warnings.some(({ code }) => code === 'mail_server_not_configured'),
  );
  if (unsent.length === 0) return [];
  const named = unsent.slice(0, NAMED).map(({ name }) => name);
  const rest = unsent.length > NAMED ? ` and ${unsent.length - NAMED} more` : '';
  return [
    finding(
      'notifications',
      'failed',
      `no mail server is configured, so that no email is sent: ${named.join(', ')}${rest}`,
      'set TIDEWATCH_EMAIL_SMTP_URL and start again; docs/channels/email.md says how',
    ),
  ];
}

/** Active rules whose warnings say that some or all of their notices go nowhere. */
function judgeRules(rules: readonly Rule[]): Finding[] {
  const nowhere = rules.filter(
    ({ enabled, mode, warnings }) =>
      enabled &&
      mode === 'active' &&
      warnings.some(({ code }) => code === 'notifies_nobody' || code === 'channel_not_configured'),
  );
  if (nowhere.length === 0) return [];
  const named = nowhere.slice(0, NAMED).map(({ name }) => name);
  const rest = nowhere.length > NAMED ? ` and ${nowhere.length - NAMED} more` : '';
  return [
    finding(
      'notifications',
      'warning',
      `${nowhere.length} ${nowhere.length === 1 ? 'rule notifies' : 'rules notify'} nobody, or a channel that is missing or disabled: ${named.join(', ')}${rest}`,
      'name channels that exist, such as default; warnings in tidewatch rules list --json say which is missing',
    ),
  ];
}

function judgeDestinations(channels: readonly Channel[]): Finding[] {
  const enabled = channels.filter((channel) => channel.enabled);
  if (enabled.length === 0)
    return [
      finding(
        'notifications',
        'warning',
        'nobody is notified of alerts: no channel is enabled',
        'add one: tidewatch channels add slack URL --for starter; docs/channels has one page for each kind',
      ),
    ];
  if (!enabled.some((channel) => channel.is_default))
    return [
      finding(
        'notifications',
        'warning',
        'no channel is a default: rules that name default or a kind notify nobody',
        'make one the default of its kind: PATCH /api/v1/channels/{id} with {"is_default": true}',
      ),
    ];
  const failing = enabled.filter(({ last_delivery: last }) => last?.status === 'failed');
  if (failing.length === 0)
    return [
      finding(
        'notifications',
        'ok',
        `${enabled.length} ${enabled.length === 1 ? 'channel' : 'channels'}, none failing`,
      ),
    ];
  return failing.map(({ id, name, last_delivery: last }) =>
    finding(
      'notifications',
      'failed',
      `channel ${name} failed last: ${last?.error ?? 'no reason given'}`,
      `fix it, then test it: tidewatch channels test ${id}`,
    ),
  );
}

const isSilent = ({ status, status_reasons: reasons, last_seen: seen }: Host, now: number) =>
  status === 'offline' ||
  reasons.some(({ code }) => code === 'silent') ||
  now - Date.parse(seen) > SILENT_AFTER_MS;

const withReason = (hosts: readonly Host[], code: Host['status_reasons'][number]['code']) =>
  hosts.filter(({ status_reasons: reasons }) => reasons.some((reason) => reason.code === code));

const count = (number: number) => `${number} ${number === 1 ? 'host' : 'hosts'}`;

function names(hosts: readonly Host[]): string {
  const rest = hosts.length - NAMED;
  return (
    hosts
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  );
}
