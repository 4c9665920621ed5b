import type { JudgedService } from '../memory/judged-service.ts';
import type { Judging } from './apply-verdict.ts';

/**
 * Lets go of alerts that somebody resolved, so that the next breach begins anew; nothing where judging has ended them
 * already. Their rows and events are written: what is left are the states, the rules' counts and the service's health.
 */
export function letGo(judging: Judging, service: JudgedService, alertIds: ReadonlySet<string>): void {
  const { changes } = judging;
  for (const stream of service.streams.values()) {
    let isChanged = false;
    for (const pair of stream.pairs) {
      const { alertId } = pair;
      if (alertId === null || !alertIds.has(alertId)) continue;
      changes.moveCounts(pair.rule, pair.state, null);
      changes.countTransition('resolved');
      pair.state = null;
      pair.alertId = null;
      pair.terms = null;
      pair.unconfirmed = false;
      judging.dirtyPairs.delete(pair);
      changes.pairs.add(pair);
      changes.services.add(service);
      isChanged = true;
    }
    if (isChanged) stream.settle();
  }
}
