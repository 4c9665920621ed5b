import type { Subject } from '@tidewatch/contracts/values/subject';
import { Window } from '@tidewatch/domain/alerting/window';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { RuleIndex } from '../rules/rule-index.ts';
import { NO_RULES, type RuleSet } from '../rules/rule-set.ts';
import { AlertInstance } from './alert-instance.ts';
import type { EvaluatedService } from './evaluated-service.ts';
import { Stream, type StreamIdentity } from './stream.ts';
import { streamName } from './stream-name.ts';

/** Returns when an alert instance without stored state evaluated its last sample (ms), or -Infinity. */
export type EvaluatedBefore = (stream: StreamIdentity, ruleId: string) => number;

const NEVER: EvaluatedBefore = () => Number.NEGATIVE_INFINITY;

/**
 * Updates the host's streams to the present rules, yielding to the event loop. Returns the alert instances that no rule
 * wants any more, whose alerts have to end.
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
    await matchStream(service, rules, stream, turn);
    deriveStreams(service, rules, stream);
  }
  for (const [name, stream] of service.streams) {
    await matchStream(service, rules, stream, turn);
    const wanted = rulesOf(service, rules, stream, partOf(service, rules, stream));
    // Skips a stream whose rules are unchanged.
    if (wanted === stream.ruleSet && wanted !== NO_RULES) continue;
    for (const instance of await replaceRules(stream, wanted, turn, evaluatedBefore)) dropped.push(instance);
    if (wanted.rules.length === 0 && stream.derived.length === 0) removeStream(service, name, stream);
  }
  service.generation = rules.generationOf(service.organizationId);
  service.metrics = [];
  service.metricStreams = [];
  service.parts.reset();
  for (const members of Object.values(service.members)) members.expected = null;
  return dropped;
}

/** Matches the subject of a stream with the rules of its metric, yielding to the event loop. */
async function matchStream(
  service: EvaluatedService,
  rules: RuleIndex,
  stream: Stream,
  turn: Turn,
): Promise<void> {
  const { organizationId, host, tags } = service;
  const part = partOf(service, rules, stream);
  await rules.forMetric(organizationId, stream.metric).match(host, tags, part, turn);
}

/** Returns what selectors match of a part, container or process; null for a host, and where no rule asks for containers or processes. */
export function partOf(
  service: EvaluatedService,
  rules: RuleIndex,
  { subject: { kind, name }, metric }: Pick<StreamIdentity, 'subject' | 'metric'>,
): MatchedPart | null {
  if (kind === 'part') return service.parts.part(name).matched;
  if (kind === 'host' || !rules.forMetric(service.organizationId, metric).choosesSubjects) return null;
  return memberNamed(name);
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/** Returns what selectors match of a container or process, which has no labels. */
export function memberNamed(name: string): MatchedPart {
  return { name, labels: NO_LABELS };
}

/** Replaces the rules of a stream; returns the alert instances of rules that no longer apply. */
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
    // A rule that enters or leaves shadow mode ends its alert and begins another, because only one of the two may notify.
    else if (known.shadow !== rule.shadow && known.alertId !== null)
      instances.push(new AlertInstance(stream, rule, known.evaluatedAt));
    else {
      known.rule = rule;
      instances.push(known);
      dropped.delete(known);
    }
    if (turn.isOver) await turn.yieldWhenDue();
  }
  // A copy, since an array that grew by `push` keeps room for more, for as long as the stream.
  stream.replaceInstances(wanted, instances.slice());
  return dropped;
}

/**
 * Returns the stream of a subject's metric; creates it if a rule evaluates the metric or a value derived from it, otherwise
 * null.
 */
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
  const part = partOf(service, rules, stream);
  const wanted = rulesOf(service, rules, stream, part);
  if (wanted.rules.length === 0 && stream.derived.length === 0) return null;
  stream.replaceInstances(wanted, []);
  for (const derived of stream.derived)
    if (derived.ruleSet === NO_RULES)
      derived.replaceInstances(rulesOf(service, rules, derived, part), derived.instances);
  addStream(service, stream);
  return stream;
}

/** Adds a stream to its host. */
export function addStream(service: EvaluatedService, stream: Stream): void {
  const { subject, key } = stream;
  service.streams.set(streamName(subject, key), stream);
  if (subject.kind === 'host' || stream.window !== null) return;
  const owner = subject.kind === 'part' ? service.parts : service.members[subject.kind];
  owner.streams ??= new Set();
  owner.streams.add(stream);
  // The streams of the shape are looked up again, since one that is added between payloads may be of an absent part.
  if (subject.kind === 'part') service.parts.shape = null;
}

/** Removes a stream and the streams derived from it. */
export function removeStream(service: EvaluatedService, name: string, stream: Stream): void {
  const { kind } = stream.subject;
  service.streams.delete(name);
  if (kind === 'part') service.parts.streams?.delete(stream);
  else if (kind !== 'host') service.members[kind].streams?.delete(stream);
  for (const { subject, key } of stream.derived) service.streams.delete(streamName(subject, key));
}

/** Creates the derived streams that rules use, and removes the others. */
function deriveStreams(service: EvaluatedService, rules: RuleIndex, base: Stream): void {
  const { subject, metric } = base;
  const wanted = rules.forMetric(service.organizationId, metric).derived;
  if (wanted.size === 0 && base.derived.length === 0) return;
  const part = partOf(service, rules, base);
  const derived: Stream[] = [];
  for (const [key, set] of wanted) {
    const [rule] = set.matching(service.host, service.tags, part).rules;
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

/** Returns the rules that evaluate a stream of the host; `part` is null unless the stream is of a part. */
export function rulesOf(
  service: Pick<EvaluatedService, 'organizationId' | 'host' | 'tags'>,
  rules: RuleIndex,
  { metric, key }: Pick<StreamIdentity, 'metric' | 'key'>,
  part: MatchedPart | null,
): RuleSet {
  const { samples, derived } = rules.forMetric(service.organizationId, metric);
  const evaluation = key === metric ? samples : derived.get(key);
  return (evaluation ?? NO_RULES).matching(service.host, service.tags, part);
}
