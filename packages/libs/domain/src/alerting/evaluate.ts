import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { CompiledRule } from '../rules/rule.ts';
import type { AlertInstanceState, LevelState, TransitionKind, Verdict } from './alert-instance-state.ts';
import { evaluateLevel } from './evaluate-level.ts';

/**
 * Evaluates one sample of a stream against all thresholds of a rule, each as `evaluateLevel` does alone. Their one alert
 * begins with the first threshold that fires, has the severity of the worst, and ends with the last.
 */
export function evaluate(
  rule: CompiledRule,
  previous: AlertInstanceState | null,
  lastEvaluatedAt: number | null,
  time: number,
  value: number,
  usualIntervalMs: number,
): Verdict | null {
  const { levels } = rule;
  if (levels.length === 1)
    return evaluateLevel(levels[0], previous, lastEvaluatedAt, time, value, usualIntervalMs);
  if (lastEvaluatedAt !== null && time < lastEvaluatedAt) return null;
  if (previous !== null && time < previous.evaluatedAt) return null;
  const next: Partial<Record<Severity, LevelState>> = {};
  let first: AlertInstanceState | null = null;
  for (const level of levels) {
    const before = stateOf(level.severity, previous);
    const verdict = evaluateLevel(level, before, lastEvaluatedAt, time, value, usualIntervalMs);
    if (!verdict?.next) continue;
    const { state, pendingSince, clearSince } = verdict.next;
    next[level.severity] = { state, pendingSince, clearSince };
    first ??= verdict.next;
  }
  if (first === null) {
    if (previous === null) return null;
    return { next: null, transitions: [isActive(previous) ? 'resolved' : 'cleared'] };
  }
  if (previous === null || !isActive(previous)) return beginOrWait(previous, next, first);
  if (worst(next, 'firing', 'recovering') !== null) return goOn(rule, previous, next, first);
  const waiting = beginOrWait(null, next, first);
  return { next: waiting.next, transitions: ['resolved', ...waiting.transitions] };
}

/** Continues an active alert while at least one threshold fires or recovers. */
function goOn(
  rule: CompiledRule,
  previous: AlertInstanceState,
  levels: Partial<Record<Severity, LevelState>>,
  seen: AlertInstanceState,
): Verdict {
  const state = worst(levels, 'firing') === null ? 'recovering' : 'firing';
  const severity = worst(levels, 'firing', 'recovering') ?? previous.severity;
  const value = seen.value as number;
  const isPeak = previous.peakValue === null || rule.levels[0].isWorse(value, previous.peakValue);
  const refired = previous.state === 'recovering' && state === 'firing';
  const next: AlertInstanceState = {
    ...previous,
    state,
    severity,
    levels,
    clearSince: state === 'recovering' ? (previous.clearSince ?? seen.evaluatedAt) : null,
    evaluatedAt: seen.evaluatedAt,
    value,
    peakValue: isPeak ? value : previous.peakValue,
    flapCount: previous.flapCount + Number(refired),
    missed: 0,
  };
  const transitions: TransitionKind[] = [];
  if (refired) transitions.push('refired');
  else if (previous.state === 'firing' && state === 'recovering') transitions.push('recovering');
  const change = SEVERITIES.indexOf(severity) - SEVERITIES.indexOf(previous.severity);
  if (change !== 0) transitions.push(change < 0 ? 'escalated' : 'eased');
  return { next, transitions };
}

/** Fires with the first threshold that fires; otherwise the instance stays pending since the earliest pending threshold. */
function beginOrWait(
  previous: AlertInstanceState | null,
  levels: Partial<Record<Severity, LevelState>>,
  seen: AlertInstanceState,
): Verdict {
  const severity = worst(levels, 'firing', 'recovering');
  const since = earliest(levels);
  const restarted = previous !== null && since > previous.pendingSince;
  const next: AlertInstanceState = {
    ...seen,
    levels,
    state: severity === null ? 'pending' : 'firing',
    severity: severity ?? worst(levels, 'pending') ?? seen.severity,
    pendingSince: severity === null ? since : (levels[severity] as LevelState).pendingSince,
    clearSince: null,
    flapCount: 0,
    peakValue: seen.value,
    firedAt: severity === null ? null : seen.evaluatedAt,
    valueAtFire: severity === null ? null : seen.value,
  };
  const transitions: TransitionKind[] = restarted ? ['cleared'] : [];
  if (severity !== null) transitions.push('fired');
  else if (previous === null || restarted) transitions.push('pending');
  return { next, transitions };
}

/**
 * The previous state of one threshold. If the rule had a single threshold at its last evaluation, every threshold inherits
 * that state, so that an edited rule keeps its alert.
 */
function stateOf(severity: Severity, instance: AlertInstanceState | null): AlertInstanceState | null {
  if (instance === null) return null;
  if (instance.levels === null) return instance;
  const level = instance.levels[severity];
  return level ? { ...instance, ...level } : null;
}

function worst(
  levels: Partial<Record<Severity, LevelState>>,
  ...states: LevelState['state'][]
): Severity | null {
  return (
    SEVERITIES.find((severity) => states.includes(levels[severity]?.state as LevelState['state'])) ?? null
  );
}

function earliest(levels: Partial<Record<Severity, LevelState>>): number {
  return Math.min(...Object.values(levels).map((level) => level.pendingSince));
}

function isActive(instance: AlertInstanceState): boolean {
  return instance.state !== 'pending';
}
