import type { Severity } from '@tidewatch/contracts/values/severity';
import type { TransitionKind } from '@tidewatch/domain/alerting/alert-instance-state';
import type { ServiceHappening } from '@tidewatch/domain/event/service-event';
import type { TransitionWrite } from '@tidewatch/store/alerts/transitions';
import type { AlertChange } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { MonitoredHost } from '../memory/monitored-host.ts';

export type AlertEventKind = 'fired' | 'escalated' | 'flapping' | 'resolved';

/** An event of an alert. `flapping` is the highest severity that flaps, for the event of that kind only. */
export interface StagedAlertEvent {
  kind: AlertEventKind;
  rule: AlertInstance['rule'];
  flapping: Severity | null;
}

/** An event that is emitted after the rows are written, with the alert in its stored form. */
export type StagedEvent =
  | (StagedAlertEvent & { row: AlertRow })
  | (StagedAlertEvent & { alertId: string })
  | { kind: ServiceHappening; service: MonitoredHost };

export interface RuleCounts {
  organizationId: string;
  pending: number;
  firing: number;
}

/** Everything that one transaction stores and emits: collected during evaluation, written once at its end. */
export class Changes {
  readonly instances = new Set<AlertInstance>();
  /** Alerts to insert, by id. */
  readonly newAlerts = new Map<string, AlertRow>();
  /** Updates of stored alerts, by id. */
  readonly changedAlerts = new Map<string, AlertChange>();
  readonly services = new Set<MonitoredHost>();
  /** Hosts that were archived or came back. */
  readonly archived = new Set<MonitoredHost>();
  /** Alert instances whose flap log changed. */
  readonly flapped = new Set<AlertInstance>();
  readonly steps: TransitionWrite[] = [];
  readonly events: StagedEvent[] = [];
  readonly ruleCounts = new Map<string, RuleCounts>();
  readonly transitions = new Map<string, number>();
  evaluatedInstances = 0;
  /** Breaches that began no alert instance because their organization has reached its limit. */
  heldBack = 0;
  /**
   * The work of the transaction so far, in evaluations without a transition; one with a transition counts as
   * `WORK_OF_A_STEP`.
   */
  work = 0;
  lateInstances = 0;
  skewedPayloads = 0;
  /** Hosts whose clock was set back, and whose evaluated time or end of the step is to be stored. */
  readonly stepped = new Set<MonitoredHost>();
  /** How often a clock was detected as set back. */
  clockSteps = 0;

  countTransition(kind: TransitionKind): void {
    this.transitions.set(kind, (this.transitions.get(kind) ?? 0) + 1);
  }

  /** Updates the rule’s numbers of pending and active alert instances after a change of state. */
  moveCounts(
    rule: AlertInstance['rule'],
    before: AlertInstance['state'],
    after: AlertInstance['state'],
  ): void {
    const pending = Number(after?.state === 'pending') - Number(before?.state === 'pending');
    const firing = Number(isActive(after)) - Number(isActive(before));
    if (pending === 0 && firing === 0) return;
    const known = this.ruleCounts.get(rule.id);
    if (known) {
      known.pending += pending;
      known.firing += firing;
    } else {
      this.ruleCounts.set(rule.id, { organizationId: rule.organizationId, pending, firing });
    }
  }
}

function isActive(state: AlertInstance['state']): boolean {
  return state !== null && state.state !== 'pending';
}
