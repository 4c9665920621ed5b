import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { tableEvidence } from '../evidence.ts';
import type { PastAlertFacts } from '../facts.ts';
import { isoTime, span } from '../words/figures.ts';
import { plain, quoted } from '../words/names.ts';

/** Two alerts count as being of the same hour if their times of day differ by at most this. */
const NEAR = 30 * MINUTE_MS;
/** Minimum number of alerts for a recurring pattern. */
const MIN_FOR_RHYTHM = 3;

/**
 * Finds earlier alerts of the same rule and service, whether they fired at the same hour of the day or week, and what
 * earlier investigations and people said about them.
 */
export const recurrence: Detector = {
  name: 'recurrence',
  detect(facts) {
    const { alert, pastSource } = facts;
    const same = facts.past.filter(
      (past) =>
        past.id !== alert?.id &&
        past.serviceId === facts.service.serviceId &&
        (alert === null ? past.metric === facts.metric : past.ruleId === alert.ruleId),
    );
    const newest = same[0];
    if (newest === undefined || pastSource === null) return [];
    const at = alert?.pendingSince ?? facts.from;
    const daily = same.filter(({ firedAt }) => onClock(firedAt - at, DAY_MS) <= NEAR);
    const weekly = same.filter(({ firedAt }) => onClock(firedAt - at, 7 * DAY_MS) <= NEAR);
    const rhythm =
      daily.length >= MIN_FOR_RHYTHM && daily.length >= same.length / 2
        ? 'at this hour of the day'
        : weekly.length >= MIN_FOR_RHYTHM && weekly.length >= same.length / 2
          ? 'at this hour of the week'
          : null;
    const answered = same.find(
      ({ investigation }) => investigation?.feedback != null || investigation?.rootCause != null,
    );
    const rows = same.map((past) => ({
      t: isoTime(past.firedAt),
      alert_id: past.id,
      resolved_at: past.resolvedAt === null ? null : isoTime(past.resolvedAt),
      investigation_id: past.investigation?.id ?? null,
      conclusion: past.investigation?.conclusion ?? null,
      root_cause: past.investigation?.rootCause == null ? null : plain(past.investigation.rootCause),
      helpful: past.investigation?.feedback == null ? null : String(past.investigation.feedback.helpful),
      actual_root_cause:
        past.investigation?.feedback?.actualRootCause == null
          ? null
          : plain(past.investigation.feedback.actualRootCause),
    }));
    const stats = { count: same.length, same_hour: daily.length, same_hour_of_week: weekly.length };
    const oldest = same.at(-1) ?? newest;
    return [
      aboutHost(facts, {
        kind: 'recurrence',
        detector: 'recurrence',
        title: `The same alert fired ${times(same.length)} before in ${span(facts.to - oldest.firedAt)}${rhythm === null ? '' : `, mostly ${rhythm}`}`,
        description: [
          `The last time was ${span(facts.to - newest.firedAt)} ago${lasted(newest)}.`,
          `It fired within half an hour of this time of day ${times(daily.length)}.`,
          saidOf(answered),
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
        score: rhythm === null ? Math.min(0.4, 0.1 * same.length) : 0.6,
        subject: facts.subject,
        metric: facts.metric,
        startedAt: oldest.firedAt,
        evidence: [tableEvidence(pastSource, '', stats, rows)],
      }),
    ];
  },
};

/** The distance between two times on a clock that repeats every `period` ms. */
function onClock(difference: number, period: number): number {
  const rest = ((difference % period) + period) % period;
  return Math.min(rest, period - rest);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function lasted({ firedAt, resolvedAt }: PastAlertFacts): string {
  return resolvedAt === null ? '' : ` and lasted ${span(resolvedAt - firedAt)}`;
}

function saidOf(past: PastAlertFacts | undefined): string {
  const investigation = past?.investigation;
  if (investigation == null) return '';
  const { feedback, rootCause, id } = investigation;
  if (feedback?.actualRootCause != null)
    return `People said of investigation ${id} that the cause was ${quoted(feedback.actualRootCause)}.`;
  const found = rootCause === null ? '' : `Investigation ${id} named ${quoted(rootCause)}`;
  if (found === '') return '';
  return feedback === null
    ? `${found}.`
    : `${found}, which people called ${feedback.helpful ? 'helpful' : 'wrong'}.`;
}
