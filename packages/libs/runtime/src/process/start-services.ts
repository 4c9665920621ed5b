import type { Logger } from '../telemetry/logger.ts';
import { type BackendService, PHASES, SERVICE_NAMES, type ServiceName } from './backend-service.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A part of the process that services share, the bus or the HTTP server: opened once and closed once. */
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

/** The name of a part in the log, made of the service and the part. */
const nameOf = (service: ServiceName, part: string) => `${service}: ${part}`;

/**
 * Starts opened services with their shared bus and server, in the order of PHASES, then of SERVICE_NAMES, then of the parts
 * of each service. The lifecycle stops everything in reverse.
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
