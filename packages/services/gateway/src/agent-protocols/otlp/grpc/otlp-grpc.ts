import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import { clientAddress } from '@tidewatch/runtime/http/client-address';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { IngestMeter } from '../../../ingest-meter.ts';
import { agentKeyText } from '../../handling/agent-key.ts';
import type { PointIntake } from '../../handling/point-intake.ts';
import { MAX_MESSAGE_BYTES } from './export-handler.ts';
import { createOtlpGrpcServer, type GrpcListening, type OtlpGrpcServer } from './otlp-grpc-server.ts';

export interface OtlpGrpcParts {
  listening: GrpcListening;
  authentication: Authentication;
  /** Counts a request of a key; rejects with the 429 of a key that has used up its quota. */
  count: (key: KeyRecord) => Promise<void>;
  take: PointIntake;
  meter: IngestMeter;
  metrics: Metrics;
  logger: Logger;
}

/** The memory for messages that are being received: of four at once, three of them of one organization. */
const MESSAGES_SHARE = {
  capacity: 4 * MAX_MESSAGE_BYTES,
  maxPerOrganization: 3 * MAX_MESSAGE_BYTES,
  reserve: 0,
  smallShare: 0,
  maxWaitingPerOrganization: 1_000,
  maxWaitMs: 10_000,
};

/** Creates OTLP over gRPC from the parts of a gateway. Keys, quotas and limits are those of OTLP over HTTP. */
export function createOtlpGrpc(parts: OtlpGrpcParts): OtlpGrpcServer {
  const { listening, authentication, count, take, meter, metrics, logger } = parts;
  const messages = new FairShare(MESSAGES_SHARE);
  exposeShare(metrics, 'ingest_grpc_bytes', messages);
  const refused = metrics.counter(
    'tidewatch_grpc_connections_refused_total',
    'Connections of OTLP over gRPC that were closed at once because their address had as many as one may.',
  );
  return createOtlpGrpcServer({
    listening,
    take,
    messages,
    meter,
    logger,
    async admit(headers, address) {
      const key = await authentication.admit(headers, 'ingest', address, agentKeyText);
      await count(key);
      return key;
    },
    addressOf: (peer, forwarded) => clientAddress(peerAddress(peer), forwarded, listening.trusts),
    onConnectionRefused: () => refused.inc(),
  });
}

/** The address of a peer such as `10.0.0.1:50000` or `::1:50000`. */
function peerAddress(peer: string): string {
  const address = peer.slice(0, peer.lastIndexOf(':'));
  return address.replace(/^\[(.*)\]$/, '$1');
}
