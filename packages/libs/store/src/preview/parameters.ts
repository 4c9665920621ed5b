/** Collects the parameters of a statement that is built from parts. */
export class SqlParameters {
  readonly values: (string | string[])[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: string | string[]): string {
    return `$${this.values.push(value)}`;
  }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The earliest start and the latest end of all spans, with which the planner excludes partitions. */
export function outerBounds(spans: readonly { from: number; to: number }[], parameters: SqlParameters) {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans) {
    first = Math.min(first, from);
    last = Math.max(last, to);
  }
  return {
    first: `${parameters.add(iso(first))}::timestamptz`,
    last: `${parameters.add(iso(last))}::timestamptz`,
  };
}
