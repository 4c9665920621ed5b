import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import { cut } from '@tidewatch/domain/notification/text';

/** The limits of PagerDuty's Events API v2. */
const LIMITS = { summary: 1_024, source: 1_024 };
/** The max size of the lines of a digest in an event, of which PagerDuty accepts 512 KiB. */
const MAX_OF_LINES = 400_000;

/** An event for PagerDuty, without the routing key. */
export interface PagerdutyEvent {
  event_action: 'trigger' | 'resolve';
  dedup_key: string;
  client?: string;
  client_url?: string;
  payload?: object;
  links?: { href: string; text: string }[];
}

/** The event that opens the incident `key`, or changes it if it is open. */
export function pagerdutyTrigger(key: string, content: NoticeContent, alert: Alert): PagerdutyEvent {
  const alertLink = content.links.find(({ label }) => label.startsWith('Alert'))?.url;
  const details = {
    ...Object.fromEntries(content.facts.map(({ label, value }) => [label.toLowerCase(), value])),
    ...(content.processes.length > 0 ? { top_processes: content.processes } : {}),
    ...linesOf(content.lines),
  };
  const isOne = content.lines.length === 0;
  return {
    event_action: 'trigger',
    dedup_key: key,
    client: 'Tidewatch',
    ...(alertLink === undefined ? {} : { client_url: alertLink }),
    payload: {
      summary: cut(isOne ? `${content.title}. ${content.summary}` : content.title, LIMITS.summary),
      source: cut(isOne ? alert.host : content.title, LIMITS.source),
      severity: content.severity,
      timestamp: alert.fired_at,
      component: cut(alert.subject.name, LIMITS.source),
      group: cut(alert.rule_name, LIMITS.source),
      class: cut(alert.metric, LIMITS.source),
      custom_details: details,
    },
    links: content.links.map(({ label, url }) => ({ href: url, text: label })),
  };
}

/** The event that resolves the incident `key`; PagerDuty ignores it if there is no such incident. */
export function pagerdutyResolve(key: string): PagerdutyEvent {
  return { event_action: 'resolve', dedup_key: key };
}

function linesOf(lines: readonly string[]): { alerts?: string[]; more_alerts?: number } {
  if (lines.length === 0) return {};
  const alerts: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += JSON.stringify(line).length * (isAscii(line) ? 1 : 3) + 1;
    if (length > MAX_OF_LINES) break;
    alerts.push(line);
  }
  const more = lines.length - alerts.length;
  return { alerts, ...(more > 0 ? { more_alerts: more } : {}) };
}

function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}
