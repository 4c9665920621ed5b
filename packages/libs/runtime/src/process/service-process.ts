import { openAdminServer } from '../http/admin-server.ts';
import { createApiServer } from '../http/api-server.ts';
import { type Checks, createReadiness } from '../http/readiness.ts';
import {
  type ConfigOf,
  describeConfig,
  type Environment,
  readConfig,
  type Settings,
} from '../settings/config.ts';
import type { httpSettings } from '../settings/http-settings.ts';
import { warnOfUnknownSettings } from '../settings/misspelt-settings.ts';
import type { processSettings } from '../settings/process-settings.ts';
import { keepSecretPrivate } from '../settings/secret-files.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { BackendService, ServiceName } from './backend-service.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type ProcessRegistry, reportProcess } from './report-process.ts';
import { run } from './run.ts';
import { type Openable, startServices } from './start-services.ts';

export interface ServiceParts<S extends Settings> {
  lifecycle: Lifecycle;
  config: ConfigOf<S>;
  logger: Logger;
  metrics: Metrics;
}

/** An opened service together with the parts that only its own process has. */
export interface OwnProcess {
  service: BackendService;
  /** Where the process reports itself. */
  processes: ProcessRegistry;
  /** The bus of the process; absent if the service uses none. */
  bus?: Openable;
  /** The settings of the HTTP server; absent if the service has no API. */
  http?: ConfigOf<typeof httpSettings>;
  /** Checks of the bus and the database of this process. */
  missing?: Checks;
  degraded?: Checks;
}

export interface ServiceProcessOptions<S extends Settings> {
  /** The role of the process, which every line of its log carries. */
  name: ServiceName;
  /** The description of the process in `--help`, one sentence. */
  title: string;
  settings: S;
  process: Pick<NodeJS.Process, 'on' | 'exit' | 'argv' | 'stdout'> & { env: Environment };
  /** Opens the service in its environment, and starts nothing. */
  open(parts: ServiceParts<S>): Promise<OwnProcess>;
}

/** Runs one service as a process of its own: settings, log, metrics, health on the admin port, then the service. */
export async function runService<S extends Settings & typeof processSettings>(
  options: ServiceProcessOptions<S>,
): Promise<void> {
  const { name, settings, process: host } = options;
  if (host.argv.includes('--help')) {
    host.stdout.write(describeConfig(options.title, settings));
    host.exit(0);
  }
  const level = host.env.TIDEWATCH_LOG_LEVEL || 'info';
  const logger = createLogger({ name, level, pretty: host.stdout.isTTY === true });
  await run({
    process: host,
    logger,
    async start(lifecycle) {
      const config = readConfig(settings, host.env, (file) => keepSecretPrivate(file, logger));
      warnOfUnknownSettings(host.env, logger);
      const metrics = await lifecycle.openClosable('metrics', createMetrics);
      const details = { topology: 'distributed', role: name, versions: { node: process.version } };
      const unavailable = (reason: string) =>
        createReadiness({ missing: { process: () => [reason] }, degraded: {}, details, logger });
      let readiness = unavailable('it is starting');
      await lifecycle.open(
        'admin server',
        () => openAdminServer({ config: config as never, logger, metrics, readiness: () => readiness() }),
        (server) => server.close(1_000),
      );
      const { service, processes, bus, http, missing, degraded } = await options.open({
        lifecycle,
        config,
        logger,
        metrics,
      });
      const server = http && createApiServer({ services: [service], http, logger, metrics });
      await startServices(lifecycle, { services: { [name]: service }, bus, server, logger });
      readiness = createReadiness({
        missing: { ...missing, ...service.missing },
        degraded: { ...degraded, ...service.degraded },
        details: { ...details, ...service.details },
        logger,
      });
      await reportProcess(lifecycle, {
        registry: processes,
        roles: [name],
        readiness: () => readiness(),
        metrics,
        logger,
      });
      lifecycle.defer('readiness', () => {
        readiness = unavailable('it is stopping');
      });
      logger.info('ready');
    },
  });
}
