import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type {
  AlertInstanceState,
  TransitionKind,
  Verdict,
} from '@tidewatch/domain/alerting/alert-instance-state';
import type { AlertPhase, LogPlace, SampleReference } from '@tidewatch/store/alerts/transitions';
import type { AlertInstance } from '../memory/alert-instance.ts';
import { sameTerms, termsOf } from '../rules/alert-terms.ts';
import { alertRowOf } from './alert-row.ts';
import { changeAlert, stageAlertChange } from './change-alert.ts';
import { countFlap } from './count-flap.ts';
import type { Cause, Evaluation } from './evaluation.ts';
import { mute } from './mute.ts';
import { stageAlertEvent } from './stage-alert-event.ts';

/** How far the stored evaluated time may lag behind if nothing else of the alert instance changes. */
const MAX_LAG_MS = MINUTE_MS;

const STEPS = {
  recovering: { from: 'firing', to: 'recovering', reason: 'clear' },
  refired: { from: 'recovering', to: 'firing', reason: 'breach' },
  escalated: { from: 'firing', to: 'firing', reason: 'escalated' },
  eased: { from: 'firing', to: 'firing', reason: 'eased' },
} as const;
const CHANGES_OF_AN_ALERT: ReadonlySet<TransitionKind> = new Set([
  'recovering',
  'refired',
  'escalated',
  'eased',
]);

/** Applies a verdict to the alert instance in memory and stages what has to be written. */
export function applyVerdict(
  evaluation: Evaluation,
  instance: AlertInstance,
  verdict: Verdict,
  cause: Cause,
): void {
  const { changes } = evaluation;
  const before = instance.state;
  let { opened } = instance;
  const state = verdict.next;
  if (before === null && verdict.transitions.length > 0) evaluation.endFormer(instance);
  instance.state = state;
  if (verdict.transitions.length === 0) {
    if (state) settle(evaluation, instance, before, state, cause);
    return;
  }
  changes.instances.add(instance);
  changes.moveCounts(instance.rule, before, state);
  const sample = { at: cause.at, value: cause.value, place: cause.origin?.place ?? null };
  for (const kind of verdict.transitions) {
    changes.countTransition(kind);
    if (kind === 'pending') opened = sample;
    else if (kind === 'cleared') opened = null;
    if (kind === 'fired' && state) fire(evaluation, instance, state, opened, cause);
    else if (CHANGES_OF_AN_ALERT.has(kind) && state) {
      changeAlert(evaluation, instance, state);
      step(evaluation, instance, { ...STEPS[kind as keyof typeof STEPS] }, cause);
    } else if (kind === 'resolved' && before) resolve(evaluation, instance, before, cause);
    if ((kind === 'escalated' || kind === 'eased') && instance.alertId !== null && instance.terms !== null) {
      mute(evaluation, instance, instance.alertId, instance.terms.severity);
      if (kind === 'escalated') stageAlertEvent(changes, 'escalated', instance, instance.alertId);
    }
    if (kind === 'refired' && state) countFlap(changes, instance, cause.at, state.severity);
  }
  instance.opened = opened;
}

/** Confirms an alert that an old sample fired: a fresh sample breaches too, so it is notified like any other. */
export function confirm(
  evaluation: Evaluation,
  instance: AlertInstance,
  cause: Pick<Cause, 'at' | 'value' | 'origin'>,
): void {
  const { alertId, state } = instance;
  if (alertId === null || state === null) return;
  instance.unconfirmed = false;
  changeAlert(evaluation, instance, state);
  step(evaluation, instance, { from: state.state, to: state.state, reason: 'confirmed' }, cause);
  const { newAlerts, changedAlerts } = evaluation.changes;
  const [row, change] = [newAlerts.get(alertId), changedAlerts.get(alertId)];
  if (row) row.confirmed_at = evaluation.now;
  else if (change) change.confirmedAt = evaluation.now;
}

/** Ends an alert instance whose rule or host is gone, at the server’s time. */
export function endInstance(evaluation: Evaluation, instance: AlertInstance, resolution: Resolution): void {
  const { state } = instance;
  if (!state) return;
  const { changes } = evaluation;
  instance.state = null;
  changes.instances.add(instance);
  changes.moveCounts(instance.rule, state, null);
  changes.countTransition(state.state === 'pending' ? 'cleared' : 'resolved');
  const at = evaluation.now;
  const cause = { at, value: state.value, payload: null, origin: null, backfilled: () => false, resolution };
  resolve(evaluation, instance, state, cause);
}

