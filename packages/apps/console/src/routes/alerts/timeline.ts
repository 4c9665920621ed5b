import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatDuration, formatValue } from '../../components/number/number-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import type { Investigation } from '../investigations/investigation-reads.ts';
import type { Alert, Evidence } from './alert-reads.ts';
import { channelName, notificationWord, resolutionWord } from './alert-words.ts';

export interface TimelineEntry {
  key: string;
  /** RFC 3339. */
  at: string;
  kind: 'transition' | 'notification' | 'comment' | 'acknowledgement' | 'finding' | 'marker';
  text: string;
}

export interface Marker {
  id: string;
  at: string;
  title: string;
}

const REASONS: Readonly<Record<string, string>> = {
  escalated: 'escalated',
  eased: 'eased',
  confirmed: 'confirmed by a new sample',
};

const STATES: Readonly<Record<string, string>> = {
  inactive: 'cleared before it fired',
  pending: 'pending',
  firing: 'fired',
  recovering: 'recovering',
  resolved: 'resolved',
};

/** Everything that happened to an alert, newest first. Entries of the same time keep the order of their kinds. */
export function timelineOf(
  alert: Alert,
  evidence: Evidence | undefined,
  investigation: Investigation | undefined,
  markers: readonly Marker[],
  unit: Unit | null,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...transitions(alert, evidence, unit),
    ...alert.notifications.flatMap((notification): TimelineEntry[] => {
      const { id, transition, sent_at, created_at } = notification;
      const took =
        sent_at === null ? '' : ` in ${formatDuration(Date.parse(sent_at) - Date.parse(created_at))}`;
      const text = `${transition} to ${channelName(notification)}: ${notificationWord(notification)}${took}`;
      return [{ key: id, at: sent_at ?? created_at, kind: 'notification', text }];
    }),
    ...alert.comments.map(
      ({ at, by, text }, index): TimelineEntry => ({
        key: `comment ${index}`,
        at,
        kind: 'comment',
        text: `${visibleText(by.name)}: ${visibleText(text)}`,
      }),
    ),
    ...(alert.acknowledged_at === null
      ? []
      : [
          {
            key: 'acknowledged',
            at: alert.acknowledged_at,
            kind: 'acknowledgement' as const,
            text: `acknowledged by ${visibleText(alert.acknowledged_by?.name ?? 'somebody')}`,
          },
        ]),
    ...(investigation?.findings ?? []).flatMap(({ id, started_at, title }): TimelineEntry[] =>
      started_at === null
        ? []
        : [{ key: id, at: started_at, kind: 'finding', text: `finding: ${visibleText(title)}` }],
    ),
    ...markers.map(
      ({ id, at, title }): TimelineEntry => ({ key: id, at, kind: 'marker', text: visibleText(title) }),
    ),
  ];
  return entries
    .map((entry, index) => ({ entry, index, time: Date.parse(entry.at) }))
    .sort((a, b) => b.time - a.time || b.index - a.index)
    .map(({ entry }) => entry);
}

function transitions(alert: Alert, evidence: Evidence | undefined, unit: Unit | null): TimelineEntry[] {
  const known: { from?: string; to: string; at: string; value: number | null; reason: string }[] =
    evidence?.transitions ?? [
      ...(alert.pending_since === null
        ? []
        : [{ to: 'pending', at: alert.pending_since, value: null, reason: 'breach' }]),
      { to: 'firing', at: alert.fired_at, value: alert.value_at_fire, reason: 'breach' },
      ...(alert.resolved_at === null
        ? []
        : [{ to: 'resolved', at: alert.resolved_at, value: null, reason: '' }]),
    ];
  return known.map(({ from, to, at, value, reason }, index) => {
    const word =
      from === 'recovering' && to === 'firing' ? 'firing again' : (REASONS[reason] ?? STATES[to] ?? to);
    const measured = value === null ? '' : ` at ${formatValue(value, unit, alert.metric)}`;
    const why = to === 'resolved' ? resolutionWord(alert) : '';
    return {
      key: `transition ${index}`,
      at,
      kind: 'transition',
      text: `${word}${measured}${why && `: ${why}`}`,
    };
  });
}
