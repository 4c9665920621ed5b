/** How payloads are spelled in a body: one JSON value, or one to a line. */
export type BodyForm = 'json' | 'ndjson';