function fire(
  evaluation: Evaluation,
  instance: AlertInstance,
  state: AlertInstanceState,
  opened: SampleReference | null,
  cause: Cause,
): void {
  const { changes } = evaluation;
  const row = alertRowOf(instance, state, evaluation.newAlertId(), cause, evaluation.now);
  instance.alertId = row.id;
  instance.terms = termsOf(instance.rule, state.severity);
  instance.shadow = row.shadow;
  instance.unconfirmed = row.backfilled;
  changes.newAlerts.set(row.id, row);
  mute(evaluation, instance, row.id, instance.terms.severity);
  changes.services.add(instance.service);
  if (opened) {
    const opening = { ...cause, ...opened, origin: null };
    step(evaluation, instance, { from: 'inactive', to: 'pending', reason: 'breach' }, opening);
  }
  const from = opened ? 'pending' : 'inactive';
  step(evaluation, instance, { from, to: 'firing', reason: state.noData ? 'no_data' : 'breach' }, cause);
  stageAlertEvent(changes, 'fired', instance, row.id);
}

/** Stages one transition of the alert. */
function step(
  evaluation: Evaluation,
  instance: AlertInstance,
  { from, to, reason }: { from: AlertPhase; to: AlertPhase; reason: string },
  { at, value, origin, place }: Pick<Cause, 'at' | 'value' | 'origin'> & { place?: LogPlace | null },
): void {
  const { alertId, service } = instance;
  if (alertId === null) return;
  evaluation.changes.steps.push({
    organizationId: service.organizationId,
    alertId,
    from,
    to,
    reason,
    sample: { at, value, place: place ?? origin?.place ?? null },
    receivedAt: origin?.receivedAt ?? null,
    publishedAt: origin?.publishedAt ?? null,
    consumedAt: origin?.consumedAt ?? null,
    createdAt: evaluation.now,
  });
}

function settle(
  evaluation: Evaluation,
  instance: AlertInstance,
  before: AlertInstanceState | null,
  state: AlertInstanceState,
  cause: Cause,
): void {
  const { terms } = instance;
  if (terms !== null && !sameTerms(terms, termsOf(instance.rule, state.severity))) {
    // Read here alone, since the id is made from numbers each time.
    const { alertId } = instance;
    if (alertId !== null) {
      changeAlert(evaluation, instance, state);
      if (state.severity !== terms.severity)
        changeSeverity(evaluation, instance, alertId, terms.severity, cause);
    }
  }
  if (before !== null && before.missed !== state.missed) evaluation.changes.instances.add(instance);
  const moved = before === null || before.value !== state.value || before.peakValue !== state.peakValue;
  if (instance.dirty || (!moved && state.evaluatedAt - instance.storedAt < MAX_LAG_MS)) return;
  instance.dirty = true;
  evaluation.dirtyInstances.add(instance);
}

/** Changes the severity of an alert after an edit of its rule. A higher severity is emitted as an escalation. */
function changeSeverity(
  evaluation: Evaluation,
  instance: AlertInstance,
  alertId: string,
  before: Severity,
  cause: Cause,
): void {
  const severity = instance.terms?.severity ?? before;
  const kind = SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(before) ? 'escalated' : 'eased';
  step(evaluation, instance, { ...STEPS[kind] }, cause);
  mute(evaluation, instance, alertId, severity);
  if (kind === 'escalated') stageAlertEvent(evaluation.changes, 'escalated', instance, alertId);
}

function resolve(
  evaluation: Evaluation,
  instance: AlertInstance,
  state: AlertInstanceState,
  cause: Cause,
): void {
  const { alertId, rule, terms: before } = instance;
  if (alertId === null || before === null) return;
  const { changes } = evaluation;
  const { value, resolution = 'recovered' } = cause;
  const terms = termsOf(rule, state.severity);
  stageAlertChange(evaluation, instance, {
    state: 'resolved',
    value,
    peakValue: worse(instance, value, state.peakValue),
    flapCount: state.flapCount,
    // A missing-data alert fires by the pipeline clock, and may be ended by a sample of a host whose clock is behind; the
    // alert must not end before it fired.
    resolvedAt: Math.max(cause.at, state.firedAt ?? cause.at),
    resolution,
    terms: resolution === 'recovered' && !sameTerms(before, terms) ? terms : null,
  });
  changes.services.add(instance.service);
  step(evaluation, instance, { from: state.state, to: 'resolved', reason: resolution }, cause);
  stageAlertEvent(changes, 'resolved', instance, alertId);
  if (resolution === 'recovered') countFlap(changes, instance, cause.at, state.severity);
  instance.alertId = null;
  instance.terms = null;
  instance.unconfirmed = false;
}

function worse({ rule }: AlertInstance, value: number | null, than: number | null): number | null {
  if (value === null || than === null) return value ?? than;
  return rule.levels[0].isWorse(value, than) ? value : than;
}
