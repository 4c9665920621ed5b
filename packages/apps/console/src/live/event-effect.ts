import type { Event } from '@tidewatch/api-client/events';
import type { Schema } from '@tidewatch/api-client/schema';
import { affectedReads } from './affected-reads.ts';
import type { Alert, AlertFilter } from './alert-filter.ts';
import { type AlertPages, isNewer, listAfter } from './alert-lists.ts';
import { type InvestigationEvent, investigationAfter } from './findings/investigation-findings.ts';
import { type Summary, summaryAfter } from './summary-counts.ts';

/**
 * What an event does to a cached read: nothing, new data without a request, or another request. With `isStale` the new data
 * are shown at once and read again soon.
 */
export type Effect =
  | { kind: 'none' }
  | { kind: 'data'; data: unknown; isStale?: boolean }
  | { kind: 'stale' };

const NONE: Effect = { kind: 'none' };

/**
 * The effect of an event on the read with this key. Keys begin with the name of what is read:
 * `['alert', id]`, `['alerts', filter]`, `['investigation', id]`; see affected-reads.ts for the others.
 */
export function effectOf(event: Event, key: readonly unknown[], data: unknown): Effect {
  const [name, argument] = key;
  if (isAboutAlert(event)) {
    const { alert } = event.data;
    if (name === 'alert' && argument === alert.id) return replaced(data as Alert | undefined, alert);
    if (name === 'summary') {
      const counted =
        data === undefined ? undefined : summaryAfter(data as Summary, event.type, event.time, alert);
      return counted === undefined ? { kind: 'stale' } : { kind: 'data', data: counted, isStale: true };
    }
    if (name === 'alerts')
      return listed(data as AlertPages | undefined, argument as AlertFilter, alert, event.type);
  }
  if (isAboutInvestigation(event)) {
    const { investigation } = event.data;
    if (name === 'investigation')
      return argument === investigation.id ? investigated(data as Investigation | undefined, event) : NONE;
    if (name === 'alert')
      return investigation.alert_ids.includes(argument as string) || investigation.storm_alerts > 0
        ? joined(data as Alert | undefined)
        : NONE;
  }
  if (name === 'alert' && event.type === 'notification.failed')
    return event.data.notification.alert_ids.includes(argument as string) ? { kind: 'stale' } : NONE;
  if (!affectedReads(event.type).includes(name as string)) return NONE;
  return isOfAnotherObject(event, argument) ? NONE : { kind: 'stale' };
}

function replaced(known: Alert | undefined, alert: Alert): Effect {
  if (known !== undefined && !isNewer(alert, known)) return NONE;
  return known === undefined ? { kind: 'stale' } : { kind: 'data', data: alert };
}

function investigated(known: Investigation | undefined, event: InvestigationEvent): Effect {
  const data = known === undefined ? undefined : investigationAfter(known, event);
  return data === undefined ? { kind: 'stale' } : { kind: 'data', data, isStale: true };
}

/** An alert names its investigation once there is one. */
function joined(alert: Alert | undefined): Effect {
  return alert === undefined || alert.investigation_id === null ? { kind: 'stale' } : NONE;
}

function listed(list: AlertPages | undefined, filter: AlertFilter, alert: Alert, type: string): Effect {
  if (list === undefined) return NONE;
  const data = listAfter(list, filter, alert, type);
  if (data === list) return NONE;
  // The alert is on a page that is not loaded: whether the list's total counted it already is not known.
  const isStale = data.pages.every(({ alerts }, page) => alerts === list.pages[page]?.alerts);
  return { kind: 'data', data, isStale };
}

/** A read of one object by its id is stale only by events about that object, as far as events name it. */
function isOfAnotherObject(event: Event, argument: unknown): boolean {
  if (typeof argument !== 'string') return false;
  if (isAboutAlert(event)) {
    const { id, service_id, rule_id } = event.data.alert;
    return ![id, service_id, rule_id].includes(argument) && /^(alr|svc|rul)_/.test(argument);
  }
  const [prefix] = event.subject.split('_');
  return argument.startsWith(`${prefix}_`) && argument !== event.subject;
}

type Investigation = Schema<'Investigation'>;
type AlertEvent = Extract<Event, { data: { alert: unknown } }>;

function isAboutAlert(event: Event): event is AlertEvent {
  return 'alert' in event.data;
}

function isAboutInvestigation(event: Event): event is InvestigationEvent {
  return 'investigation' in event.data;
}
