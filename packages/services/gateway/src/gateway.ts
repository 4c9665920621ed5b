import type { Bus } from '@tidewatch/bus/bus';
import { INGEST_ROUTE } from '@tidewatch/contracts/ingest/ingest-route';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import type { KeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { FirstRoute } from '@tidewatch/runtime/http/app';
import { withParameterCheck } from '@tidewatch/runtime/http/query-parameters';
import { countRequests, limitRequests, withLimit } from '@tidewatch/runtime/limits/request-limit';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import type { Receipt } from '@tidewatch/store/receipts/receipts';
import { type RequestHandler, Router } from 'express';
import { MemoryStore, type Store } from 'express-rate-limit';
import { createAcceptance } from './acceptance/accept.ts';
import { createReceipts } from './acceptance/receipts.ts';
import { createDatadogRouter } from './agent-protocols/datadog/datadog-router.ts';
import { createAgentIngest } from './agent-protocols/handling/agent-ingest.ts';
import { agentKeyText } from './agent-protocols/handling/agent-key.ts';
import { createAgentMeter } from './agent-protocols/handling/agent-meter.ts';
import { createAgentProtocols } from './agent-protocols/handling/agent-protocols.ts';
import { createPointIntake } from './agent-protocols/handling/point-intake.ts';
import { Translators } from './agent-protocols/handling/translators.ts';
import { createInfluxRouter } from './agent-protocols/influx/influx-router.ts';
import { createOtlpGrpc } from './agent-protocols/otlp/grpc/otlp-grpc.ts';
import type { GrpcListening, OtlpGrpcServer } from './agent-protocols/otlp/grpc/otlp-grpc-server.ts';
import { createBodyShares } from './body/request-body.ts';
import type { gatewaySettings } from './config.ts';
import { createDecodeThread } from './decoding/decode-thread.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createIngest } from './ingest.ts';
import { createIngestMeter } from './ingest-meter.ts';
import { createPartLimit } from './part-limit/part-limit.ts';
import { PROTOCOLS } from './protocols/protocols.ts';
import { createSamplesLimit, type SamplesLimit } from './samples-limit/samples-limit.ts';
import { createSeriesLimit } from './series-limit/series-limit.ts';
import type { SeriesStore } from './series-limit/series-store.ts';
import { createStallMeter } from './stall-meter.ts';

export interface GatewayOptions<Tx> extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger'> {
  bus: Bus<Tx>;
  authentication: Authentication;
  admission: Admission;
  /** Milliseconds of a monotonic clock; `performance.now` by default. */
  monotonic?: () => number;
  newId: (prefix: IdPrefix) => string;
  /** Saves a receipt that a client asked for. */
  saveReceipt: (receipt: Receipt) => Promise<void>;
  config: ConfigOf<typeof gatewaySettings>;
  /** Counts the requests of keys; in the memory of this process by default. */
  limitStore?: Store | undefined;
  /** The buckets of samples of organizations; samples are not limited without them. */
  samples?: TokenBucket | undefined;
  /** Reads stored series; without it neither their number nor that of parts is limited. */
  series?: { store: SeriesStore; settleMs: number };
  /** Records the hosts that keys report for. */
  uses: Pick<KeyUses, 'noteHosts'>;
  /** Where OTLP over gRPC is served; not at all without it. */
  grpc?: GrpcListening | undefined;
}

export interface Gateway {
  /** The endpoints of payloads, which serve most requests and stand before all routers. */
  first: readonly FirstRoute[];
  /** The endpoints of other agents. */
  router: Router;
  /** The server of OTLP over gRPC, which stops before the gateway does; undefined if there is none. */
  grpc: OtlpGrpcServer | undefined;
  /** Begins the heartbeat on the topic of samples. */
  start(): void;
  /** Ends the heartbeat and the decoding thread; after the HTTP server, before the bus. */
  stop(): Promise<void>;
}

