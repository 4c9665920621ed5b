import type { RuleIndex } from '../rules/rule-index.ts';
import type { JudgedService, Pair } from './judged-service.ts';
import { Stream } from './stream.ts';

/** When a pair without a state judged last (ms), -Infinity where it never did. */
export type JudgedBefore = (metric: string, ruleId: string) => number;

const NEVER: JudgedBefore = () => Number.NEGATIVE_INFINITY;

/**
 * Fits the service's streams to the rules as they are: edited rules replace their former selves in place, new ones
 * begin, and pairs that no rule wants any more are answered, for whoever ends their alerts.
 */
export function compileStreams(
  service: JudgedService,
  rules: RuleIndex,
  judgedBefore: JudgedBefore = NEVER,
): Pair[] {
  const dropped: Pair[] = [];
  for (const stream of service.streams.values()) {
    const former = stream.pairs;
    stream.spread();
    const wanted = rules
      .forMetric(service.organizationId, stream.metric)
      .filter((rule) => rule.matches(service.host, service.tags))
      .map((rule) => {
        const known = former.find((pair) => pair.rule.id === rule.id);
        if (!known) return inactivePair(service, rule, judgedBefore(stream.metric, rule.id));
        known.rule = rule;
        return known;
      });
    stream.replacePairs(wanted);
    for (const pair of former) if (!wanted.includes(pair)) dropped.push(pair);
    if (stream.pairs.length === 0) service.streams.delete(stream.metric);
  }
  service.generation = rules.generation;
  service.names = [];
  service.judged = [];
  return dropped;
}

/** The stream of a metric, made where a rule judges it; null where none does. */
export function streamOf(service: JudgedService, rules: RuleIndex, metric: string): Stream | null {
  const known = service.streams.get(metric);
  if (known) return known;
  const wanted = rules
    .forMetric(service.organizationId, metric)
    .filter((rule) => rule.matches(service.host, service.tags));
  if (wanted.length === 0) return null;
  const stream = new Stream(metric, 0, Number.NEGATIVE_INFINITY);
  stream.replacePairs(wanted.map((rule) => inactivePair(service, rule, Number.NEGATIVE_INFINITY)));
  service.streams.set(metric, stream);
  return stream;
}

function inactivePair(service: JudgedService, rule: Pair['rule'], judgedAt: number): Pair {
  return {
    rule,
    service,
    state: null,
    judgedAt,
    stored: false,
    alert: null,
    storedAt: judgedAt,
    dirty: false,
  };
}
