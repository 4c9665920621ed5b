import { REPEATED_CONTAINER } from '@tidewatch/contracts/ingest/payload-schema';
import {
  BOUNDS,
  type Container,
  type ProcessCounts,
  type ProcessInfo,
} from '@tidewatch/contracts/ingest/sample';
import type { FaultList } from '../fault-list.ts';
import { addNumberFault, checkName, checkText, isObject, type Json } from './check-values.ts';
import type { IgnoredFields } from './ignored-fields.ts';

/** The entries of a list with at most `max` of them; undefined where absent or at fault. */
export function listOf(
  value: unknown,
  name: string,
  max: number,
  at: string,
  faults: FaultList,
): unknown[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) faults.add(at, name, 'invalid_type', 'Must be an array.');
  else if (value.length > max) faults.add(at, name, 'too_many', `Must have at most ${max} entries.`);
  else return value;
  return undefined;
}

function checkNumber(value: unknown, at: string, name: string, faults: FaultList): void {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return;
  addNumberFault(value, at, name, faults);
}

/** Reads the further fields of a container: numeric ones are metrics, others are dropped. */
function checkFurtherFields(
  container: Json,
  at: string,
  faults: FaultList,
  ignore: (name: string) => void,
): void {
  let count = 0;
  for (const name in container) {
    if (isKnownField(name)) continue;
    if (typeof container[name] === 'number') count += 1;
    else {
      ignore(name);
      delete container[name];
    }
  }
  if (count === 0) return;
  if (count > BOUNDS.containerMetrics) {
    faults.add(at, null, 'too_many', `Must have at most ${BOUNDS.containerMetrics} further numeric fields.`);
    return;
  }
  for (const name in container) {
    if (isKnownField(name) || !checkName(name, BOUNDS.metricName, at, faults)) continue;
    checkNumber(container[name], at, name, faults);
  }
}

function isKnownField(name: string): boolean {
  switch (name) {
    case 'name':
    case 'image':
    case 'status':
    case 'id':
    case 'health':
    case 'cpu_percent':
    case 'memory_usage':
      return true;
    default:
      return false;
  }
}

/** `docker_containers` to containers, in place; undefined where absent or at fault. */
export function decodeContainers(
  value: unknown,
  parent: string,
  faults: FaultList,
  ignored: IgnoredFields,
): Container[] | undefined {
  const list = listOf(value, 'docker_containers', BOUNDS.containers, parent, faults);
  if (list === undefined) return undefined;
  const names = new Set<string>();
  for (const [index, container] of list.entries()) {
    const at = `${parent}/docker_containers/${index}`;
    if (!isObject(container)) {
      faults.add(at, null, 'invalid_type', 'Must be an object.');
      continue;
    }
    const { image, status, id, health } = container;
    if (checkText(container.name, 1, BOUNDS.containerName, at, 'name', faults)) {
      const name = container.name as string;
      if (names.has(name)) faults.add(at, 'name', 'duplicate', REPEATED_CONTAINER);
      names.add(name);
    }
    if (image !== undefined) checkText(image, 0, BOUNDS.containerImage, at, 'image', faults);
    if (status !== undefined) checkText(status, 0, BOUNDS.containerStatus, at, 'status', faults);
    if (id === null) delete container.id;
    else if (id !== undefined) checkText(id, 0, BOUNDS.containerId, at, 'id', faults);
    if (health === null) delete container.health;
    else if (health !== undefined) checkText(health, 0, BOUNDS.containerHealth, at, 'health', faults);
    checkNumber(container.cpu_percent, at, 'cpu_percent', faults);
    checkNumber(container.memory_usage, at, 'memory_usage', faults);
    checkFurtherFields(container, at, faults, (name) =>
      ignored.add(parent, 'docker_containers', index, name),
    );
  }
  return list as Container[];
}

function isProcessField(name: string): boolean {
  return name === 'name' || name === 'pid' || name === 'cpu_percent' || name === 'memory_rss';
}

function checkWholeNumber(value: unknown, at: string, name: string, faults: FaultList): void {
  if (Number.isSafeInteger(value)) {
    if ((value as number) < 0) faults.add(at, name, 'too_small', 'Must be at least 0.');
  } else if (value === undefined) faults.add(at, name, 'required', 'Is required.');
  else if (typeof value === 'number') faults.add(at, name, 'not_an_integer', 'Must be an integer.');
  else faults.add(at, name, 'invalid_type', 'Must be a number.');
}

/** `processes` without unknown fields; undefined where absent or at fault. */
export function decodeProcesses(
  value: unknown,
  parent: string,
  faults: FaultList,
  ignored: IgnoredFields,
): ProcessInfo[] | undefined {
  const list = listOf(value, 'processes', BOUNDS.processes, parent, faults);
  if (list === undefined) return undefined;
  const processes: ProcessInfo[] = [];
  for (const [index, process] of list.entries()) {
    const at = `${parent}/processes/${index}`;
    if (!isObject(process)) {
      faults.add(at, null, 'invalid_type', 'Must be an object.');
      continue;
    }
    const { name, pid, cpu_percent, memory_rss } = process;
    checkText(name, 1, BOUNDS.processName, at, 'name', faults);
    checkWholeNumber(pid, at, 'pid', faults);
    checkNumber(cpu_percent, at, 'cpu_percent', faults);
    checkNumber(memory_rss, at, 'memory_rss', faults);
    const info: ProcessInfo = { name: name as string, pid: pid as number };
    if (cpu_percent !== undefined) info.cpu_percent = cpu_percent as number;
    if (memory_rss !== undefined) info.memory_rss = memory_rss as number;
    processes.push(info);
    for (const field in process) if (!isProcessField(field)) ignored.add(parent, 'processes', index, field);
  }
  return processes;
}

/** `process_counts` as parallel lists; undefined where absent or at fault. */
export function decodeProcessCounts(
  value: unknown,
  parent: string,
  faults: FaultList,
): ProcessCounts | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    faults.add(parent, 'process_counts', 'invalid_type', 'Must be an object.');
    return undefined;
  }
  const names = Object.keys(value);
  if (names.length > BOUNDS.processCounts) {
    const message = `Must have at most ${BOUNDS.processCounts} entries.`;
    faults.add(parent, 'process_counts', 'too_many', message);
    return undefined;
  }
  const at = `${parent}/process_counts`;
  for (const name of names)
    if (checkName(name, BOUNDS.processName, at, faults)) checkWholeNumber(value[name], at, name, faults);
  return { names, counts: names.map((name) => value[name] as number) };
}
