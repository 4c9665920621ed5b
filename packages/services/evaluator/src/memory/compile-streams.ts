import type { Subject } from '@tidewatch/contracts/values/subject';
import { Window } from '@tidewatch/domain/alerting/window';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { RuleIndex } from '../rules/rule-index.ts';
import { NO_RULES, type RuleSet } from '../rules/rule-set.ts';
import type { JudgedService } from './judged-service.ts';
import { Pair } from './pair.ts';
import { Stream, type StreamIdentity } from './stream.ts';
import { streamName } from './stream-name.ts';

/** When a pair without a state judged last (ms), -Infinity where it never did. */
export type JudgedBefore = (stream: StreamIdentity, ruleId: string) => number;

const NEVER: JudgedBefore = () => Number.NEGATIVE_INFINITY;

/**
 * Fits the service's streams to the rules as they are, in turns of the event loop: edited rules replace their former selves
 * in place, new ones begin, and pairs that no rule wants any more, or not in its present mode, are answered, for whoever
 * ends their alerts.
 */
export async function compileStreams(
  service: JudgedService,
  rules: RuleIndex,
  turn: Turn,
  judgedBefore: JudgedBefore = NEVER,
): Promise<Pair[]> {
  const dropped: Pair[] = [];
  for (const stream of [...service.streams.values()]) {
    if (stream.key !== stream.metric) continue;
    await rules.forMetric(service.organizationId, stream.metric).match(service.host, service.tags, turn);
    deriveStreams(service, rules, stream);
  }
  for (const [name, stream] of service.streams) {
    await rules.forMetric(service.organizationId, stream.metric).match(service.host, service.tags, turn);
    const wanted = rulesOf(service, rules, stream);
    // Nothing that judges it has changed.
    if (wanted === stream.judges && wanted !== NO_RULES) continue;
    for (const pair of await replaceRules(stream, wanted, turn, judgedBefore)) dropped.push(pair);
    if (wanted.rules.length === 0 && stream.derived.length === 0) removeStream(service, name, stream);
  }
  service.generation = rules.generationOf(service.organizationId);
  service.metrics = [];
  service.judged = [];
  return dropped;
}

/** Has a stream evaluated by these rules; answers the pairs that are none of them. */
async function replaceRules(
  stream: Stream,
  wanted: RuleSet,
  turn: Turn,
  judgedBefore: JudgedBefore,
): Promise<Iterable<Pair>> {
  const formerOf = new Map<string, Pair>();
  const dropped = new Set(stream.wake());
  for (const pair of dropped) formerOf.set(pair.rule.id, pair);
  const pairs: Pair[] = [];
  for (const rule of wanted.rules) {
    const known = formerOf.get(rule.id);
    if (known === undefined) pairs.push(new Pair(stream, rule, judgedBefore(stream, rule.id)));
    // An alert that was only tried out is none that anybody is notified of, and the other way round: another begins.
    else if (known.alertId !== null && known.shadow !== rule.shadow)
      pairs.push(new Pair(stream, rule, known.judgedAt));
    else {
      known.rule = rule;
      pairs.push(known);
      dropped.delete(known);
    }
    if (turn.isOver) await turn.give();
  }
  stream.replacePairs(wanted, pairs);
  return dropped;
}

/** The stream of a subject's metric, made where a rule judges it or what is derived from it; null where none does. */
export function streamOf(
  service: JudgedService,
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
  stream.replacePairs(wanted, []);
  for (const derived of stream.derived)
    if (derived.judges === NO_RULES) derived.replacePairs(rulesOf(service, rules, derived), derived.pairs);
  addStream(service, stream);
  return stream;
}

/** Puts a stream where its service looks for it. */
export function addStream(service: JudgedService, stream: Stream): void {
  const { subject, key } = stream;
  service.streams.set(streamName(subject, key), stream);
  if (subject.kind === 'host' || stream.window !== null) return;
  const members = service.members[subject.kind];
  members.streams ??= new Set();
  members.streams.add(stream);
}

/** Forgets a stream and what is derived from it. */
export function removeStream(service: JudgedService, name: string, stream: Stream): void {
  const { kind } = stream.subject;
  service.streams.delete(name);
  if (kind !== 'host') service.members[kind].streams?.delete(stream);
  for (const { subject, key } of stream.derived) service.streams.delete(streamName(subject, key));
}

/** Makes the derived streams that rules ask for, and lets go of those that none does. */
function deriveStreams(service: JudgedService, rules: RuleIndex, base: Stream): void {
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

/** The rules that judge a stream of the service. */
export function rulesOf(
  service: Pick<JudgedService, 'organizationId' | 'host' | 'tags'>,
  rules: RuleIndex,
  { metric, key }: Pick<StreamIdentity, 'metric' | 'key'>,
): RuleSet {
  const { samples, derived } = rules.forMetric(service.organizationId, metric);
  const judging = key === metric ? samples : derived.get(key);
  return (judging ?? NO_RULES).matching(service.host, service.tags);
}
