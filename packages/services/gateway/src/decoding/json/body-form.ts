/** The form of a body: one JSON value, or one payload per line. */
export type BodyForm = 'json' | 'ndjson';
