import { setTimeout as sleep } from 'node:timers/promises';
import { type Event, events } from '@tidewatch/api-client/events';
import { entries } from '@tidewatch/api-client/pages';
import { ApiProblem } from '@tidewatch/api-client/problem';
import type { Schema } from '@tidewatch/api-client/schema';
import { safeText } from '../output/safe-text.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

type Alert = Schema<'Alert'>;

export interface WatchOptions {
  severity?: Alert['severity'] | undefined;
  host?: string | undefined;
  /** How long to watch, ms; undefined without end. */
  for?: number | undefined;
}

const TYPES = [
  'alert.fired',
  'alert.escalated',
  'alert.flapping',
  'alert.resolved',
  'alert.acknowledged',
  'alert.renotified',
  'alert.silence_ended',
];
const POLL_MS = 2_000;

/**
 * Prints the active alerts, then every change of an alert as it happens. With --json it prints the events, or the changed
 * alerts where the service has no event stream.
 */
export async function watchAlerts(session: Session, options: WatchOptions): Promise<void> {
  const ends = options.for === undefined ? [] : [AbortSignal.timeout(options.for)];
  const signal = AbortSignal.any([session.signal, ...ends]);
  const shown = new Set<string>();
  const matches = (alert: Alert) =>
    (options.severity === undefined || alert.severity === options.severity) &&
    (options.host === undefined || alert.host === options.host);
  // An alert that was printed once is followed until it resolves, even if the filter no longer matches.
  const wanted = (alert: Alert) => {
    if (!shown.has(alert.id) && !matches(alert)) return false;
    if (alert.status === 'resolved') shown.delete(alert.id);
    else shown.add(alert.id);
    return true;
  };
  try {
    await follow(session, signal, wanted);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    session.terminal.note('the service has no event stream; polling alerts every 2 seconds');
    await poll(session, signal, wanted);
  }
}

async function follow(
  session: Session,
  signal: AbortSignal,
  wanted: (alert: Alert) => boolean,
): Promise<void> {
  const { terminal } = session;
  let connected = false;
  for await (const item of events(session.client(), { query: { types: TYPES.join(',') }, signal })) {
    if (item.kind === 'event') {
      for (const alert of alertsOf(item.event)) {
        if (!wanted(alert)) continue;
        if (session.json()) await terminal.jsonLine(item.event);
        else await show(session, item.event.type.slice('alert.'.length), alert, item.event.time);
      }
    } else if (item.kind === 'reset' || !connected) {
      connected = true;
      if (item.kind === 'reset') terminal.note('some events may be lost; these alerts are active now:');
      await showActive(session, wanted);
    }
  }
}

function alertsOf(event: Event): Alert[] {
  return 'alert' in event.data ? [event.data.alert] : [];
}

async function showActive(session: Session, wanted: (alert: Alert) => boolean): Promise<void> {
  if (session.json()) return;
  for await (const alert of entries(session.client(), '/api/v1/alerts', 'alerts', {}))
    if (wanted(alert)) await show(session, stateOf(alert), alert, alert.fired_at);
}

async function poll(session: Session, signal: AbortSignal, wanted: (alert: Alert) => boolean): Promise<void> {
  let known: Map<string, Alert> | null = null;
  while (!signal.aborted) {
    const active = new Map<string, Alert>();
    for await (const alert of entries(session.client(), '/api/v1/alerts', 'alerts', {}))
      active.set(alert.id, alert);
    for (const alert of active.values()) {
      const before = known?.get(alert.id);
      if (before === undefined)
        await report(session, known === null ? stateOf(alert) : 'fired', alert, wanted);
      else if (before.acknowledged_at === null && alert.acknowledged_at !== null)
        await report(session, 'acknowledged', alert, wanted);
    }
    for (const id of known?.keys() ?? []) {
      if (active.has(id)) continue;
      const alert = await session.client().get('/api/v1/alerts/{id}', { params: { path: { id } } });
      await report(session, alert.state, alert, wanted);
    }
    known = active;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function report(
  session: Session,
  what: string,
  alert: Alert,
  wanted: (alert: Alert) => boolean,
): Promise<void> {
  if (!wanted(alert)) return;
  if (session.json()) await session.terminal.jsonLine(alert);
  else await show(session, what, alert, alert.updated_at);
}

/** The state of an alert as it is shown, in which an acknowledged alert does not fire. */
export const stateOf = (alert: Alert) =>
  alert.state === 'firing' && alert.acknowledged_at !== null ? 'acknowledged' : alert.state;

/** `08:31:02Z  fired  critical  web-01: cpu_percent is …  alr_…`; the date precedes the time unless it is today. */
async function show(
  { terminal, clock: now }: Session,
  what: string,
  alert: Alert,
  time: string,
): Promise<void> {
  const padded = (text: string, width: number) => {
    const { paint } = word(terminal, text);
    return (paint ? paint(text) : text) + ' '.repeat(Math.max(0, width - text.length));
  };
  const clock = terminal.paint(
    'gray',
    isToday(time, now()) ? `${time.slice(11, 19)}Z` : `${time.slice(0, 19)}Z`,
  );
  const id = terminal.paint('gray', alert.id);
  await terminal.print(
    `${clock}  ${padded(what, 12)}  ${padded(alert.severity, 8)}  ${safeText(alert.summary)}  ${id}\n`,
  );
}

const isToday = (time: string, now: number) => time.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
