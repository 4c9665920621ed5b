/** Matches the ids in the examples of the document. */
const EXAMPLE_ID = /\b([a-z]{3})_0197f3a1c0de7b3c9a51d2e4f6a80b1c\b/g;
const EXAMPLE_NOW = Date.parse('2026-11-21T14:36:28Z');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** The prefixes of the example ids that a value contains. */
export function exampleIdsOf(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(EXAMPLE_ID)].map(([, prefix = '']) => prefix);
}

/**
 * An example that can be sent: its ids replaced by existing ones with the same prefix, and its times moved to the present.
 */
export function asSent(value: unknown, ids: ReadonlyMap<string, string>, now: number): unknown {
  if (typeof value === 'string') {
    if (TIME.test(value)) return new Date(Date.parse(value) + now - EXAMPLE_NOW).toISOString();
    return value.replaceAll(EXAMPLE_ID, (whole, prefix: string) => ids.get(prefix) ?? whole);
  }
  if (Array.isArray(value)) return value.map((each) => asSent(each, ids, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asSent(each, ids, now)]));
}
