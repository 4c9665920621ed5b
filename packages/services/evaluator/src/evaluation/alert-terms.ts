import type { Severity } from '@tidewatch/contracts/values/severity';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { AlertTerms } from '@tidewatch/store/alerts/write';

/** Alerts of one rule and severity share their terms. */
const known = new WeakMap<CompiledRule, Map<Severity, AlertTerms>>();

/** What an alert of the rule says that it was measured by, while this severity holds. */
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

/** The condition cannot change without the version. */
export function sameTerms(a: AlertTerms, b: AlertTerms): boolean {
  return (
    a.version === b.version &&
    a.severity === b.severity &&
    a.threshold === b.threshold &&
    a.thresholdMax === b.thresholdMax
  );
}
