import {
  PART_BOUNDS,
  partKindFault,
  REPEATED_PART,
  TOO_MANY_METRICS,
  TOO_MANY_SERIES,
} from '@tidewatch/contracts/ingest/part';
import type { PartValues } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { FaultList } from '../fault-list.ts';
import { checkName, checkText, isObject, type Json } from './check-values.ts';
import { listOf } from './decode-members.ts';
import type { IgnoredFields } from './ignored-fields.ts';
import { PartLists, shapes } from './part-lists.ts';

/** `parts` of a payload of `host`; undefined where absent, empty or at fault. */
export function decodeParts(
  value: unknown,
  host: unknown,
  parent: string,
  faults: FaultList,
  ignored: IgnoredFields,
): PartValues | undefined {
  const list = listOf(value, 'parts', PART_BOUNDS.parts, parent, faults);
  if (list === undefined || list.length === 0) return undefined;
  const before = faults.count;
  const lists = new PartLists();
  const subjects = new Set<string>();
  for (const [index, part] of list.entries()) {
    const at = `${parent}/parts/${index}`;
    if (!isObject(part)) {
      faults.add(at, null, 'invalid_type', 'Must be an object.');
      continue;
    }
    const { kind, name, labels } = part;
    const hasKind = checkKind(kind, at, faults);
    if (checkText(name, 1, PART_BOUNDS.name, at, 'name', faults) && hasKind) {
      const subject = partSubject(kind as string, name as string);
      if (subjects.has(subject)) faults.add(at, 'name', 'duplicate', REPEATED_PART);
      subjects.add(subject);
    }
    if (labels !== undefined) checkLabels(labels, at, faults);
    addNumbers(part, at, faults, lists, (field) => ignored.add(parent, 'parts', index, field));
    lists.kinds.push(kind as string);
    lists.names.push(name as string);
    lists.labels.push((labels as Record<string, string> | undefined) ?? null);
    lists.ends.push(lists.values.length);
  }
  if (lists.values.length > PART_BOUNDS.series) faults.add(parent, 'parts', 'too_many', TOO_MANY_SERIES);
  if (faults.count > before || typeof host !== 'string') return undefined;
  const { values, ...made } = lists;
  return { shape: shapes.of(host, made), values };
}

function checkKind(kind: unknown, at: string, faults: FaultList): boolean {
  if (!checkText(kind, 1, PART_BOUNDS.kind, at, 'kind', faults)) return false;
  const fault = partKindFault(kind as string);
  if (fault !== undefined) faults.add(at, 'kind', fault.code, fault.message);
  return fault === undefined;
}

function checkLabels(labels: unknown, at: string, faults: FaultList): void {
  if (!isObject(labels)) {
    faults.add(at, 'labels', 'invalid_type', 'Must be an object.');
    return;
  }
  const names = Object.keys(labels);
  if (names.length > PART_BOUNDS.labels) {
    faults.add(at, 'labels', 'too_many', `Must have at most ${PART_BOUNDS.labels} entries.`);
    return;
  }
  for (const name of names)
    if (checkName(name, PART_BOUNDS.labelName, `${at}/labels`, faults))
      checkText(labels[name], 0, PART_BOUNDS.labelValue, `${at}/labels`, name, faults);
}

/** Adds the numeric fields of a part, which are its metrics; other fields are ignored. */
function addNumbers(
  part: Json,
  at: string,
  faults: FaultList,
  { metrics, values }: PartLists,
  ignore: (field: string) => void,
): void {
  const first = values.length;
  for (const field in part) {
    if (field === 'kind' || field === 'name' || field === 'labels') continue;
    const value = part[field];
    if (typeof value !== 'number') {
      ignore(field);
      continue;
    }
    metrics.push(field);
    values.push(value);
  }
  if (values.length - first > PART_BOUNDS.metrics) {
    faults.add(at, null, 'too_many', TOO_MANY_METRICS);
    return;
  }
  for (let index = first; index < values.length; index += 1) {
    const metric = metrics[index] as string;
    if (checkName(metric, PART_BOUNDS.metricName, at, faults) && !Number.isFinite(values[index]))
      faults.add(at, metric, 'not_finite', 'Must be a finite number.');
  }
}
