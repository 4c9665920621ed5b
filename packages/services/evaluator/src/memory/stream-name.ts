import type { Subject } from '@tidewatch/contracts/values/subject';

const SEPARATOR = '\0';
/** A text of the database holds no NUL; in a stored key this stands for it. */
const STORED_SEPARATOR = '\u001f';

/** Names a stream within its service; `key` is what a rule calls its stream key. */
export function streamName(subject: Subject, key: string): string {
  return subject.kind === 'host' ? key : `${subject.kind}${SEPARATOR}${subject.name}${SEPARATOR}${key}`;
}

/** The stream key as it is stored beside a state. */
export function storedKey(key: string): string {
  return key.replace(SEPARATOR, STORED_SEPARATOR);
}

/** The stream key that was stored. A name that holds the stand-in is evaluated anew after a restart, no more. */
export function loadedKey(stored: string): string {
  return stored.replace(STORED_SEPARATOR, SEPARATOR);
}

/** The metric that a stream key belongs to. */
export function metricOfKey(key: string): string {
  return key.split(SEPARATOR, 1)[0] as string;
}

/** A container's field as rules name it. */
export function containerMetric(field: string): string {
  return `container.${field}`;
}
