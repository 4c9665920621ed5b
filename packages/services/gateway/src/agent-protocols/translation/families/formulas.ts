import type { DerivedMetric } from './family.ts';

/** A row of a metric that is another one by our name. */
export function copy(kind: string | undefined, metric: string, from: string): DerivedMetric {
  return {
    metric,
    ...(kind !== undefined && { kind }),
    inputs: { value: [from] },
    formula: ({ value }) => value,
  };
}

/** A row of a metric that is another one times a factor. */
export function scaled(
  kind: string | undefined,
  metric: string,
  from: string,
  factor: number,
): DerivedMetric {
  return {
    metric,
    ...(kind !== undefined && { kind }),
    inputs: { value: [from] },
    formula: ({ value = 0 }) => value * factor,
  };
}
