import { greatest, type MetricReading } from '@tidewatch/api-client/prometheus-text';
import type { Schema } from '@tidewatch/api-client/schema';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { counted } from '../output/counted.ts';
import { type Finding, finding } from './finding.ts';

/** The fields of a service that the checks read. */
export type Host = Pick<Schema<'Service'>, 'name' | 'status' | 'status_reasons' | 'last_seen' | 'metrics'>;

const MAX_NAMES = 5;
const LOCAL_NAME = /^(?:localhost(?:\..*)?|127\.\d+\.\d+\.\d+|\[?::1\]?|host\.docker\.internal)$/i;
/** A host without payloads for this time counts as silent, whatever its status: it may be silenced, or have no rhythm yet. */
const SILENT_AFTER_MS = 5 * MINUTE_MS;

/**
 * Checks for silent hosts and clock skew at `now` (ms, by the clock of the service), for hosts of which lists and starter rules
 * know nothing, and for a host whose name says that its agent does not know it. `complete` is false if there are more hosts.
 */
export function checkHosts(hosts: readonly Host[], complete: boolean, now: number): Finding[] {
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
        'check that the host and its agent run',
      ),
    );
  if (skewed.length > 0)
    found.push(
      finding(
        'hosts',
        'warning',
        `${count(skewed.length)} with clock skew: ${names(skewed)}`,
        'synchronize the clocks of these hosts by NTP: alerts and charts use their times',
      ),
    );
  const unknown = hosts.filter((host) => !isSilent(host, now) && isWithoutUsualMetrics(host));
  if (unknown.length > 0)
    found.push(
      finding(
        'hosts',
        'warning',
        `${count(unknown.length)} without cpu_percent, memory_percent and disk_percent: ${names(unknown)}`,
        'send the metrics of the host as well, not of an application alone; docs/agents says how for each agent',
      ),
    );
  const local = hosts.filter(({ name }) => LOCAL_NAME.test(name));
  if (local.length > 0)
    found.push(
      finding(
        'hosts',
        'warning',
        `${count(local.length)} named after the local machine: ${names(local)}`,
        'set the name of the host in its agent, or several machines become one; docs/agents says how for each agent',
      ),
    );
  const all = `${complete ? '' : 'the first '}${count(hosts.length)}`;
  return found.length > 0 ? found : [finding('hosts', 'ok', `${all}, none silent, no clock skew`)];
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

/** Metrics of the service, with the values from which each is a finding, and the advice. */
const MEASURES: readonly Measure[] = [
  {
    metric: 'tidewatch_writer_lag_seconds',
    warning: 10,
    failed: 60,
    unit: 's',
    check: 'lag',
    what: 'samples wait to be stored for',
    advice: 'run more writers, or use faster disks for the database',
  },
  {
    metric: 'tidewatch_consumer_lag_records',
    warning: 10_000,
    failed: 1_000_000,
    unit: ' records',
    check: 'lag',
    what: 'a consumer lags by',
    advice: 'run more writers or evaluators, up to the number of partitions',
  },
  {
    metric: 'tidewatch_notifications_oldest_seconds',
    warning: 60,
    failed: 600,
    unit: 's',
    check: 'notifications',
    what: 'a notification has been queued for',
    advice: 'find the failing channels: tidewatch notifications list --status queued',
  },
];

/** Checks how far storing and evaluating lag behind ingest. `readings` is null if no metrics could be read. */
export function checkLag(hosts: readonly Host[], readings: readonly MetricReading[] | null): Finding[] {
  const delayed = withReason(hosts, 'pipeline_delayed');
  const found: Finding[] = [];
  if (delayed.length > 0)
    found.push(
      finding(
        'lag',
        'failed',
        `${count(delayed.length)} evaluated with delay: ${names(delayed)}`,
        'check that all evaluators run, and add some if they lag; see docs/failure-modes.md',
      ),
    );
  for (const { metric, warning, failed, unit, check, what, advice } of MEASURES) {
    const value = greatest(readings ?? [], metric);
    if (value === undefined || value < warning) continue;
    const severity = value < failed ? 'warning' : 'failed';
    found.push(finding(check, severity, `${what} ${Math.round(value)}${unit}`, advice));
  }
  if (found.some(({ check }) => check === 'lag')) return found;
  const summary =
    readings === null
      ? 'no host is evaluated with delay; the metrics of the service could not be read'
      : 'no lag';
  return [finding('lag', 'ok', summary), ...found];
}

