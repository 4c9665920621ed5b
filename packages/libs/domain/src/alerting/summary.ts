import { CONDITION_FACTS, type Condition } from '@tidewatch/contracts/rules/condition';
import {
  CONTAINER_RUNNING,
  CONTAINER_UNHEALTHY,
  PROCESS_COUNT,
  SILENT_MINUTES,
} from '@tidewatch/contracts/rules/rule-metric';
import type { Transform } from '@tidewatch/contracts/rules/rule-terms';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { namedSubject } from '@tidewatch/contracts/values/named-subject';
import { quantities, quantity } from './quantity.ts';

/** The facts that the sentence about a breach states; `subject` is null if the breach is of the host itself. */
export interface SummaryFacts {
  host: string;
  subject?: { kind: string; name: string } | null;
  metric: string;
  /** The derived value that is evaluated instead of samples, if any. */
  transform?: Transform | null;
  value: number;
  condition: Condition;
  threshold: number;
  thresholdMax: number | null;
  /** How long the condition must hold before the alert fires, in ms. */
  durationMs: number;
}

/** One sentence about a breach, host first: "web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes." */
export function summarize(facts: SummaryFacts): string {
  const { metric, value, condition, threshold, thresholdMax } = facts;
  if (saysSilence(metric, condition)) return silence(facts.host, value);
  const state = stateOf(facts);
  if (state !== null) return `${facts.host}: ${state}${lasting(facts.durationMs)}.`;
  const { is, limits } = comparison(metric, value, condition, threshold, thresholdMax);
  const what = `${quantityOf(metric, facts.transform ?? null)} ${is}`;
  return `${placeOf(facts)}: ${what}, ${limits}${lasting(facts.durationMs)}.`;
}

/** Whether a breach means that a host has been silent for too long. */
export function saysSilence(metric: string, condition: Condition): boolean {
  return metric === SILENT_MINUTES && CONDITION_FACTS[condition].holds === 'above';
}

/** "web-01 has been silent for 5 minutes." */
export function silence(host: string, minutes: number | null): string {
  return `${host} has been silent for ${quantity(SILENT_MINUTES, minutes)}.`;
}

/**
 * Words a value and the condition that it is compared with, with enough digits to show on which side of the threshold it
 * is.
 */
export function comparison(
  metric: string,
  value: number,
  condition: Condition,
  threshold: number,
  thresholdMax: number | null,
): { is: string; limits: string } {
  const [is = '', low = '', high = ''] = quantities(metric, [value, threshold, thresholdMax ?? threshold]);
  return { is, limits: CONDITION_FACTS[condition].words(low, high) };
}

/** One sentence about a missing metric, host first: "web-01: cpu_percent has not been reported for 10 minutes." */
export function summarizeAbsence(
  facts: Pick<SummaryFacts, 'host' | 'subject' | 'metric'> & { afterMs: number },
): string {
  return `${placeOf(facts)}: ${facts.metric} has not been reported${lasting(facts.afterMs)}.`;
}

/** What is wrong with a container or process that is not as it should be; null where the breach says another thing. */
function stateOf({ subject, metric, transform, value, condition }: SummaryFacts): string | null {
  if (transform || !subject) return null;
  const { holds } = CONDITION_FACTS[condition];
  if (metric === CONTAINER_RUNNING && value === 0 && holds === 'below')
    return `container ${subject.name} is not running`;
  if (metric === CONTAINER_UNHEALTHY && value === 1 && holds === 'above')
    return `container ${subject.name} is unhealthy`;
  if (metric === PROCESS_COUNT && value === 0 && holds === 'below')
    return `no process ${subject.name} is running`;
  return null;
}

function placeOf({ host, subject }: Pick<SummaryFacts, 'host' | 'subject'>): string {
  if (!subject || subject.kind === 'host') return host;
  const { kind, name } = namedSubject(subject);
  return `${host}, ${kind} ${name}`;
}

/** The name of the evaluated value with its verb, as in "cpu_percent is". */
function quantityOf(metric: string, transform: Transform | null): string {
  if (transform === null) return `${metric} is`;
  const over = spanOf(transform.over_minutes);
  switch (transform.kind) {
    case 'average':
    case 'minimum':
    case 'maximum':
      return `the ${transform.kind} of ${metric} over ${over} is`;
    case 'change':
      return `the change of ${metric} over ${over} is`;
    case 'rate_per_minute':
      return `the change a minute of ${metric} over ${over} is`;
    case 'forecast':
      return `by its course over ${over} ${metric} in ${spanOf(transform.ahead_minutes)} will be`;
  }
}

function spanOf(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? '1 day' : `${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

function lasting(durationMs: number): string {
  const minutes = durationMs / MINUTE_MS;
  if (minutes === 0) return '';
  return minutes === 1 ? ' for 1 minute' : ` for ${minutes} minutes`;
}
