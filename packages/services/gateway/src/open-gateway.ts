import type { Bus } from '@tidewatch/bus/bus';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import { newId } from '@tidewatch/contracts/values/id';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { type KeyAccess, keyReasons } from '@tidewatch/runtime/auth/key-access';
import type { Admission } from '@tidewatch/runtime/http/admission';
import { trustsOf } from '@tidewatch/runtime/http/trusted-proxies';
import type { SharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { type httpSettings, readListening } from '@tidewatch/runtime/settings/http-settings';
import { saveReceipt } from '@tidewatch/store/receipts/receipts';
import type { GrpcListening } from './agent-protocols/otlp/grpc/otlp-grpc-server.ts';
import type { gatewaySettings } from './config.ts';
import { createGateway } from './gateway.ts';
import { seriesOfStore } from './series-limit/series-store.ts';

export interface GatewayEnvironment extends ServiceEnvironment {
  bus: Bus<Transaction>;
  /** A pool whose login is a member of tidewatch_api, and which binds organizations. */
  sql: Sql;
  keys: KeyAccess;
  admission: Admission;
  /** Counts requests, alone or with other processes. */
  limit: Pick<SharedLimit, 'store' | 'reasons'>;
  /** The buckets of samples of organizations; undefined if samples are not limited. */
  samples: TokenBucket | undefined;
  /** After this time an acknowledged payload counts as stored when new series are counted, ms. */
  storedWithinMs: number;
  config: ConfigOf<typeof gatewaySettings & typeof httpSettings>;
}

/** The gateway: receives payloads by HTTP, checks them, and publishes them. */
export function openGateway(environment: GatewayEnvironment): BackendService {
  const { sql, keys, admission, limit, clock } = environment;
  const gateway = createGateway({
    ...environment,
    ...keys,
    newId,
    saveReceipt: (receipt) => inOrganization(receipt.organizationId, () => saveReceipt(sql, receipt)),
    limitStore: limit.store,
    grpc: grpcListening(environment.config),
    series: { store: seriesOfStore(sql, clock), settleMs: environment.storedWithinMs },
  });
  return {
    parts: [
      { name: 'heartbeat', starts: 'after the bus', start: gateway.start, stop: gateway.stop },
      ...(gateway.grpc
        ? [{ name: 'OTLP over gRPC', starts: 'after the server' as const, ...gateway.grpc }]
        : []),
    ],
    http: { first: gateway.first, router: gateway.router, endpoints: INGEST_ROUTES },
    missing: {},
    degraded: {
      admission() {
        const closure = admission.closure();
        return closure ? [`ingest is closed: ${closure.reason}`] : [];
      },
      keys: () => keyReasons(keys.authentication.healthy()),
      limit: () => limit.reasons(),
    },
  };
}

/** Where OTLP over gRPC listens: beside HTTP, with its TLS, its limits and its trusted proxies. Undefined if no port is set. */
function grpcListening(config: GatewayEnvironment['config']): GrpcListening | undefined {
  const { otlpGrpcPort: port, trustProxy } = config;
  return port === undefined ? undefined : { ...readListening(config), port, trusts: trustsOf(trustProxy) };
}
