import type { Severity } from '@tidewatch/contracts/values/severity';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { AlertTerms } from '@tidewatch/store/alerts/write';

/** The terms by rule and severity; all alerts of a rule with the same severity share one object. */
const known = new WeakMap<CompiledRule, Map<Severity, AlertTerms>>();

/** Returns the version, severity and threshold that an alert of the rule carries at this severity. */
export function termsOf(rule: CompiledRule, severity: Severity): AlertTerms {
  let ofRule = known.get(rule);
  if (ofRule === undefined) {
    ofRule = new Map();
    known.set(rule, ofRule);
  }
  let terms = ofRule.get(severity);
  if (terms === undefined) {
    terms = makeTerms(rule, severity);
    ofRule.set(severity, terms);
  }
  return terms;
}

function makeTerms(rule: CompiledRule, severity: Severity): AlertTerms {
  const level = rule.levels.find((each) => each.severity === severity) ?? rule.levels[0];
  const { condition, threshold, thresholdMax } = level;
  return { version: rule.version, severity: level.severity, condition, threshold, thresholdMax };
}

/** Whether two terms are equal. The condition is not compared, because it cannot change without the version. */
export function sameTerms(a: AlertTerms, b: AlertTerms): boolean {
  return (
    a.version === b.version &&
    a.severity === b.severity &&
    a.threshold === b.threshold &&
    a.thresholdMax === b.thresholdMax
  );
}
