import type { Bus } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import type { Transaction } from '@tidewatch/database/connection';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { consoleUrl } from '@tidewatch/runtime/settings/console-settings';
import { retentionMs } from '@tidewatch/runtime/settings/retention-settings';
import { createAnalysisThread } from './analysis/analysis-thread.ts';
import type { investigatorSettings } from './config.ts';
import { createInvestigator } from './investigator.ts';
import type { InvestigatorStore } from './investigator-store.ts';
import { openExplainer } from './model/explainer.ts';
import { readModelSettings } from './model/model-settings.ts';
import type { Pace } from './run/pace.ts';

export interface InvestigatorEnvironment extends ServiceEnvironment {
  bus: Pick<Bus<Transaction>, 'subscribe'>;
  store: InvestigatorStore;
  config: ConfigOf<typeof investigatorSettings>;
  pace: Pace;
}

/** The investigator: consumes events, opens investigations, and runs them in a thread. */
export async function openInvestigator(environment: InvestigatorEnvironment): Promise<BackendService> {
  const { bus, store, config, pace, ...shared } = environment;
  const { sql, transact } = store;
  const settings = readModelSettings(config);
  const analyst = createAnalysisThread({ ...store.address, max: config.investigationsAtOnce });
  const explainer = settings === null ? null : await openExplainer({ ...shared, settings, transact, newId });
  const investigator = createInvestigator({
    ...shared,
    sql,
    newId,
    analyst,
    explainer,
    retention: retentionMs(config),
    publicUrl: consoleUrl(config),
    atOnce: config.investigationsAtOnce,
    pace,
    maxPeers: config.investigationsPeers,
    severityFloor: config.investigationsSeverity,
  });
  bus.subscribe(TOPICS.events, investigator.consumer);
  return {
    parts: [
      { name: 'analysis thread', starts: 'before the bus', stop: analyst.close },
      { name: 'runs', starts: 'before the bus', start: investigator.start, stop: investigator.stop },
    ],
    missing: { investigations: investigator.reasons },
    degraded: {},
  };
}
