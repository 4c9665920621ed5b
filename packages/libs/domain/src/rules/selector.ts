import type { Selector } from '@tidewatch/contracts/rules/rule';
import type { RuleSelector } from '@tidewatch/contracts/rules/rule-selector';
import { compilePatterns } from './pattern.ts';

export type SelectorTest = (host: string, tags: Readonly<Record<string, string>>) => boolean;

/**
 * Compiles a selector of hosts: every given key must match with one of its entries, in which `*` matches any characters. An
 * empty list matches all hosts, as a missing key does; `{}` matches every host.
 */
export function compileSelector(selector: Selector): SelectorTest {
  const hosts = selector.hosts && selector.hosts.length > 0 ? compilePatterns(selector.hosts) : null;
  const hasTags = compileTexts(selector.tags);
  return (host, tags) => (hosts === null || hosts(host)) && hasTags(tags);
}

/** A part, container or process of a host, as selectors see it: its name among its kind, and its labels, which only parts have. */
export interface MatchedPart {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export type PartTest = (part: MatchedPart) => boolean;

/**
 * Compiles the keys of a selector that choose parts, containers or processes; null if it has none, so that it chooses hosts and all
 * of theirs. A rule evaluates one of these kinds, so that only its keys are there.
 */
export function compilePartSelector(selector: RuleSelector): PartTest | null {
  const { part_labels: labels } = selector;
  const patterns = namesOf(selector);
  const asksForLabels = Object.values(labels ?? {}).some((wanted) => wanted.length > 0 || wanted === '');
  if (patterns.length === 0 && !asksForLabels) return null;
  const isNamed = patterns.length > 0 ? compilePatterns(patterns) : null;
  const hasLabels = compileTexts(labels);
  return (matched) => (isNamed === null || isNamed(matched.name)) && hasLabels(matched.labels);
}

/** The patterns of names of parts, containers or processes in a selector; empty for all. */
export function namesOf({ part, container, process }: RuleSelector): readonly string[] {
  const given = part ?? container ?? process ?? [];
  return typeof given === 'string' ? [given] : given;
}

/** Compiles a test of texts by name: each name must be there, with a text that matches one of its patterns. */
function compileTexts(
  wanted: Readonly<Record<string, string | readonly string[]>> = {},
): (texts: Readonly<Record<string, string>>) => boolean {
  const tests: { name: string; matches: (text: string) => boolean }[] = [];
  for (const [name, given] of Object.entries(wanted)) {
    const patterns = typeof given === 'string' ? [given] : given;
    if (patterns.length > 0) tests.push({ name, matches: compilePatterns(patterns) });
  }
  return (texts) => {
    for (const { name, matches } of tests) {
      if (!Object.hasOwn(texts, name) || !matches(texts[name] as string)) return false;
    }
    return true;
  };
}