type Channel = Pick<
  Schema<'Channel'>,
  'id' | 'name' | 'kind' | 'is_default' | 'enabled' | 'last_delivery' | 'warnings'
>;
type Rule = Pick<Schema<'Rule'>, 'id' | 'name' | 'enabled' | 'mode' | 'warnings'>;

/** Checks that alerts can be notified: channels work, and rules name existing channels. */
export function checkChannels(channels: readonly Channel[], rules: readonly Rule[]): Finding[] {
  return [...checkDestinations(channels), ...checkMailServer(channels), ...checkRules(rules)];
}

/** Checks for email channels while no mail server is configured. */
function checkMailServer(channels: readonly Channel[]): Finding[] {
  const unsent = channels.filter(
    ({ enabled, warnings }) => enabled && warnings.some(({ code }) => code === 'mail_server_not_configured'),
  );
  if (unsent.length === 0) return [];
  return [
    finding(
      'notifications',
      'failed',
      `no email is sent, since no mail server is configured: ${names(unsent)}`,
      'set TIDEWATCH_EMAIL_SMTP_URL and restart; see docs/channels/email.md',
    ),
  ];
}

/** Checks active rules for warnings that nobody is notified, or that a channel does not exist. */
function checkRules(rules: readonly Rule[]): Finding[] {
  const unnotified = rules.filter(
    ({ enabled, mode, warnings }) =>
      enabled &&
      mode === 'active' &&
      warnings.some(({ code }) => code === 'notifies_nobody' || code === 'channel_not_configured'),
  );
  if (unnotified.length === 0) return [];
  return [
    finding(
      'notifications',
      'warning',
      `${unnotified.length} ${unnotified.length === 1 ? 'rule notifies' : 'rules notify'} nobody, or a channel that is missing or disabled: ${names(unnotified)}`,
      'use existing channels in the rules, such as default; the warnings of tidewatch rules list --json name the missing ones',
    ),
  ];
}

function checkDestinations(channels: readonly Channel[]): Finding[] {
  const enabled = channels.filter((channel) => channel.enabled);
  if (enabled.length === 0)
    return [
      finding(
        'notifications',
        'warning',
        'nobody is notified of alerts: no channel is enabled',
        'add one: tidewatch channels add slack URL --for starter; see docs/channels',
      ),
    ];
  if (!enabled.some((channel) => channel.is_default))
    return [
      finding(
        'notifications',
        'warning',
        'no channel is a default, so rules with the channel default or a kind notify nobody',
        'make a channel the default of its kind: PATCH /api/v1/channels/{id} with {"is_default": true}',
      ),
    ];
  const failing = enabled.filter(({ last_delivery: last }) => last?.status === 'failed');
  if (failing.length === 0)
    return [finding('notifications', 'ok', `${counted(enabled.length, 'channel')}, none failing`)];
  return failing.map(({ id, name, last_delivery: last }) =>
    finding(
      'notifications',
      'failed',
      `the last delivery to channel ${name} failed: ${last?.error ?? 'no reason given'}`,
      `correct the channel, then test it: tidewatch channels test ${id}`,
    ),
  );
}

const isSilent = ({ status, status_reasons: reasons, last_seen: seen }: Host, now: number) =>
  status === 'offline' ||
  reasons.some(({ code }) => code === 'silent') ||
  now - Date.parse(seen) > SILENT_AFTER_MS;

const withReason = (hosts: readonly Host[], code: Host['status_reasons'][number]['code']) =>
  hosts.filter(({ status_reasons: reasons }) => reasons.some((reason) => reason.code === code));

const count = (number: number) => counted(number, 'host');

function names(all: readonly { name: string }[]): string {
  const rest = all.length - MAX_NAMES;
  const named = all.slice(0, MAX_NAMES).map(({ name }) => name);
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function isWithoutUsualMetrics({ metrics }: Host): boolean {
  return metrics.cpu_percent === null && metrics.memory_percent === null && metrics.disk_percent === null;
}
