import type { NoDataPolicy, RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { overridden } from '@tidewatch/contracts/rules/rule-consistency';
import {
  isPresence,
  type PartMetric,
  partMetricOf,
  subjectKindOf,
} from '@tidewatch/contracts/rules/rule-metric';
import type { RuleSelector } from '@tidewatch/contracts/rules/rule-selector';
import type { Override, Transform } from '@tidewatch/contracts/rules/rule-terms';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { CompiledLevel } from './level.ts';
import {
  compilePartSelector,
  compileSelector,
  type MatchedPart,
  namesOf,
  type PartTest,
  type SelectorTest,
} from './selector.ts';
import { streamKey } from './stream-key.ts';

/** The fields of a stored rule that `compileRule` needs. */
export interface StoredRule {
  id: string;
  organizationId: string;
  version: number;
  definition: RuleDefinition;
}

/**
 * A rule compiled to evaluate many samples, with the override of some hosts or parts applied. Immutable; an edited rule is
 * compiled again.
 */
export class CompiledRule {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly metric: string;
  readonly transform: Transform | null;
  readonly subjectKind: Subject['kind'];
  /** The parts that the rule evaluates besides hosts; null for none. */
  readonly partMetric: PartMetric | null;
  /** Whether scope or overrides choose parts by their labels. */
  readonly matchesLabels: boolean;
  /** A key of the values that the rule evaluates: rules with the same key evaluate the same values of a subject. */
  readonly streamKey: string;
  /** Whether the rule only records alerts and notifies no channel. */
  readonly shadow: boolean;
  readonly noData: { readonly policy: NoDataPolicy; readonly afterMs: number };
  /** The thresholds of the rule, the most severe first. */
  readonly levels: readonly [CompiledLevel, ...CompiledLevel[]];
  /** The rule with the override of these hosts or parts applied. */
  readonly definition: RuleDefinition;
  /** Whether the rule applies to every host and part without an override. */
  readonly isForAllHosts: boolean;
  /** Whether the rule or an override asks for some of the parts, containers or processes of a host. */
  readonly choosesSubjects: boolean;
  /** The names without a pattern of containers or processes in the scope, which are expected on its hosts; empty for other metrics. */
  readonly expected: readonly string[];
  readonly #scope: Scope;
  readonly #exceptions: readonly { match: Scope; rule: CompiledRule | null }[];

  constructor({ id, organizationId, version, definition }: StoredRule) {
    this.id = id;
    this.organizationId = organizationId;
    this.version = version;
    this.definition = definition;
    this.metric = definition.metric;
    this.transform = definition.transform;
    this.subjectKind = subjectKindOf(definition.metric);
    this.partMetric = partMetricOf(definition.metric);
    this.streamKey = streamKey(definition.metric, definition.transform);
    this.shadow = definition.mode === 'shadow';
    this.noData = {
      policy: definition.no_data.policy,
      afterMs: definition.no_data.after_minutes * MINUTE_MS,
    };
    this.levels = levelsOf(definition);
    this.isForAllHosts = definition.overrides.length === 0 && Object.keys(definition.scope).length === 0;
    this.matchesLabels = [definition.scope, ...definition.overrides.map(({ match }) => match)].some(
      (selector) => selector.part_labels !== undefined,
    );
    this.#scope = compileScope(definition.scope);
    this.#exceptions = definition.overrides.map((override) => ({
      match: compileScope(override.match),
      rule: override.enabled ? new CompiledRule(exceptional(this, override)) : null,
    }));
    this.choosesSubjects =
      this.#scope.parts !== null || this.#exceptions.some(({ match }) => match.parts !== null);
    this.expected = isPresence(definition.metric)
      ? namesOf(definition.scope).filter((name) => !name.includes('*'))
      : [];
  }

  /**
   * The rule as it applies to a host itself (`part` null) or to a part of it: with the first override that matches; null if
   * scope or override exclude it.
   */
  forSubject(host: string, tags: Tags, part: MatchedPart | null): CompiledRule | null {
    if (!matches(this.#scope, host, tags, part)) return null;
    for (const { match, rule } of this.#exceptions) if (matches(match, host, tags, part)) return rule;
    return this;
  }

  /** The rule as it applies to a host, whatever it says of some of the host's parts; null if it excludes the host. */
  forHost(host: string, tags: Tags): CompiledRule | null {
    if (!this.#scope.hosts(host, tags)) return null;
    const exception = this.#exceptionOf(host, tags);
    return exception === undefined ? this : exception.rule;
  }

  /** Whether an override for hosts matches a host in the scope of the rule. */
  isOverriddenFor(host: string, tags: Tags): boolean {
    return this.#scope.hosts(host, tags) && this.#exceptionOf(host, tags) !== undefined;
  }

  #exceptionOf(host: string, tags: Tags) {
    return this.#exceptions.find(({ match }) => match.parts === null && match.hosts(host, tags));
  }

  /** Whether the rule may be for a container or process of this name, on some host. */
  mayEvaluate(name: string): boolean {
    return this.#scope.parts === null || this.#scope.parts({ name, labels: {} });
  }

  /** Whether the scope of the rule lists this host by name, not by a pattern. */
  names(host: string): boolean {
    return this.definition.scope.hosts?.includes(host) ?? false;
  }

  /** Whether the value breaches at least one threshold. */
  breaches(value: number): boolean {
    const { levels } = this;
    for (let i = 0; i < levels.length; i += 1) if ((levels[i] as CompiledLevel).breaches(value)) return true;
    return false;
  }
}

type Tags = Readonly<Record<string, string>>;

/** A selector of hosts and parts; `parts` is null if it asks for no parts. */
interface Scope {
  readonly hosts: SelectorTest;
  readonly parts: PartTest | null;
}

function compileScope(selector: RuleSelector): Scope {
  return { hosts: compileSelector(selector), parts: compilePartSelector(selector) };
}

function matches({ hosts, parts }: Scope, host: string, tags: Tags, part: MatchedPart | null): boolean {
  return hosts(host, tags) && (parts === null || (part !== null && parts(part)));
}

/** Compiles a stored rule, whose definition must be valid. */
export function compileRule(rule: StoredRule): CompiledRule {
  return new CompiledRule(rule);
}

function exceptional(rule: CompiledRule, override: Override): StoredRule {
  const { id, organizationId, version } = rule;
  const definition = { ...overridden(rule.definition, override), overrides: [] };
  return { id, organizationId, version, definition };
}

function levelsOf(definition: RuleDefinition): [CompiledLevel, ...CompiledLevel[]] {
  const { condition, duration_minutes, keep_firing_minutes, severity, threshold, thresholds } = definition;
  const shared = { condition, keep_firing_minutes };
  if (thresholds !== null) {
    const worstFirst = thresholds.toSorted(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    );
    const [worst, ...others] = worstFirst.map(
      (level) =>
        new CompiledLevel({
          ...shared,
          ...level,
          duration_minutes: level.duration_minutes ?? duration_minutes,
        }),
    );
    if (worst) return [worst, ...others];
  }
  if (threshold === null) throw new Error('a rule without a threshold');
  const { threshold_max, recovery_threshold } = definition;
  const terms = { severity, threshold, threshold_max, recovery_threshold, duration_minutes };
  return [new CompiledLevel({ ...shared, ...terms })];
}
