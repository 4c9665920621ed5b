import type { IncomingHttpHeaders } from 'node:http';
import type { handleClientStreamingCall, sendUnaryData } from '@grpc/grpc-js';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { RequestAbortedError } from '../../../body/read-body.ts';
import { RequestBytes } from '../../../body/request-bytes.ts';
import type { IngestMeter } from '../../../ingest-meter.ts';
import { HOST_HEADER } from '../../handling/host-header.ts';
import type { PointIntake } from '../../handling/point-intake.ts';
import { refusalsLine } from '../../handling/problem-text.ts';
import { decodeOtlpProtobuf } from '../decode-otlp-protobuf.ts';
import { PROTOBUF_ANSWERS, rejectedPoints } from '../otlp-answers.ts';
import { callStatusOf, unexpectedStatus } from './call-status.ts';
import { callGone, type ExportCall, readMessage } from './read-message.ts';

export interface ExportOptions {
  /** Returns the key of a call and counts the call. Rejects with the problem that refuses it. */
  admit: (headers: IncomingHttpHeaders, address: string | undefined) => Promise<KeyRecord>;
  /** The address of the client, as trusted proxies report it. */
  addressOf: (peer: string, forwarded: string | undefined) => string | undefined;
  take: PointIntake;
  /** The memory of the process for messages that are being received. */
  messages: FairShare;
  meter: IngestMeter;
  logger: Logger;
}

/** The max bytes of a message, on the wire and decompressed. */
export const MAX_MESSAGE_BYTES = 16 * 1_048_576;
const READ_WITHIN_MS = 30_000;

const OTLP = { name: 'otlp', zeroIsArrival: true } as const;

/**
 * The handler of the method Export. It is one of a stream, so that the message is read only once the key is accepted and there is
 * memory: the length of a message is not known before, so that each reserves as many bytes as it may have.
 */
export function createExportHandler(options: ExportOptions): handleClientStreamingCall<Buffer, Uint8Array> {
  const { admit, addressOf, take, messages, meter, logger } = options;

  async function answer(call: ExportCall, gone: AbortSignal): Promise<Uint8Array> {
    const headers = call.metadata.getMap() as IncomingHttpHeaders;
    const forwarded = headers['x-forwarded-for'];
    const address = addressOf(call.getPeer(), typeof forwarded === 'string' ? forwarded : undefined);
    const key = await admit(headers, address);
    const held = new RequestBytes(messages, key.organizationId);
    const host = headers[HOST_HEADER];
    try {
      const { refusals } = await take({
        protocol: OTLP,
        key,
        address,
        host: typeof host === 'string' ? host : undefined,
        async read(body) {
          await held.add(MAX_MESSAGE_BYTES, gone);
          const message = await readMessage(call, gone, READ_WITHIN_MS);
          await body.reserve(message.length, () => gone);
          held.release();
          return message;
        },
        open: async (bytes) => ({ bytes, decode: decodeOtlpProtobuf }),
      });
      const rejected = rejectedPoints(refusals);
      return Buffer.from(PROTOBUF_ANSWERS.exported(rejected, rejected === 0 ? '' : refusalsLine(refusals)));
    } finally {
      held.release();
    }
  }

  function refuse(error: unknown, respond: sendUnaryData<Uint8Array>): void {
    if (error instanceof RequestAbortedError) return;
    const refusal = callStatusOf(error);
    if (refusal === null) logger.error({ err: error }, 'unexpected error in a call of OTLP over gRPC');
    else meter.refused(refusal.problem.code);
    respond(refusal?.answer ?? unexpectedStatus());
  }

  return (call, respond) => {
    answer(call, callGone(call)).then(
      (answered) => respond(null, answered),
      (error: unknown) => refuse(error, respond),
    );
  };
}
