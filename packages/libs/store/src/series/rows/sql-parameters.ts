/** Collects the parameters of a statement that is built from parts. */
export class SqlParameters {
  readonly values: (string | string[])[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: string | string[]): string {
    return `$${this.values.push(value)}`;
  }

  /** Adds numbers and returns SQL of their array. */
  integers(values: readonly number[]): string {
    return `${this.add(values.map(String))}::text[]::int[]`;
  }

  /** Adds times, ms, and returns SQL of their array. */
  times(values: readonly number[]): string {
    return `${this.add(values.map(iso))}::text[]::timestamptz[]`;
  }

  /** Adds a time, ms, and returns SQL of it. */
  time(value: number): string {
    return `${this.add(iso(value))}::timestamptz`;
  }
}

/** A time of ms as PostgreSQL reads it. */
export function iso(ms: number): string {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
}

/** The earliest start and the latest end of all spans, with which the planner excludes partitions. */
export function outerBounds(spans: readonly { from: number; to: number }[], parameters: SqlParameters) {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans) {
    first = Math.min(first, from);
    last = Math.max(last, to);
  }
  return { first: parameters.time(first), last: parameters.time(last) };
}
