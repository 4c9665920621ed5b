import { hostname } from 'node:os';
import { SERVICE_NAMES, type ServiceName } from '@tidewatch/contracts/system/service-names';
import type { Request, Response, Router } from 'express';
import type { Endpoint } from '../http/allowed-methods.ts';
import type { FirstRoute } from '../http/app.ts';
import type { Checks } from '../http/readiness.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { CommitSignal } from './commit-signal.ts';

export { SERVICE_NAMES, type ServiceName };

/** The parts that every backend service receives, in a process of its own or beside others. */
export interface ServiceEnvironment {
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  /** Identifies this process in leases. */
  holder: string;
  metrics: Metrics;
  logger: Logger;
  /** Announces what parts of this process commit; absent where other processes commit as well. */
  commits?: CommitSignal;
}

/** The environment of services that run in this process. */
export function environmentOf({ metrics, logger }: Pick<ServiceEnvironment, 'metrics' | 'logger'>) {
  const environment: ServiceEnvironment = {
    clock: Date.now,
    holder: `${hostname()}/${process.pid}`,
    metrics,
    logger,
  };
  return environment;
}

/** The phases of a start, in their order. A stop goes through them backwards. */
export const PHASES = ['before the bus', 'after the bus', 'after the server'] as const;

/** A part of a service that works between start and stop. */
export interface ServicePart {
  name: string;
  /** The phase of the start in which this part starts; parts stop in reverse order. */
  starts: (typeof PHASES)[number];
  start?(): Promise<unknown> | unknown;
  stop?(): Promise<void> | void;
}

/** A backend service, opened and not started. Its consumers are subscribed to the bus, its metrics registered. */
export interface BackendService {
  parts: readonly ServicePart[];
  /** The HTTP endpoints of the service and what answers them. */
  http?: {
    /** Routes that stand before the routers of all services. */
    first?: readonly FirstRoute[];
    router: Router;
    endpoints: readonly Endpoint[];
    /** Answers a path that does not exist in another form than a problem document; returns false to leave it. */
    answerNotFound?: (request: Request, response: Response) => boolean;
  };
  /** Checks of the parts without which the service does not work. */
  missing: Checks;
  /** Checks of the parts without which the service still works, with restrictions. */
  degraded: Checks;
  /** Further fields that `/readyz` reports. */
  details?: Record<string, unknown>;
}
