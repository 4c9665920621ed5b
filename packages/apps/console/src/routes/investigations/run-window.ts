import type { Schema } from '@tidewatch/api-client/schema';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Range } from '../../chart/data/range.ts';
import type { Investigation } from './investigation-reads.ts';

/** The windows that an investigation can be run again with. */
export const WINDOWS = {
  longer: 'Twice as long',
  same: 'The same window',
  recent: 'The last hour',
  custom: 'Other times',
} as const;

export type WindowChoice = keyof typeof WINDOWS;

/** The window of a choice at `now`, ms. A window is a day long at most. */
export function windowOf(
  choice: WindowChoice,
  { from, to }: Pick<Investigation, 'from' | 'to'>,
  custom: Range,
  now: number,
): Range {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  switch (choice) {
    case 'same':
      return { from: start, to: end };
    case 'longer':
      return { from: Math.max(end - 2 * (end - start), end - DAY_MS), to: end };
    case 'recent':
      return { from: now - HOUR_MS, to: now };
    case 'custom':
      return custom;
  }
}

/** The request of the same investigation in another window: of its first alert, or of its host and metric. */
export function runAgainInput(
  { alert_ids, service_id, metric }: Pick<Investigation, 'alert_ids' | 'service_id' | 'metric'>,
  { from, to }: Range,
  question: string,
): Schema<'InvestigationInput'> {
  const [alert] = alert_ids;
  return {
    ...(alert === undefined
      ? { alert_id: null, service_id, metric }
      : { alert_id: alert, service_id: null, metric: null }),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    question: question.trim() === '' ? null : question.trim(),
  };
}
