import { newId } from '@tidewatch/contracts/values/id';
import type { Retention } from '@tidewatch/domain/rollup/tier';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { openStore, type Store, type StoreOptions } from '@tidewatch/store/database/connection';
import { createAnalysisThread } from './analysis/analysis-thread.ts';
import type { investigationSettings } from './investigation-settings.ts';
import { createInvestigator, type Investigator } from './investigator.ts';
import { openExplainer } from './model/explainer.ts';
import { type modelSettings, readModelSettings } from './model/model-settings.ts';

export interface InvestigatorParts {
  lifecycle: Lifecycle;
  config: ConfigOf<typeof investigationSettings & typeof modelSettings>;
  /** Connects as the role of the investigator. */
  database: StoreOptions;
  clock: () => number;
  holder: string;
  retention: Retention;
  publicUrl: string | null;
  metrics: Metrics;
  logger: Logger;
}

/** Limits the load that an investigation puts on the database. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** For the writes of a run, its claim, the queue and the events. */
const MAX_CONNECTIONS = 4;

/** Opens the investigator with its own connections. The caller subscribes it to events and starts it. */
export async function openInvestigator(
  parts: InvestigatorParts,
): Promise<{ investigator: Investigator; store: Store }> {
  const { lifecycle, config, database, clock, metrics, logger, ...known } = parts;
  const settings = readModelSettings(config);
  const address: StoreOptions = {
    ...database,
    applicationName: 'tidewatch-investigator',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  const store = await lifecycle.open(
    'store of the investigator',
    () => openStore({ ...address, max: MAX_CONNECTIONS }),
    (part) => part.close(),
  );
  const analyst = await lifecycle.open(
    'analysis thread',
    () => createAnalysisThread({ ...address, max: config.investigationsAtOnce }),
    (part) => part.close(),
  );
  const { sql, transact } = store;
  const explainer =
    settings === null ? null : await openExplainer({ settings, transact, clock, newId, logger, metrics });
  const investigator = createInvestigator({
    ...known,
    sql,
    clock,
    newId,
    metrics,
    logger,
    analyst,
    explainer,
    atOnce: config.investigationsAtOnce,
    maxPeers: config.investigationsPeers,
    severityFloor: config.investigationsSeverity,
  });
  return { investigator, store };
}
