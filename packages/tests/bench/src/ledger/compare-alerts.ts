import type { Sql } from '@tidewatch/database/connection';
import type { Plan } from '../load/plan.ts';
import type { BenchRule } from '../rules.ts';
import { alertLine, expectedAlerts } from './alerts.ts';
import type { Ledger } from './ledger.ts';

export interface AlertReport {
  expected: number;
  missing: string[];
  unexpected: string[];
}

export function areAlertsRight({ missing, unexpected }: AlertReport): boolean {
  return missing.length + unexpected.length === 0;
}

/** Compares the stored alerts with the alerts that must have fired. The ledger must have no open requests. */
export async function compareAlerts(
  sql: Sql,
  plan: Plan,
  ledger: Ledger,
  rules: readonly BenchRule[],
): Promise<AlertReport> {
  const expected = expectedAlerts(plan, ledger, rules);
  const rows = await sql<{ rule_id: string; host: string; fired_at: number; resolved_at: number | null }[]>`
    select rule_id, host, fired_at, resolved_at from alerts where host like 'bench-%' and rule_id in ${sql(rules.map((rule) => rule.id))}`;
  const found = rows.map((row) => alertLine(row.rule_id, row.host, row.fired_at, row.resolved_at));
  const counts = new Map<string, number>();
  for (const line of found) counts.set(line, (counts.get(line) ?? 0) + 1);
  const unexpected = [...counts]
    .filter(([line, count]) => !expected.has(line) || count > 1)
    .map(([line]) => line);
  const missing = [...expected].filter((line) => !counts.has(line));
  return { expected: expected.size, missing, unexpected };
}
