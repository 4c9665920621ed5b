import type { Severity } from '@tidewatch/contracts/values/severity';
import type { TransitionKind } from '@tidewatch/domain/alerting/alert-instance-state';
import type { ServiceHappening } from '@tidewatch/domain/event/service-event';
import type { TransitionWrite } from '@tidewatch/store/alerts/transitions';
import type { AlertChange } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';

export type AlertEventKind = 'fired' | 'escalated' | 'flapping' | 'resolved';

/** What happened to an alert; `flapping` is the worst severity that flaps where that is what happened. */
export interface StagedAlertEvent {
  kind: AlertEventKind;
  rule: AlertInstance['rule'];
  flapping: Severity | null;
}

/** What is told once the rows are written; what happens to an older alert is told from its row. */
export type StagedEvent =
  | (StagedAlertEvent & { row: AlertRow })
  | (StagedAlertEvent & { alertId: string })
  | { kind: ServiceHappening; service: EvaluatedService };

export interface RuleCounts {
  organizationId: string;
  pending: number;
  firing: number;
}

/** What one transaction has to store and tell; gathered while evaluating, written once at its end. */
export class Changes {
  readonly instances = new Set<AlertInstance>();
  /** Alerts that are to be inserted as they stand at the end, by their ids. */
  readonly newAlerts = new Map<string, AlertRow>();
  /** What changes of alerts that are stored, by their ids. */
  readonly changedAlerts = new Map<string, AlertChange>();
  readonly services = new Set<EvaluatedService>();
  /** Services that were archived, or are back. */
  readonly archived = new Set<EvaluatedService>();
  /** Alert instances that flapped. */
  readonly flapped = new Set<AlertInstance>();
  readonly steps: TransitionWrite[] = [];
  readonly events: StagedEvent[] = [];
  readonly ruleCounts = new Map<string, RuleCounts>();
  readonly transitions = new Map<string, number>();
  evaluatedInstances = 0;
  /** Alert instances that began nothing, since their organization has reached its limit. */
  heldBack = 0;
  /** What evaluating cost so far, in evaluations of an alert instance that takes no step (`WORK_OF_A_STEP`). */
  work = 0;
  lateInstances = 0;
  skewedPayloads = 0;
  /** Hosts whose clock was found to have been set back. */
  clockSteps = 0;

  countTransition(kind: TransitionKind): void {
    this.transitions.set(kind, (this.transitions.get(kind) ?? 0) + 1);
  }

  /** Keeps a rule's numbers of pending and active alert instances in step with an alert instance that moved from one state to another. */
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
