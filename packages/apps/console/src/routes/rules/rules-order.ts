import type { Rule } from '@tidewatch/contracts/rules/rule';

export const RULE_ORDERS = ['alerts', 'name', 'updated_at'] as const;
export type RuleOrder = (typeof RULE_ORDERS)[number];

export function ruleOrder(sort: string | undefined): RuleOrder {
  return (RULE_ORDERS as readonly string[]).includes(sort ?? '') ? (sort as RuleOrder) : 'name';
}

/** Rules in that order: those with the most alerts or the newest change first, or by name; equal ones by name. */
export function sortRules(
  rules: readonly Rule[],
  order: RuleOrder,
  alertsOf: (rule: Rule) => number,
): readonly Rule[] {
  const byName = (a: Rule, b: Rule) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1);
  if (order === 'alerts') return rules.toSorted((a, b) => alertsOf(b) - alertsOf(a) || byName(a, b));
  if (order === 'updated_at')
    return rules.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at) || byName(a, b));
  return rules.toSorted(byName);
}
