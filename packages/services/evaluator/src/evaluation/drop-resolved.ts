import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { Evaluation } from './evaluation.ts';

/**
 * Drops the states of alerts that users resolved, so that the next breach begins a new alert. The rows and events of these
 * alerts are already written; states, counts of rules and health are not.
 */
export function dropResolved(
  evaluation: Evaluation,
  service: EvaluatedService,
  alertIds: ReadonlySet<string>,
): void {
  const { changes } = evaluation;
  for (const stream of service.streams.values()) {
    let isChanged = false;
    for (const instance of stream.instances) {
      const { alertId } = instance;
      if (alertId === null || !alertIds.has(alertId)) continue;
      changes.moveCounts(instance.rule, instance.state, null);
      changes.countTransition('resolved');
      instance.state = null;
      instance.alertId = null;
      instance.terms = null;
      instance.unconfirmed = false;
      evaluation.dirtyInstances.delete(instance);
      changes.instances.add(instance);
      changes.services.add(service);
      isChanged = true;
    }
    if (isChanged) stream.settle();
  }
}
