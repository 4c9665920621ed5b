import { summarise } from '../../measure/percentile.ts';
import { listed, number, table } from '../../report/table.ts';

/** A budget, what was measured of it, and whether that is within it; null where nothing was measured. */
export interface Budget {
  what: string;
  budget: string;
  measured: string;
  isWithin: boolean | null;
}

/** A budget of one figure at most. */
export function atMost(what: string, value: number, max: number, unit: string, digits = 0): Budget {
  return {
    what,
    budget: `${number(max, max % 1 === 0 ? 0 : 2)}${unit}`,
    measured: `${number(value, digits)}${unit}`,
    isWithin: value <= max,
  };
}

/** A budget of the median of several rounds; the slowest is shown beside it. */
export function medianAtMost(what: string, values: readonly number[], max: number, digits = 0): Budget {
  const { p50, max: slowest } = summarise(values);
  return {
    what,
    budget: `${number(max)} ms`,
    measured: `${listed([p50, slowest], digits)} ms (median / max of ${values.length})`,
    isWithin: p50 <= max,
  };
}

export function budgetTable(budgets: readonly Budget[]): string {
  const verdict = ({ isWithin }: Budget) =>
    isWithin === null ? 'not measured' : isWithin ? 'within' : 'MISSED';
  return table(
    ['what', 'budget', 'measured', ''],
    budgets.map((each) => [each.what, each.budget, each.measured, verdict(each)]),
  );
}
