import type { SilenceMatchers, SilenceStatus } from '@tidewatch/contracts/silences/silence';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { compilePattern } from '../rules/pattern.ts';
import { compileSelector, type SelectorTest } from '../rules/selector.ts';
import { Recurrence } from './recurrence.ts';

/**
 * A silence as it is stored. Times are ms since the epoch; `endsAt` is when its last window ends, `endedAt` when it was
 * ended by hand; Infinity for never.
 */
export interface SilenceTerms {
  id: string;
  organizationId: string;
  matchers: SilenceMatchers;
  from: number;
  until: number;
  recurrence: string | null;
  timezone: string;
  endsAt: number;
  endedAt: number;
}

/** The fields of an alert, beside its host, that a silence matches. */
export interface MutedAlert {
  ruleId: string;
  severity: Severity;
  subject: Subject;
}

/** The state at a time, and until when it lasts (ms, Infinity for ever). */
export interface SilenceState {
  status: SilenceStatus;
  until: number;
}

/** A silence made ready to be asked often. Immutable, but for what it remembers of its last answer. */
export class CompiledSilence {
  readonly id: string;
  readonly organizationId: string;
  /** Names of hosts where it asks for nothing else of their names, null where it has patterns, or takes any. */
  readonly hostNames: readonly string[] | null;
  /** A tag and its values where it asks for these very values, null where it has patterns alone, or asks for no tag. */
  readonly tagValues: { name: string; values: readonly string[] } | null;
  /** Whether it asks for tags, which a host may lose. */
  readonly asksForTags: boolean;
  /** Whether it asks for nothing but hosts, and so mutes them as a whole. */
  readonly isWhole: boolean;
  readonly matchesHost: SelectorTest;
  readonly #terms: SilenceTerms;
  readonly #recurrence: Recurrence | null;
  readonly #rules: ReadonlySet<string>;
  readonly #severities: ReadonlySet<string>;
  readonly #subjects: readonly ((subject: Subject) => boolean)[];
  #known: SilenceState & { since: number } = { status: 'scheduled', since: 0, until: 0 };

  constructor(terms: SilenceTerms) {
    const { id, organizationId, matchers, from, until, recurrence: rule, timezone, endsAt } = terms;
    const { hosts, tags, rule_ids: rules, severities, subjects } = matchers;
    this.id = id;
    this.organizationId = organizationId;
    this.#terms = terms;
    this.#recurrence =
      rule === null ? null : new Recurrence({ rule, from, timezone, last: endsAt - (until - from) });
    this.matchesHost = compileSelector({ hosts, tags });
    this.hostNames =
      hosts.length > 0 && !hosts.some((name) => name.includes('*')) ? [...new Set(hosts)] : null;
    this.tagValues = literalTag(tags);
    this.asksForTags = Object.keys(tags).length > 0;
    this.isWhole = rules.length === 0 && severities.length === 0 && subjects.length === 0;
    this.#rules = new Set(rules);
    this.#severities = new Set(severities);
    this.#subjects = subjects.map(({ kind, name }) => {
      const matches = compilePattern(name);
      return (subject) => subject.kind === kind && matches(subject.name);
    });
  }

  /** Whether it asks for the alert's rule, severity and subject; its host is asked apart. */
  matchesAlert({ ruleId, severity, subject }: MutedAlert): boolean {
    if (this.#rules.size > 0 && !this.#rules.has(ruleId)) return false;
    if (this.#severities.size > 0 && !this.#severities.has(severity)) return false;
    return this.#subjects.length === 0 || this.#subjects.some((matches) => matches(subject));
  }

  /** Its state at `at`, and until when that lasts. */
  stateAt(at: number): SilenceState {
    if (at < this.#known.since || at >= this.#known.until) this.#known = { ...this.#work(at), since: at };
    return this.#known;
  }

  #work(at: number): SilenceState {
    const { from, until, endsAt, endedAt } = this.#terms;
    if (at >= endsAt || at >= endedAt) return { status: 'expired', until: Number.POSITIVE_INFINITY };
    if (at < from) return { status: 'scheduled', until: Math.min(from, endedAt) };
    const latest = this.#recurrence?.latest(at) ?? from;
    const end = latest + (until - from);
    if (at < end) return { status: 'active', until: Math.min(end, endedAt) };
    const next = this.#recurrence?.next(at) ?? null;
    return next === null
      ? { status: 'expired', until: Number.POSITIVE_INFINITY }
      : { status: 'scheduled', until: Math.min(next, endedAt) };
  }
}

/** The first tag that is asked for without a pattern. */
function literalTag(tags: SilenceMatchers['tags']): { name: string; values: readonly string[] } | null {
  for (const [name, wanted] of Object.entries(tags)) {
    const values = typeof wanted === 'string' ? [wanted] : wanted;
    if (values.length > 0 && !values.some((value) => value.includes('*')))
      return { name, values: [...new Set(values)] };
  }
  return null;
}
