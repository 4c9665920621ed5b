import { BOUNDS, metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { parseTimestamp } from '@tidewatch/contracts/time/time';
import { timestampFault } from '@tidewatch/contracts/time/timestamp-fault';
import type { FaultList } from '../fault-list.ts';
import { addNumberFault, checkName, checkText, isObject, type Json } from './check-values.ts';
import { decodeContainers, decodeProcessCounts, decodeProcesses } from './decode-members.ts';
import { decodeParts } from './decode-parts.ts';
import { type IgnoredFields, meantBy } from './ignored-fields.ts';

/** Metric names repeat, so valid ones are cached; short ones only, to bound the memory. */
const rightNames = new Set<string>();
const REMEMBERED_NAMES = 10_000;
const REMEMBERED_LENGTH = 64;
/** A missing field is compared with at most so many unknown ones, in case one is misspelt. */
const MAX_CANDIDATES = 20;

function checkMetrics(metrics: unknown, at: string, faults: FaultList): void {
  if (!isObject(metrics)) {
    faults.add(at, 'metrics', 'invalid_type', 'Must be an object.');
    return;
  }
  let count = 0;
  for (const _ in metrics) count += 1;
  if (count > BOUNDS.metrics) {
    faults.add(at, 'metrics', 'too_many', `Must have at most ${BOUNDS.metrics} entries.`);
    return;
  }
  for (const name in metrics) {
    const value = metrics[name];
    // x - x is 0 for every finite number, and NaN for any other value.
    if (typeof value === 'number' && value - value === 0 && rightNames.has(name)) continue;
    if (!checkName(name, BOUNDS.metricName, `${at}/metrics`, faults)) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      addNumberFault(value, `${at}/metrics`, name, faults);
      continue;
    }
    if (name.length > REMEMBERED_LENGTH) continue;
    if (rightNames.size >= REMEMBERED_NAMES) rightNames.clear();
    rightNames.add(name);
  }
}

function checkTags(tags: unknown, at: string, faults: FaultList): void {
  if (!isObject(tags)) {
    faults.add(at, 'tags', 'invalid_type', 'Must be an object.');
    return;
  }
  let count = 0;
  for (const _ in tags) count += 1;
  if (count > BOUNDS.tags) {
    faults.add(at, 'tags', 'too_many', `Must have at most ${BOUNDS.tags} entries.`);
    return;
  }
  for (const name in tags) {
    if (!checkName(name, BOUNDS.tagName, `${at}/tags`, faults)) continue;
    checkText(tags[name], 0, BOUNDS.tagValue, `${at}/tags`, name, faults);
  }
}

/** Milliseconds since the epoch; `receivedAt` where the payload names no time. */
function decodeTime(text: unknown, receivedAt: number, at: string, faults: FaultList): number {
  if (text === undefined) return receivedAt;
  if (typeof text !== 'string') {
    faults.add(at, 'timestamp', 'invalid_type', 'Must be a string with an RFC 3339 date and time.');
    return receivedAt;
  }
  const time = parseTimestamp(text);
  if (time === undefined) faults.add(at, 'timestamp', 'invalid_timestamp', timestampFault(text));
  else if (time < BOUNDS.earliestTime)
    faults.add(at, 'timestamp', 'too_early', 'Must not be before the year 2000.');
  else if (time > receivedAt + BOUNDS.aheadMs) {
    faults.add(at, 'timestamp', 'too_late', 'Must not be more than 24 hours ahead.');
  } else return time;
  return receivedAt;
}

function isKnownField(name: string): boolean {
  switch (name) {
    case 'host':
    case 'timestamp':
    case 'metrics':
    case 'tags':
    case 'docker_containers':
    case 'processes':
    case 'process_counts':
    case 'parts':
      return true;
    default:
      return false;
  }
}

/** Returns the unknown field that may be a misspelling of a required one. */
function missing(body: Json, field: string): string {
  let seen = 0;
  for (const name in body) {
    if (isKnownField(name)) continue;
    if (seen === MAX_CANDIDATES) break;
    seen += 1;
    if (name.length <= REMEMBERED_LENGTH && meantBy('payload', name) === field)
      return `Is required. ${name} is not a known field: did you mean ${field}?`;
  }
  return 'Is required.';
}

/**
 * Validates a parsed payload and returns its normalised form, which reuses parsed objects; null where it has faults.
 * `at` is the JSON Pointer of the payload; fields that are ignored are added to `ignored`. Written by hand because it is the hot
 * path: tests compare it with `payloadSchema` of contracts.
 */
export function decodePayload(
  body: unknown,
  receivedAt: number,
  at: string,
  faults: FaultList,
  ignored: IgnoredFields,
): Payload | null {
  if (!isObject(body)) {
    faults.add(at, null, 'invalid_type', 'Must be an object.');
    return null;
  }
  const before = faults.count;
  const { host, metrics, tags } = body;
  if (host === undefined) faults.add(at, 'host', 'required', missing(body, 'host'));
  else checkText(host, 1, BOUNDS.host, at, 'host', faults);
  const time = decodeTime(body.timestamp, receivedAt, at, faults);
  if (metrics === undefined) faults.add(at, 'metrics', 'required', missing(body, 'metrics'));
  else checkMetrics(metrics, at, faults);
  if (tags !== undefined) checkTags(tags, at, faults);
  const containers = decodeContainers(body.docker_containers, at, faults, ignored);
  const processes = decodeProcesses(body.processes, at, faults, ignored);
  const processCounts = decodeProcessCounts(body.process_counts, at, faults);
  const parts = decodeParts(body.parts, host, at, faults, ignored);
  for (const name in body) if (!isKnownField(name)) ignored.add(at, 'payload', 0, name);
  if (faults.count > before) return null;
  const payload: Payload = { host: host as string, time, ...metricsOf(metrics as Json) };
  if (tags !== undefined) payload.tags = tags as Record<string, string>;
  if (containers !== undefined) payload.containers = containers;
  if (processes !== undefined) payload.processes = processes;
  if (processCounts !== undefined) payload.processCounts = processCounts;
  if (parts !== undefined) payload.parts = parts;
  return payload;
}