/** Creates the gateway, which receives payloads, checks them, makes them durable on the bus, and answers. */
export function createGateway<Tx>(options: GatewayOptions<Tx>): Gateway {
  const { authentication, admission, clock, config, metrics, logger, uses } = options;
  const bus = options.bus as Bus<never>;
  const monotonic = options.monotonic ?? (() => performance.now());
  const stalls = createStallMeter(monotonic);
  const thread = createDecodeThread();
  const meter = createIngestMeter(metrics);
  const { saveReceipt: save, newId } = options;
  const receipts = createReceipts({ save, clock, newId, logger });
  const acceptance = createAcceptance({
    bus,
    stalls,
    meter,
    receipts,
    uses,
    clock,
    samplesLimit: openSamplesLimit(config.samplesPerMinute, options.samples, monotonic),
    partLimit:
      options.series &&
      createPartLimit({
        ...options.series,
        room: { parts: config.hostPartsLimit, series: config.hostPartSeriesLimit },
        monotonic,
        metrics,
        logger,
      }),
    seriesLimit:
      options.series &&
      createSeriesLimit({ ...options.series, limit: config.seriesLimit, monotonic, metrics, logger }),
  });
  const shares = createBodyShares(metrics);
  const handlerOf = createIngest({ acceptance, admission, thread, meter, shares });
  const router = Router({ caseSensitive: true, strict: true });
  const store = options.limitStore ?? new MemoryStore();
  const requests = { policy: 'ingest', perMinute: config.rateLimitPerMinute, store } as const;
  const limit = limitRequests(requests);
  const authenticate = withParameterCheck(withLimit(authentication.authenticate, limit), [INGEST_ROUTE]);
  const first = PROTOCOLS.map((protocol) => ({
    path: protocol.route.path,
    handle: inTurn(authenticate('ingest'), handlerOf(protocol)),
  }));
  const take = createPointIntake({
    acceptance,
    admission,
    shares,
    agentMeter: createAgentMeter(metrics),
    translators: new Translators({
      maxSeries: config.foreignSeries,
      hostLabels: config.foreignHostLabels,
      applications: config.foreignApplications === 'on',
      counterForm: config.foreignCounters,
      stepMs: config.foreignTimeStepMs,
      clock,
      metrics,
    }),
  });
  const ofAgents = createAgentIngest({ take, meter });
  const authenticateAgents = withLimit(authentication.authenticate, limit)('ingest', agentKeyText);
  for (const protocol of createAgentProtocols(config.foreignSeries)) {
    const admit = protocol.precheck ? [protocol.precheck, authenticateAgents] : [authenticateAgents];
    for (const { path } of protocol.routes)
      router.post(path, admit, ofAgents.handlerOf(protocol), ofAgents.errorHandlerOf(protocol));
  }
  router.use(createInfluxRouter(authenticateAgents), createDatadogRouter(authenticateAgents));
  let stopHeartbeat: (() => void) | null = null;
  const grpc =
    options.grpc &&
    createOtlpGrpc({
      listening: options.grpc,
      authentication,
      count: countRequests(requests),
      take,
      meter,
      metrics,
      logger,
    });
  return {
    first,
    router,
    grpc,
    start() {
      const { oldestUnpublished } = acceptance;
      stopHeartbeat ??= startHeartbeat({ bus, admission, stalls, clock, oldestUnpublished });
    },
    async stop() {
      stopHeartbeat?.();
      await thread.close();
    },
  };
}

/** One middleware of two, since Express takes longer for two. */
function inTurn(admit: RequestHandler, handle: RequestHandler): RequestHandler {
  return (request, response, next) =>
    admit(request, response, (error?: unknown) => {
      if (error === undefined) handle(request, response, next);
      else next(error);
    });
}

/** Returns undefined if samples are not limited, so that none are counted. */
function openSamplesLimit(
  perMinute: number | undefined,
  bucket: TokenBucket | undefined,
  monotonic: () => number,
): SamplesLimit | undefined {
  if (perMinute === undefined || bucket === undefined) return undefined;
  return createSamplesLimit({ perMinute, bucket, monotonic });
}
