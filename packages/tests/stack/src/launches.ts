import type { ServiceName } from '@tidewatch/runtime/process/backend-service';
import type { StackArguments } from './arguments.ts';

/** The group role of the database that a service logs in to. */
export type Login = 'writer' | 'evaluator' | 'notifier' | 'investigator' | 'api';

export interface Launch {
  /** The number of processes of the service. */
  count: number;
  login: Login;
  /** True if the process answers requests that the proxy forwards. */
  isServer: boolean;
  /** Settings of this service in addition to the common ones. */
  settings: Readonly<Record<string, string>>;
}

/** Returns how each service is launched, in the order of their start: services that answer requests come last. */
export function launchesOf(
  counts: StackArguments,
  parts: { secretKey: string; redis: string },
): Record<ServiceName, Launch> {
  const secrets = { TIDEWATCH_SECRET_KEY: parts.secretKey };
  const limits = { TIDEWATCH_REDIS_URL: parts.redis };
  return {
    writer: { count: counts.writers, login: 'writer', isServer: false, settings: {} },
    evaluator: { count: counts.evaluators, login: 'evaluator', isServer: false, settings: {} },
    notifier: { count: counts.notifiers, login: 'notifier', isServer: false, settings: secrets },
    investigator: { count: counts.investigators, login: 'investigator', isServer: false, settings: {} },
    gateway: { count: counts.gateways, login: 'api', isServer: true, settings: limits },
    'query-api': { count: 1, login: 'api', isServer: true, settings: { ...secrets, ...limits } },
  };
}
