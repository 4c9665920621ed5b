import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { Trial, type TrialAlert } from '@tidewatch/domain/preview/trial';
import { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { HostHistory } from './read-history.ts';

export interface TriedHost {
  host: string;
  alerts: TrialAlert[];
}

/** The alerts that a rule would have fired on these values, by the function that evaluates live. */
export function tryRule(definition: RuleDefinition, hosts: readonly HostHistory[]): TriedHost[] {
  const rule = new CompiledRule({ id: 'rul_trial', organizationId: 'org_trial', version: 1, definition });
  return hosts.map(({ host, times, values }) => {
    const alerts: TrialAlert[] = [];
    // The scope has chosen the hosts. Tags are not known here, so that exceptions by tags are left to the exact preview.
    const own = rule.forHost(host, {}) ?? rule;
    const trial = new Trial(new TrialRules(own), { fired: () => {}, alert: (alert) => alerts.push(alert) });
    for (const [place, time] of times.entries()) {
      const value = values[place] as number;
      trial.take(time, value, value, value, Number.NEGATIVE_INFINITY);
    }
    trial.finish();
    return { host, alerts };
  });
}
