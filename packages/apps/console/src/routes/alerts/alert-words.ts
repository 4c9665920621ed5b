import type { components } from '@tidewatch/api-client/generated/api';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { SHAPE_CHARACTERS, STATUS_KINDS, statusKind } from '../../components/status/status-kinds.ts';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from './alert-reads.ts';

type AlertNotification = components['schemas']['AlertNotification'];

const RESOLUTIONS: Readonly<Record<NonNullable<Alert['resolution']>, string>> = {
  recovered: 'the value recovered',
  no_data: 'the metric is no longer reported',
  manual: 'resolved by hand',
  rule_deleted: 'the rule was deleted',
  rule_disabled: 'the rule was disabled',
  rule_changed: 'the rule was changed',
  service_deleted: 'the host was deleted',
  service_archived: 'the host was archived',
  subject_gone: 'the container, process or part is gone',
};

const REASONS: Readonly<Record<NonNullable<AlertNotification['reason']>, string>> = {
  backfilled: 'the sample was more than 15 minutes old',
  shadow: 'the rule is a shadow rule',
  too_old: 'the event is too old',
  silenced: 'silenced',
  host_offline: 'the host is offline',
  flapping: 'the alert is flapping',
  firing_not_notified: 'its firing was not notified',
  not_subscribed: 'the channel does not subscribe to it',
  no_default: 'this kind of channel has no default',
  channel_deleted: 'the channel was deleted',
  channel_disabled: 'the channel is disabled',
};

const NOTIFICATION_STATUSES: Readonly<Record<AlertNotification['status'], string>> = {
  queued: 'queued',
  delivered: 'delivered',
  failed: 'failed',
  suppressed: 'not sent',
  not_configured: 'not sent',
};

/** The name of an alert, by which its page is titled. */
export const alertName = ({ host, rule_name }: Pick<Alert, 'host' | 'rule_name'>): string =>
  `${visibleText(host)}: ${visibleText(rule_name)}`;

/** The name of an alert among others of its rule: `db-03, filesystem /var: Filesystem is full`. */
export function instanceName({
  host,
  subject,
  rule_name,
}: Pick<Alert, 'host' | 'subject' | 'rule_name'>): string {
  const named = subject.kind === 'host' ? host : `${host}, ${subjectWords(subject)}`;
  return `${visibleText(named)}: ${visibleText(rule_name)}`;
}

/** The sentence of an alert in two parts: the host, which a column beside it may show already, and the rest. */
export function sentenceParts({
  host,
  summary,
}: Pick<Alert, 'host' | 'summary'>): [host: string, rest: string] {
  // "web-01: cpu_percent is …", "web-01, container db: …", "web-01 has been silent …"
  const joint = [': ', ', ', ' '].find((each) => summary.startsWith(host + each));
  const end = joint === undefined ? 0 : host.length + joint.length;
  return [visibleText(summary.slice(0, end)), visibleText(summary.slice(end))];
}

/** The title of the window: `◆ db-03: Memory is full`. */
export const alertTitle = (alert: Alert): string => {
  const kind = alert.status === 'resolved' ? 'healthy' : statusKind(alert.severity);
  return `${SHAPE_CHARACTERS[STATUS_KINDS[kind].shape]} ${alertName(alert)}`;
};

/** What is special about an alert, for its first line: nothing, or why it is not notified like others. */
export function alertRemarks(alert: Alert): string[] {
  return [
    ...(alert.shadow ? ['shadow rule, not notified'] : []),
    ...(alert.backfilled ? ['from an old sample'] : []),
    ...(alert.no_data ? ['no data'] : []),
    ...(alert.silenced_by !== null ? ['silenced'] : []),
    ...(alert.flap_count > 0
      ? [alert.flap_count === 1 ? 'flapped once' : `flapped ${alert.flap_count} times`]
      : []),
  ];
}

export const resolutionWord = (alert: Alert): string =>
  alert.resolution === null ? '' : (RESOLUTIONS[alert.resolution] ?? alert.resolution);

/** How one channel was notified, in a sentence's end: "delivered", "failed: no_service", "not sent: silenced". */
export function notificationWord({ status, reason, last_error }: AlertNotification): string {
  const word = NOTIFICATION_STATUSES[status] ?? status;
  const why =
    reason !== null ? (REASONS[reason] ?? reason) : last_error !== null ? visibleText(last_error) : null;
  return why === null ? word : `${word}: ${why}`;
}

export const channelName = ({ channel }: AlertNotification): string =>
  channel.name === null ? channel.kind : `${visibleText(channel.name)} (${channel.kind})`;
