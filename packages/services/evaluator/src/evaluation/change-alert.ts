import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import type { AlertTerms } from '@tidewatch/store/alerts/write';
import type { AlertInstance } from '../memory/alert-instance.ts';
import { sameTerms, termsOf } from '../rules/alert-terms.ts';
import type { Evaluation } from './evaluation.ts';

/** Stages an update of the alert to the given state and the present terms of its rule. */
export function changeAlert(
  evaluation: Evaluation,
  instance: AlertInstance,
  state: AlertInstanceState,
): void {
  const before = instance.terms;
  if (before === null) return;
  const terms = termsOf(instance.rule, state.severity);
  const edited = !sameTerms(before, terms);
  if (edited) {
    if (before.severity !== terms.severity) evaluation.changes.services.add(instance.service);
    instance.terms = terms;
  }
  const { value, peakValue, flapCount } = state;
  const phase = state.state === 'recovering' ? 'recovering' : 'firing';
  stageAlertChange(evaluation, instance, {
    state: phase,
    value,
    peakValue,
    flapCount,
    resolvedAt: null,
    resolution: null,
    terms: edited ? terms : null,
  });
}

/** The fields of an alert that change. Null `terms` leave those of the alert as they are. */
interface AlertStage {
  state: 'firing' | 'recovering' | 'resolved';
  value: number | null;
  peakValue: number | null;
  flapCount: number;
  resolvedAt: number | null;
  resolution: Resolution | null;
  terms: AlertTerms | null;
}

export function stageAlertChange(
  evaluation: Evaluation,
  { alertId: id, service }: AlertInstance,
  changed: AlertStage,
): void {
  if (id === null) return;
  const { newAlerts, changedAlerts } = evaluation.changes;
  const row = newAlerts.get(id);
  if (!row) {
    const { organizationId } = service;
    const former = changedAlerts.get(id);
    const terms = changed.terms ?? former?.terms ?? null;
    const { mute = null, confirmedAt = null } = former ?? {};
    changedAlerts.set(id, {
      organizationId,
      id,
      ...changed,
      terms,
      mute,
      confirmedAt,
      updatedAt: evaluation.now,
    });
    return;
  }
  Object.assign(row, {
    status: changed.state === 'resolved' ? 'resolved' : 'active',
    state: changed.state,
    value: changed.value,
    peak_value: changed.peakValue,
    flap_count: changed.flapCount,
    resolved_at: changed.resolvedAt,
    resolution: changed.resolution,
    updated_at: evaluation.now,
  });
  if (!changed.terms) return;
  const { version, severity, condition, threshold, thresholdMax } = changed.terms;
  Object.assign(row, { rule_version: version, severity, condition, threshold, threshold_max: thresholdMax });
}
