import type { Refusals } from '../series/point-batch.ts';

/** Encodes the few messages that answers of OTLP consist of, as protobuf or JSON. */
export interface OtlpAnswers {
  type: 'application/x-protobuf' | 'application/json';
  /** ExportMetricsServiceResponse: empty where nothing was refused. */
  exported(rejected: number, message: string): Uint8Array | string;
  /** google.rpc.Status. `code` is one of gRPC. */
  status(code: number, message: string): Uint8Array | string;
}

export const JSON_ANSWERS: OtlpAnswers = {
  type: 'application/json',
  exported(rejected, message) {
    if (rejected === 0) return '{}';
    return JSON.stringify({
      partialSuccess: { rejectedDataPoints: String(rejected), errorMessage: message },
    });
  },
  status: (code, message) => JSON.stringify({ code, message }),
};

export const PROTOBUF_ANSWERS: OtlpAnswers = {
  type: 'application/x-protobuf',
  exported(rejected, message) {
    if (rejected === 0) return new Uint8Array();
    const partial = Buffer.concat([varintField(1, rejected), bytesField(2, Buffer.from(message))]);
    return bytesField(1, partial);
  },
  status: (code, message) => Buffer.concat([varintField(1, code), bytesField(2, Buffer.from(message))]),
};

/** google.rpc.Status in protobuf with a google.rpc.RetryInfo, which says after how many seconds a request is to be sent again. */
export function retryStatus(code: number, message: string, seconds: number): Buffer {
  const retryInfo = bytesField(1, varintField(1, seconds));
  const type = Buffer.from('type.googleapis.com/google.rpc.RetryInfo');
  const details = Buffer.concat([bytesField(1, type), bytesField(2, retryInfo)]);
  return Buffer.concat([Buffer.from(PROTOBUF_ANSWERS.status(code, message)), bytesField(3, details)]);
}

/** The number of points and histograms that were refused. */
export function rejectedPoints({ points, histograms }: Refusals): number {
  return points + histograms;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

function varintField(field: number, value: number): Buffer {
  return Buffer.from([field << 3, ...varint(value)]);
}

function bytesField(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(value.length)]), value]);
}
