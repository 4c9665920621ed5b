import type { Silence } from '@tidewatch/contracts/silences/silence';
import { visibleText } from '../../components/visible-text.ts';

const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};

/** Recurrences to choose from; any other rule can be typed. */
export const RECURRENCES = [
  ['', 'once'],
  ['FREQ=DAILY', 'every day'],
  ['FREQ=WEEKLY', 'every week'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'on working days'],
  ['FREQ=WEEKLY;BYDAY=SA,SU', 'at weekends'],
  ['FREQ=MONTHLY', 'every month'],
] as const;

/** A recurrence in words: "weekly on Sunday"; the rule itself where it says more. */
export function recurrenceText(rule: string | null): string {
  if (rule === null) return 'once';
  const known = RECURRENCES.find(([each]) => each === rule);
  if (known) return known[1];
  const [, byDay] = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  const days = byDay?.split(',').map((day) => DAYS[day]);
  return days?.every((day) => day !== undefined) ? `weekly on ${days.join(', ')}` : visibleText(rule);
}

/** What a silence matches in one line: "host=db-*, severity=warning". */
export function matchersText(
  { hosts, tags, rule_ids, severities, subjects }: Silence['matchers'],
  ruleName: (id: string) => string = (id) => id,
): string {
  const parts = [
    ...(hosts.length > 0 ? [`host=${hosts.join(', ')}`] : []),
    ...Object.entries(tags).map(([name, patterns]) => `${name}=${[patterns].flat().join(', ')}`),
    ...(rule_ids.length > 0 ? [`rule=${rule_ids.map(ruleName).join(', ')}`] : []),
    ...(severities.length > 0 ? [`severity=${severities.join(', ')}`] : []),
    ...subjects.map((subject) => `${subject.kind}=${'name' in subject ? subject.name : ''}`),
  ];
  return visibleText(parts.join('; '));
}

/** Monday, midnight, of the week of a time, by the clock of the browser or UTC. */
export function weekOf(at: number, isUtc: boolean): number {
  const day = new Date(at);
  if (isUtc) {
    day.setUTCHours(0, 0, 0, 0);
    day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  } else {
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  }
  return day.getTime();
}

/** The same clock so many days later, also across a change of the clocks. */
export function daysLater(at: number, days: number, isUtc: boolean): number {
  const day = new Date(at);
  if (isUtc) day.setUTCDate(day.getUTCDate() + days);
  else day.setDate(day.getDate() + days);
  return day.getTime();
}
