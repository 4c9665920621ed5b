import type { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { CONDITION_FACTS, CONDITIONS, type Condition, hasDirection } from './condition.ts';
import { PROCESS_COUNT, partMetricOf, SILENT_MINUTES, subjectKindOf } from './rule-metric.ts';
import { SUBJECT_KEYS } from './rule-selector.ts';

/** The fields of processes that rules can evaluate; for containers, all fields can be evaluated. */
export const PROCESS_METRICS = ['process.cpu_percent', 'process.memory_rss', PROCESS_COUNT];

type Fields = Record<string, unknown>;
type AddFault = (path: PropertyKey[], code: string, message: string) => void;

/** Checks that concern several fields, or whether a value is supported; each is skipped if one of its fields is faulty. */
export function checkTogether(rule: Fields, context: z.RefinementCtx): void {
  const add: AddFault = (path, code, message) => addFault(context, code, message, path);
  if (typeof rule.metric === 'string') {
    checkMetric(rule.metric, rule, add);
    checkSubjects(rule.metric, rule, add);
  }
  checkLimits(rule, [], add);
  if (!Array.isArray(rule.overrides)) return;
  for (const [index, override] of rule.overrides.entries()) {
    if (isObject(override)) checkLimits(overridden(rule, override), ['overrides', index], add);
  }
}

/** The terms for the hosts of an override: fields of the override if they are set, otherwise those of the rule. */
export function overridden<T extends object>(rule: T, override: object): T {
  const own = Object.entries(override).filter(([name, value]) => value !== null && name !== 'match');
  const effective = { ...rule, ...Object.fromEntries(own) } as T & Fields;
  const levels = own.some(([name]) => name === 'thresholds');
  const plain = own.some(([name]) => name === 'threshold');
  if (levels) Object.assign(effective, { threshold: null, threshold_max: null, recovery_threshold: null });
  else if (plain) Object.assign(effective, { thresholds: null });
  return effective;
}

function checkMetric(metric: string, rule: Fields, add: AddFault): void {
  const kind = subjectKindOf(metric);
  if (metric.startsWith('host.') && metric !== SILENT_MINUTES) {
    add(
      ['metric'],
      'invalid_value',
      `The only metric of the host itself that a rule can evaluate is ${SILENT_MINUTES}.`,
    );
  } else if (kind === 'process' && !PROCESS_METRICS.includes(metric)) {
    add(
      ['metric'],
      'invalid_value',
      `The only metrics of processes that a rule can evaluate are ${PROCESS_METRICS.join(' and ')}.`,
    );
  } else if (metric === 'container.') {
    add(['metric'], 'invalid_value', 'Must name a field of containers.');
  }
  if (metric === SILENT_MINUTES && isObject(rule.transform)) {
    add(['transform'], 'not_allowed', `Must be null with the metric ${SILENT_MINUTES}.`);
  }
  const policy = isObject(rule.no_data) ? rule.no_data.policy : undefined;
  if (metric === SILENT_MINUTES && (policy === 'alert' || policy === 'resolve')) {
    add(['no_data', 'policy'], 'not_allowed', `Must be keep_state with the metric ${SILENT_MINUTES}.`);
  } else if (kind !== 'host' && policy === 'alert') {
    add(['no_data', 'policy'], 'not_allowed', 'Containers and processes come and go: nothing is missing.');
  }
}

/** What each key of subjects within hosts needs. */
const NEEDED_METRIC = {
  part: 'Is only allowed with a metric of parts: their kind, a full stop and a metric of theirs.',
  container: 'Is only allowed with a metric of containers: container. and a field of theirs.',
  process: 'Is only allowed with a metric of processes: process. and a field of theirs.',
};

/** Checks that selectors of the rule ask for no subjects that its metric is not one of, and that it names processes to count. */
function checkSubjects(metric: string, rule: Fields, add: AddFault): void {
  const kind = partMetricOf(metric) === null ? subjectKindOf(metric) : 'part';
  const overrides = Array.isArray(rule.overrides) ? rule.overrides : [];
  const selectors = [
    { path: ['scope'], selector: rule.scope },
    ...overrides.map((override, index) => ({
      path: ['overrides', index, 'match'],
      selector: isObject(override) ? override.match : undefined,
    })),
  ];
  for (const { path, selector } of selectors) {
    if (!isObject(selector)) continue;
    for (const other of ['part', 'container', 'process'] as const) {
      if (other === kind) continue;
      for (const key of SUBJECT_KEYS[other])
        if (selector[key] !== undefined) add([...path, key], 'not_allowed', NEEDED_METRIC[other]);
    }
  }
  const named = isObject(rule.scope) ? rule.scope.process : undefined;
  if (metric === PROCESS_COUNT && (named === undefined || (Array.isArray(named) && named.length === 0)))
    add(['scope', 'process'], 'required', `Is required with the metric ${PROCESS_COUNT}.`);
}

/** Checks the threshold or thresholds of a rule or of an override; reports faults at paths below `where`. */
function checkLimits(rule: Fields, where: PropertyKey[], add: AddFault): void {
  const { condition, thresholds, threshold } = rule;
  if (thresholds === null || thresholds === undefined) {
    if (threshold === null || threshold === undefined)
      add([...where, 'threshold'], 'required', 'Is required unless thresholds is given.');
    checkLimit(rule, condition, where, add);
    return;
  }
  for (const name of ['threshold', 'threshold_max', 'recovery_threshold']) {
    if (typeof rule[name] === 'number')
      add([...where, name], 'not_allowed', 'Must be null where thresholds is given.');
  }
  if (!Array.isArray(thresholds)) return;
  const seen = new Set<unknown>();
  for (const [index, level] of thresholds.entries()) {
    if (!isObject(level)) continue;
    const path = [...where, 'thresholds', index];
    if (seen.has(level.severity))
      add([...path, 'severity'], 'duplicate', 'Stands for another threshold already.');
    seen.add(level.severity);
    checkLimit(level, condition, path, add);
  }
}

function checkLimit(fields: Fields, named: unknown, where: PropertyKey[], add: AddFault): void {
  const condition = CONDITIONS.find((each) => each === named);
  if (condition === undefined) return;
  const { threshold, threshold_max: thresholdMax, recovery_threshold: recovery } = fields;
  const { isRange } = CONDITION_FACTS[condition];
  if (isRange && (thresholdMax === null || thresholdMax === undefined)) {
    add([...where, 'threshold_max'], 'required', `Is required with the condition ${condition}.`);
  } else if (!isRange && typeof thresholdMax === 'number') {
    add([...where, 'threshold_max'], 'not_allowed', `Must be null with the condition ${condition}.`);
  } else if (typeof thresholdMax === 'number' && typeof threshold === 'number' && thresholdMax < threshold) {
    add([...where, 'threshold_max'], 'out_of_range', 'Must not be less than threshold.');
  }
  if (typeof recovery !== 'number') return;
  if (!hasDirection(condition)) {
    add([...where, 'recovery_threshold'], 'not_allowed', `Must be null with the condition ${condition}.`);
  } else if (typeof threshold === 'number' && !isClear(condition, recovery, threshold)) {
    add(
      [...where, 'recovery_threshold'],
      'out_of_range',
      'Must lie on the side of threshold where the rule does not hold.',
    );
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value at the recovery threshold does not itself breach the threshold. */
function isClear(condition: Condition, recovery: number, threshold: number): boolean {
  const { holds, isInclusive } = CONDITION_FACTS[condition];
  if (recovery === threshold) return !isInclusive;
  return holds === 'above' ? recovery < threshold : recovery > threshold;
}
