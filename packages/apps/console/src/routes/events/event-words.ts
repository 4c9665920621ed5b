import type { Event } from '@tidewatch/api-client/events';
import type { PageName } from '@tidewatch/contracts/console/paths';
import { formatTime, type Zone } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import { notificationWord } from '../alerts/alert-words.ts';
import { matchersText } from '../silences/silence-words.ts';

/** What a list of events shows of one. */
export interface EventWords {
  /** One line, with what others named escaped. */
  text: string;
  /** The page of the object that the event is about; null where it has none. */
  page: {
    name: Extract<PageName, 'alert' | 'host' | 'rule' | 'investigation' | 'channel'>;
    id: string;
  } | null;
  /** The name of the host that it is about, as it was sent; null where it is about none. */
  host: string | null;
  severity: string | null;
}

/** What happened, in one line. */
export function eventWords({ type, data, subject }: Event, zone: Zone): EventWords {
  const none = { page: null, host: null, severity: null };
  if ('alert' in data) {
    const { id, summary, host, severity } = data.alert;
    return { text: visibleText(summary), page: { name: 'alert', id }, host, severity };
  }
  if ('alerts' in data) {
    const { id, name } = data.rule;
    return {
      ...none,
      text: `${data.alerts.length} alerts of ${visibleText(name)}`,
      page: { name: 'rule', id },
    };
  }
  if ('service' in data) {
    const { id, name, status, status_reasons } = data.service;
    const reasons = status_reasons.map(({ message }) => visibleText(message)).join(' ');
    const text = `${visibleText(name)} is ${status}${reasons === '' ? '' : `: ${reasons}`}`;
    return { ...none, text, page: type === 'service.deleted' ? null : { name: 'host', id }, host: name };
  }
  if ('investigation' in data) {
    const { id, title, host, severity } = data.investigation;
    const found = data.findings.map((finding) => visibleText(finding.title)).join('; ');
    const text = `${visibleText(title)}${found === '' ? '' : ` Found: ${found}`}`;
    return { text, page: { name: 'investigation', id }, host, severity };
  }
  if ('silence' in data) {
    const { matchers, until, comment } = data.silence;
    const what = matchersText(matchers as never) || 'everything';
    const why = comment === '' ? '' : `: ${visibleText(comment)}`;
    return { ...none, text: `${what} until ${formatTime(Date.parse(until), zone)}${why}` };
  }
  if ('channel' in data) {
    const { id, name, kind } = data.channel;
    const page = type === 'channel.deleted' ? null : { name: 'channel' as const, id };
    return { ...none, text: `${visibleText(name)} (${kind})`, page };
  }
  if ('notification' in data) {
    const { notification } = data;
    const { channel, alert_ids, transition } = notification;
    const [alert] = alert_ids;
    const text = `${transition} to ${visibleText(channel.name ?? channel.kind)}: ${notificationWord(notification)}`;
    return { ...none, text, page: alert === undefined ? null : { name: 'alert', id: alert } };
  }
  if ('key' in data) return { ...none, text: `${visibleText(data.key.name)}: ${data.key.scopes.join(', ')}` };
  if ('pipeline' in data) {
    const until = formatTime(Date.parse(data.pipeline.complete_until), zone);
    return { ...none, text: `Alerts are complete until ${until}` };
  }
  if ('rule' in data) {
    const { id, name, severity } = data.rule;
    const page = type === 'rule.deleted' ? null : { name: 'rule' as const, id };
    return { ...none, text: visibleText(name), page, severity };
  }
  return { ...none, text: visibleText(subject) };
}
