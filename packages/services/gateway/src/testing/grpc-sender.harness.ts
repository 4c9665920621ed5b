import {
  type CallOptions,
  type ChannelCredentials,
  Client,
  compressionAlgorithms,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The method that takes metrics. */
export const EXPORT = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';

const { root } = protobuf.parse(`
syntax = "proto3";
message Partial { int64 rejected_data_points = 1; string error_message = 2; }
message Exported { Partial partial_success = 1; }
message Duration { int64 seconds = 1; }
message RetryInfo { Duration retry_delay = 1; }
message Any { string type_url = 1; bytes value = 2; }
message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
`);

/** Decodes a message of an answer. */
function read(message: 'Exported' | 'Status' | 'RetryInfo', bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType(message);
  return type.toObject(type.decode(bytes), { longs: Number });
}

/** What a call was answered: code 0 with the message, or another code with details. */
export interface GrpcAnswer {
  code: number;
  details: string;
  exported?: Record<string, unknown>;
  /** The delay of RetryInfo, in seconds. */
  retryAfterSeconds?: number;
}

function answerOf({ code, details, metadata }: ServiceError): GrpcAnswer {
  const [binary] = metadata.get('grpc-status-details-bin');
  if (binary === undefined) return { code, details };
  const [any] = read('Status', binary as Buffer).details as { type_url: string; value: Buffer }[];
  const { retryDelay } = read('RetryInfo', (any as { value: Buffer }).value) as {
    retryDelay: { seconds: number };
  };
  return { code, details, retryAfterSeconds: retryDelay.seconds };
}

export interface GrpcSender {
  send(message: Buffer, headers?: Record<string, string>, options?: CallOptions): Promise<GrpcAnswer>;
  close(): void;
}

/** A client of OTLP over gRPC at this port of 127.0.0.1; over TLS where the certificate of an authority is given. */
export function openGrpcSender(
  port: number,
  { authority, gzip = false, path = EXPORT }: { authority?: string; gzip?: boolean; path?: string } = {},
): GrpcSender {
  const security: ChannelCredentials =
    authority === undefined ? credentials.createInsecure() : credentials.createSsl(Buffer.from(authority));
  const client = new Client(`localhost:${port}`, security, {
    ...(gzip && { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip }),
    'grpc.max_send_message_length': -1,
    'grpc.enable_retries': 0,
  });
  return {
    send(message, headers = {}, options = {}) {
      const metadata = new Metadata();
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
      return new Promise((resolve) => {
        client.makeUnaryRequest(
          path,
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          message,
          metadata,
          { deadline: Date.now() + 20_000, ...options },
          (error, answer) =>
            resolve(
              error === null
                ? { code: 0, details: '', exported: read('Exported', answer as Buffer) }
                : answerOf(error),
            ),
        );
      });
    },
    close: () => client.close(),
  };
}
