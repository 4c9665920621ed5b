import { newId } from '@tidewatch/contracts/values/id';
import { logFaults } from '@tidewatch/destinations/log-faults';
import { createSender } from '@tidewatch/destinations/sender';
import { openEvaluator } from '@tidewatch/evaluator/open-evaluator';
import { openGateway } from '@tidewatch/gateway/open-gateway';
import { openInvestigatorStore } from '@tidewatch/investigator/investigator-store';
import { openInvestigator } from '@tidewatch/investigator/open-investigator';
import { createPace } from '@tidewatch/investigator/run/pace';
import { openNotifier } from '@tidewatch/notifier/open-notifier';
import { openQueryApi } from '@tidewatch/query-api/open-query-api';
import { openKeyAccess } from '@tidewatch/runtime/auth/key-access';
import { createAdmission } from '@tidewatch/runtime/http/admission';
import { createApiServer } from '@tidewatch/runtime/http/api-server';
import { openSampleBuckets } from '@tidewatch/runtime/limits/sample-buckets';
import { COUNTED_ALONE } from '@tidewatch/runtime/limits/shared-limit';
import {
  type BackendService,
  environmentOf,
  SERVICE_NAMES,
  type ServiceName,
} from '@tidewatch/runtime/process/backend-service';
import { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import { adaptHeapGrowth } from '@tidewatch/runtime/process/heap-growth';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { reportProcess } from '@tidewatch/runtime/process/report-process';
import { startServices } from '@tidewatch/runtime/process/start-services';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import { openWriter, type WriterEnvironment } from '@tidewatch/writer/open-writer';
import { openBus } from './bus.ts';
import type { StandaloneConfig } from './config.ts';
import { databaseHome } from './data-directory/data-directory.ts';
import { readDisk, watchDisk } from './disk-guard.ts';
import { createHealth } from './health.ts';
import { type PreparedKeys, prepareKeysAndRules } from './keys/prepare-keys.ts';
import type { OpenData } from './open-data.ts';

export interface RunningProduct extends PreparedKeys {
  /** The address of the API, such as `http://127.0.0.1:8230`. */
  url: string;
  metrics: Metrics;
}

/** What is no setting of the product: how often a log of samples is sealed, and how long after a start first. */
export type ProductOptions = Pick<WriterEnvironment, 'sealIntervalMs' | 'upkeepAfterMs'>;

/** How long after a start samples are sealed first and old data removed, ms: the evaluator reads the states of its alerts meanwhile. */
const UPKEEP_AFTER_MS = 5_000;

/** Starts the whole product on its data in one process. This function lists all parts of the system. */
export async function startProduct(
  lifecycle: Lifecycle,
  given: StandaloneConfig,
  { database, secrets }: OpenData,
  logger: Logger,
  options: ProductOptions = {},
): Promise<RunningProduct> {
  // Messages link to pages that are served here, if any are.
  const config = { ...given, hasConsole: given.hasConsole && given.consoleDirectory !== undefined };
  await lifecycle.open('heap growth', adaptHeapGrowth, (stop) => stop());
  const metrics = await lifecycle.openClosable('metrics', createMetrics);
  const prepared = await database.asAdmin((sql) => prepareKeysAndRules(sql, config, logger));
  const environment = { ...environmentOf({ metrics, logger }), commits: new CommitSignal() };
  const { clock } = environment;
  const { ingest, query } = database;
  const bus = openBus({ ...environment, store: ingest });
  const sender = await lifecycle.openClosable('sender', () =>
    createSender({ ...readDestinationOptions(config), clock, ...logFaults(logger) }),
  );
  const keys = await openKeyAccess(lifecycle, {
    ...environment,
    keys: keySource(query.sql),
    record: (uses) => recordKeyUses(query.sql, uses),
  });
  const admission = createAdmission();
  await lifecycle.open(
    'disk guard',
    () => watchDisk(databaseHome(config.dataDirectory), config, admission, logger),
    (stop) => stop(),
  );

  const samples = openSampleBuckets(config.samplesPerMinute, undefined);
  const consuming = { ...environment, bus, config, sql: ingest.sql };
  const answering = { ...environment, bus, config, sql: query.sql, keys, limit: COUNTED_ALONE, samples };
  // Evaluator and writer share transactions, and therefore the directory of services.
  const directory = new ServiceDirectory({ newId, clock });
  const services: Record<ServiceName, BackendService> = {
    evaluator: openEvaluator({ ...consuming, directory }),
    writer: await openWriter({ ...consuming, upkeepAfterMs: UPKEEP_AFTER_MS, ...options, directory }),
    notifier: openNotifier({ ...consuming, secrets, sender }),
    investigator: await openInvestigator({
      ...consuming,
      store: await openInvestigatorStore(lifecycle, database.ingestAddress),
      pace: createPace(() => performance.now()),
    }),
    gateway: openGateway({ ...answering, admission, storedWithinMs: 0 }),
    'query-api': openQueryApi({
      ...answering,
      shares: database.queryShares,
      secrets,
      sender,
      starterRules: config.starterRules,
      topology: 'embedded',
    }),
  };
  const health = createHealth({ services, bus, database, metrics, logger });
  const server = createApiServer({
    ...environment,
    services: [services.gateway, services['query-api'], health],
    http: config,
  });
  await startServices(lifecycle, { services, bus, server, logger });
  await reportProcess(lifecycle, {
    registry: createProcessRegistry(ingest.sql),
    roles: SERVICE_NAMES,
    readiness: health.readiness,
    disk: () => readDisk(databaseHome(config.dataDirectory)),
    metrics,
    logger,
  });
  return { ...prepared, url: server.url(), metrics };
}
