import type { Bus } from '@tidewatch/bus/bus';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-route';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import type { KeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { Admission } from '@tidewatch/runtime/http/admission';
import { withParameterCheck } from '@tidewatch/runtime/http/query-parameters';
import { limitRequests, withLimit } from '@tidewatch/runtime/limits/request-limit';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import type { Receipt } from '@tidewatch/store/receipts/receipts';
import { Router } from 'express';
import type { Store } from 'express-rate-limit';
import { createAcceptance } from './acceptance/accept.ts';
import { createReceipts } from './acceptance/receipts.ts';
import type { gatewaySettings } from './config.ts';
import { createDecodeThread } from './decoding/decode-thread.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createIngest } from './ingest.ts';
import { createIngestMeter } from './ingest-meter.ts';
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
  /** Reads stored series; without it their number is not limited. */
  series?: { store: SeriesStore; settleMs: number };
  /** Records the hosts that keys report for. */
  uses: Pick<KeyUses, 'noteHosts'>;
}

export interface Gateway {
  /** The endpoint of each protocol. */
  router: Router;
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
    seriesLimit:
      options.series &&
      createSeriesLimit({ ...options.series, limit: config.seriesLimit, monotonic, metrics, logger }),
  });
  const handlerOf = createIngest({ acceptance, admission, thread, meter, metrics });
  const router = Router({ caseSensitive: true, strict: true });
  const perMinute = config.rateLimitPerMinute;
  const limit = limitRequests({ policy: 'ingest', perMinute, store: options.limitStore });
  const authenticate = withParameterCheck(withLimit(authentication.authenticate, limit), INGEST_ROUTES);
  for (const protocol of PROTOCOLS)
    router.post(protocol.route.path, authenticate('ingest'), handlerOf(protocol));
  let stopHeartbeat: (() => void) | null = null;
  return {
    router,
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

/** Returns undefined if samples are not limited, so that none are counted. */
function openSamplesLimit(
  perMinute: number | undefined,
  bucket: TokenBucket | undefined,
  monotonic: () => number,
): SamplesLimit | undefined {
  if (perMinute === undefined || bucket === undefined) return undefined;
  return createSamplesLimit({ perMinute, bucket, monotonic });
}
