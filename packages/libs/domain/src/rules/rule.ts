import type { NoDataPolicy, RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { overridden } from '@tidewatch/contracts/rules/rule-consistency';
import { subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import type { Override, Transform } from '@tidewatch/contracts/rules/rule-terms';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { CompiledLevel } from './level.ts';
import { compileSelector, type SelectorTest } from './selector.ts';
import { streamKey } from './stream-key.ts';

/** The fields of a stored rule that `compileRule` needs. */
export interface StoredRule {
  id: string;
  organizationId: string;
  version: number;
  definition: RuleDefinition;
}

/**
 * A rule compiled to evaluate many samples, with the override of some hosts applied. Immutable; an edited rule is compiled
 * again.
 */
export class CompiledRule {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly metric: string;
  readonly transform: Transform | null;
  readonly subjectKind: Subject['kind'];
  /** A key of the values that the rule evaluates: rules with the same key evaluate the same values of a subject. */
  readonly streamKey: string;
  /** Whether the rule only records alerts and notifies no channel. */
  readonly shadow: boolean;
  readonly noData: { readonly policy: NoDataPolicy; readonly afterMs: number };
  /** The thresholds of the rule, the most severe first. */
  readonly levels: readonly [CompiledLevel, ...CompiledLevel[]];
  /** The rule with the override of these hosts applied. */
  readonly definition: RuleDefinition;
  /** Whether the rule applies to every host without an override. */
  readonly isForAllHosts: boolean;
  readonly #inScope: SelectorTest;
  readonly #exceptions: readonly { matches: SelectorTest; rule: CompiledRule | null }[];

  constructor({ id, organizationId, version, definition }: StoredRule) {
    this.id = id;
    this.organizationId = organizationId;
    this.version = version;
    this.definition = definition;
    this.metric = definition.metric;
    this.transform = definition.transform;
    this.subjectKind = subjectKindOf(definition.metric);
    this.streamKey = streamKey(definition.metric, definition.transform);
    this.shadow = definition.mode === 'shadow';
    this.noData = {
      policy: definition.no_data.policy,
      afterMs: definition.no_data.after_minutes * MINUTE_MS,
    };
    this.levels = levelsOf(definition);
    this.isForAllHosts = definition.overrides.length === 0 && Object.keys(definition.scope).length === 0;
    this.#inScope = compileSelector(definition.scope);
    this.#exceptions = definition.overrides.map((override) => ({
      matches: compileSelector(override.match),
      rule: override.enabled ? new CompiledRule(exceptional(this, override)) : null,
    }));
  }

  /** The rule as it applies to a host: with the first override that matches; null if that override excludes the host. */
  forHost(host: string, tags: Readonly<Record<string, string>>): CompiledRule | null {
    if (!this.#inScope(host, tags)) return null;
    const exception = this.#exceptionOf(host, tags);
    return exception === undefined ? this : exception.rule;
  }

  /** Whether an override matches a host in the scope of the rule. */
  isOverriddenFor(host: string, tags: Readonly<Record<string, string>>): boolean {
    return this.#inScope(host, tags) && this.#exceptionOf(host, tags) !== undefined;
  }

  #exceptionOf(host: string, tags: Readonly<Record<string, string>>) {
    for (const exception of this.#exceptions) if (exception.matches(host, tags)) return exception;
    return undefined;
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
