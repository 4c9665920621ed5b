import type { Subject } from '@tidewatch/contracts/values/subject';

const SEPARATOR = '\0';
/** Replaces NUL in stored keys, because PostgreSQL texts cannot contain NUL. */
const STORED_SEPARATOR = '\u001f';

/** Returns the name of a stream within its host; `key` is the stream key of its rules. */
export function streamName(subject: Subject, key: string): string {
  return subject.kind === 'host' ? key : `${subject.kind}${SEPARATOR}${subject.name}${SEPARATOR}${key}`;
}

/** Returns the stored form of a stream key. */
export function storedKey(key: string): string {
  return key.replace(SEPARATOR, STORED_SEPARATOR);
}

/** Converts a stored key to a stream key. A name that contains the replacement character loses its state at a restart. */
export function loadedKey(stored: string): string {
  return stored.replace(STORED_SEPARATOR, SEPARATOR);
}

/** Returns the metric of a stream key. */
export function metricOfKey(key: string): string {
  return key.split(SEPARATOR, 1)[0] as string;
}

/** Returns the metric name of a container’s field, as rules use it. */
export function containerMetric(field: string): string {
  return `container.${field}`;
}
