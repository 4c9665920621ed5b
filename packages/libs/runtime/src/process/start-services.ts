import type { Logger } from '../telemetry/logger.ts';
import { type BackendService, PHASES, SERVICE_NAMES, type ServiceName } from './backend-service.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A part that is opened once and closed once: the bus of the process, or its server. */
export interface Openable {
  start(): Promise<unknown>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** The opened services: only one in a process of its own, all of them in a single process. */
  services: Readonly<Partial<Record<ServiceName, BackendService>>>;
  /** The bus; absent if the service of this process uses none. */
  bus?: Openable | undefined;
  /** The HTTP server, opened after every part that answers requests. Absent if the services of this process answer none. */
  server?: Openable | undefined;
  logger: Logger;
}

/** The name of a part in the log: service and part. */
const nameOf = (service: ServiceName, part: string) => `${service}: ${part}`;

/**
 * Starts opened services with the bus and the server that they share: in the order of PHASES, and within a phase in the
 * order of SERVICE_NAMES and of the parts of each. The lifecycle stops everything in reverse.
 */
export async function startServices(lifecycle: Lifecycle, options: StartOptions): Promise<void> {
  const { services, bus, server, logger } = options;
  const opened = SERVICE_NAMES.flatMap((name) => {
    const service = services[name];
    return service === undefined ? [] : [{ name, service }];
  });
  for (const phase of PHASES) {
    if (phase === 'after the bus' && bus)
      await lifecycle.open(
        'bus',
        () => bus.start(),
        () => bus.close(),
      );
    if (phase === 'after the server' && server)
      await lifecycle.open(
        'http server',
        () => server.start(),
        () => server.close(),
      );
    for (const { name, service } of opened)
      for (const { starts, name: part, start, stop } of service.parts) {
        if (starts !== phase) continue;
        await lifecycle.open(
          nameOf(name, part),
          () => start?.(),
          () => stop?.(),
        );
      }
  }
  for (const { name, service } of opened)
    logger.debug(
      { service: name, missing: Object.keys(service.missing), degraded: Object.keys(service.degraded) },
      'registered readiness checks',
    );
}
