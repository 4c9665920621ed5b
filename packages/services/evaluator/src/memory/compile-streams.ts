import type { RuleIndex } from '../rules/rule-index.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { inactivePair, type JudgedService, type Pair } from './judged-service.ts';
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
    const former = stream.wake(service);
    const wanted = rulesOf(service, rules, stream.metric);
    const pairs = wanted.rules.map((rule) => {
      const known = former.find((pair) => pair.rule.id === rule.id);
      if (!known) return inactivePair(service, rule, judgedBefore(stream.metric, rule.id));
      known.rule = rule;
      return known;
    });
    for (const pair of former) if (!pairs.includes(pair)) dropped.push(pair);
    stream.replacePairs(wanted, pairs);
    if (wanted.rules.length === 0) service.streams.delete(stream.metric);
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
  const wanted = rulesOf(service, rules, metric);
  if (wanted.rules.length === 0) return null;
  const stream = new Stream(metric, 0, Number.NEGATIVE_INFINITY);
  stream.replacePairs(wanted, []);
  service.streams.set(metric, stream);
  return stream;
}

/** The rules that judge a metric of the service. */
function rulesOf(service: JudgedService, rules: RuleIndex, metric: string): RuleSet {
  return rules.forMetric(service.organizationId, metric).matching(service.host, service.tags);
}
