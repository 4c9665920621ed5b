import type { SilenceMatchers, SilenceStatus } from '@tidewatch/contracts/silences/silence';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { compilePattern } from '../rules/pattern.ts';
import { compileSelector, type SelectorTest } from '../rules/selector.ts';
import { Recurrence } from './recurrence.ts';

/**
 * A silence as it is stored. Times are ms since the epoch, Infinity for never; `endsAt` is the end of its last window,
 * `endedAt` the time at which a user ended it.
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

/** Whether a silence is active at a time, and until when that holds (ms, Infinity for ever). */
export interface SilenceState {
  status: SilenceStatus;
  until: number;
}

/** A time during which a silence is active, `[from, until)` in ms. */
export interface SilenceWindow {
  from: number;
  until: number;
}

/** A silence compiled for frequent matching. Immutable, except that it caches its last state. */
export class CompiledSilence {
  readonly id: string;
  readonly organizationId: string;
  /** The host names that the silence lists; null if it matches host names by patterns or matches any host. */
  readonly hostNames: readonly string[] | null;
  /** A tag for which the silence lists exact values; null if it has only patterns or matches no tag. */
  readonly tagValues: { name: string; values: readonly string[] } | null;
  /** Whether the silence matches by tags, which a host may lose later. */
  readonly asksForTags: boolean;
  /** Whether the silence matches by hosts alone and therefore mutes every alert of a host. */
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

  /** Whether the silence matches the rule, severity and subject of the alert; `matchesHost` checks the host. */
  matchesAlert({ ruleId, severity, subject }: MutedAlert): boolean {
    if (this.#rules.size > 0 && !this.#rules.has(ruleId)) return false;
    if (this.#severities.size > 0 && !this.#severities.has(severity)) return false;
    return this.#subjects.length === 0 || this.#subjects.some((matches) => matches(subject));
  }

  /** The state of the silence at `at` (ms), and the time until which that state lasts. */
  stateAt(at: number): SilenceState {
    if (at < this.#known.since || at >= this.#known.until) this.#known = { ...this.#work(at), since: at };
    return this.#known;
  }

  /** The windows that overlap `[from, to)` (ms), in order: those in which `stateAt` finds the silence active. */
  *windowsWithin(from: number, to: number): Generator<SilenceWindow> {
    const { from: first, until, endsAt, endedAt } = this.#terms;
    const end = Math.min(to, endsAt, endedAt);
    let begin: number | null = from <= first ? first : (this.#recurrence?.latest(from) ?? first);
    while (begin !== null && begin < end) {
      const next: number | null = this.#recurrence?.next(Math.max(begin, from)) ?? null;
      // The next window replaces one that is longer than the time between them.
      const closes = Math.min(begin + (until - first), next ?? Number.POSITIVE_INFINITY, endsAt, endedAt);
      if (closes > from) yield { from: begin, until: closes };
      begin = next;
    }
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

/** The first tag for which the silence lists a value without a pattern. */
function literalTag(tags: SilenceMatchers['tags']): { name: string; values: readonly string[] } | null {
  for (const [name, wanted] of Object.entries(tags)) {
    const values = typeof wanted === 'string' ? [wanted] : wanted;
    if (values.length > 0 && !values.some((value) => value.includes('*')))
      return { name, values: [...new Set(values)] };
  }
  return null;
}
