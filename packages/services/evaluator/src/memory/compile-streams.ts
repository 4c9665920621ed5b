import type { Subject } from '@tidewatch/contracts/values/subject';
import { Window } from '@tidewatch/domain/alerting/window';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { RuleIndex } from '../rules/rule-index.ts';
import { NO_RULES, type RuleSet } from '../rules/rule-set.ts';
import { AlertInstance } from './alert-instance.ts';
import type { EvaluatedService } from './evaluated-service.ts';
import { Stream, type StreamIdentity } from './stream.ts';
import { streamName } from './stream-name.ts';

/** When an alert instance without a state evaluated last (ms), -Infinity where it never did. */
export type EvaluatedBefore = (stream: StreamIdentity, ruleId: string) => number;

const NEVER: EvaluatedBefore = () => Number.NEGATIVE_INFINITY;

/**
 * Fits the service's streams to the rules as they are, in turns of the event loop: edited rules replace their former selves
 * in place, new ones begin, and alert instances that no rule wants any more, or not in its present mode, are answered, for whoever
 * ends their alerts.
 */
export async function compileStreams(
  service: EvaluatedService,
  rules: RuleIndex,
  turn: Turn,
  evaluatedBefore: EvaluatedBefore = NEVER,
): Promise<AlertInstance[]> {
  const dropped: AlertInstance[] = [];
  for (const stream of [...service.streams.values()]) {
    if (stream.key !== stream.metric) continue;
    await rules.forMetric(service.organizationId, stream.metric).match(service.host, service.tags, turn);
    deriveStreams(service, rules, stream);
  }
  for (const [name, stream] of service.streams) {
    await rules.forMetric(service.organizationId, stream.metric).match(service.host, service.tags, turn);
    const wanted = rulesOf(service, rules, stream);
    // Nothing that evaluates it has changed.
    if (wanted === stream.ruleSet && wanted !== NO_RULES) continue;
    for (const instance of await replaceRules(stream, wanted, turn, evaluatedBefore)) dropped.push(instance);
    if (wanted.rules.length === 0 && stream.derived.length === 0) removeStream(service, name, stream);
  }
  service.generation = rules.generationOf(service.organizationId);
  service.metrics = [];
  service.metricStreams = [];
  return dropped;
}

/** Has a stream evaluated by these rules; answers the alert instances that are none of them. */
async function replaceRules(
  stream: Stream,
  wanted: RuleSet,
  turn: Turn,
  evaluatedBefore: EvaluatedBefore,
): Promise<Iterable<AlertInstance>> {
  const formerOf = new Map<string, AlertInstance>();
  const dropped = new Set(stream.wake());
  for (const instance of dropped) formerOf.set(instance.rule.id, instance);
  const instances: AlertInstance[] = [];
  for (const rule of wanted.rules) {
    const known = formerOf.get(rule.id);
    if (known === undefined)
      instances.push(new AlertInstance(stream, rule, evaluatedBefore(stream, rule.id)));
    // An alert that was only tried out is none that anybody is notified of, and the other way round: another begins.
    else if (known.alertId !== null && known.shadow !== rule.shadow)
      instances.push(new AlertInstance(stream, rule, known.evaluatedAt));
    else {
      known.rule = rule;
      instances.push(known);
      dropped.delete(known);
    }
    if (turn.isOver) await turn.give();
  }
  stream.replaceInstances(wanted, instances);
  return dropped;
}

/** The stream of a subject's metric, made where a rule evaluates it or what is derived from it; null where none does. */
export function streamOf(
  service: EvaluatedService,
  rules: RuleIndex,
  subject: Subject,
  metric: string,
): Stream | null {
  const known = service.streams.get(streamName(subject, metric));
  if (known) return known;
  const stream = new Stream(service, { subject, metric, key: metric }, 0, Number.NEGATIVE_INFINITY);
  deriveStreams(service, rules, stream);
  const wanted = rulesOf(service, rules, stream);
  if (wanted.rules.length === 0 && stream.derived.length === 0) return null;
  stream.replaceInstances(wanted, []);
  for (const derived of stream.derived)
    if (derived.ruleSet === NO_RULES)
      derived.replaceInstances(rulesOf(service, rules, derived), derived.instances);
  addStream(service, stream);
  return stream;
}

/** Puts a stream where its service looks for it. */
export function addStream(service: EvaluatedService, stream: Stream): void {
  const { subject, key } = stream;
  service.streams.set(streamName(subject, key), stream);
  if (subject.kind === 'host' || stream.window !== null) return;
  const members = service.members[subject.kind];
  members.streams ??= new Set();
  members.streams.add(stream);
}

/** Forgets a stream and what is derived from it. */
export function removeStream(service: EvaluatedService, name: string, stream: Stream): void {
  const { kind } = stream.subject;
  service.streams.delete(name);
  if (kind !== 'host') service.members[kind].streams?.delete(stream);
  for (const { subject, key } of stream.derived) service.streams.delete(streamName(subject, key));
}

/** Makes the derived streams that rules ask for, and lets go of those that none does. */
function deriveStreams(service: EvaluatedService, rules: RuleIndex, base: Stream): void {
  const { subject, metric } = base;
  const wanted = rules.forMetric(service.organizationId, metric).derived;
  if (wanted.size === 0 && base.derived.length === 0) return;
  const derived: Stream[] = [];
  for (const [key, set] of wanted) {
    const [rule] = set.matching(service.host, service.tags).rules;
    if (!rule?.transform) continue;
    let stream = service.streams.get(streamName(subject, key));
    if (!stream) {
      stream = new Stream(
        service,
        { subject, metric, key },
        0,
        Number.NEGATIVE_INFINITY,
        new Window(rule.transform, metric),
      );
      addStream(service, stream);
    }
    derived.push(stream);
  }
  base.derived = derived;
}

/** The rules that evaluate a stream of the service. */
export function rulesOf(
  service: Pick<EvaluatedService, 'organizationId' | 'host' | 'tags'>,
  rules: RuleIndex,
  { metric, key }: Pick<StreamIdentity, 'metric' | 'key'>,
): RuleSet {
  const { samples, derived } = rules.forMetric(service.organizationId, metric);
  const evaluation = key === metric ? samples : derived.get(key);
  return (evaluation ?? NO_RULES).matching(service.host, service.tags);
}
