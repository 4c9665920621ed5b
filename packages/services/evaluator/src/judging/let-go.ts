import type { JudgedService } from '../memory/judged-service.ts';
import type { Judging } from './apply-verdict.ts';

/**
 * Lets go of an alert that somebody resolved, so that the next breach begins anew; nothing where judging has ended it
 * already. Its row and its event are written: what is left are the state, the rule's counts and the service's health.
 */
export function letGo(judging: Judging, service: JudgedService, alertId: string): void {
  const { changes } = judging;
  for (const stream of service.streams.values()) {
    const pair = stream.pairs.find((each) => each.alertId === alertId);
    if (!pair) continue;
    changes.moveCounts(pair.rule, pair.state, null);
    changes.countTransition('resolved');
    pair.state = null;
    pair.alertId = null;
    pair.terms = null;
    pair.unconfirmed = false;
    judging.dirtyPairs.delete(pair);
    changes.pairs.add(pair);
    changes.services.add(service);
    stream.settle();
    return;
  }
}
