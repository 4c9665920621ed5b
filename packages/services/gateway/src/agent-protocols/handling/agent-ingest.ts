import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import { endRefusal, problemText } from '@tidewatch/runtime/http/problem-response';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { clientGone } from '../../body/client-gone.ts';
import { RequestAbortedError } from '../../body/read-body.ts';
import type { IngestMeter } from '../../ingest-meter.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { decodeSnappy, maxDecodedLength } from '../wire/decode-snappy.ts';
import { ScratchBuffer } from '../wire/scratch-buffer.ts';
import type { AgentAnswer, AgentProtocol } from './agent-protocol.ts';
import { HOST_HEADER } from './host-header.ts';
import type { PointIntake } from './point-intake.ts';
import { refusalHeaders, refusalOf } from './refusal-status.ts';

export interface AgentIngestOptions {
  take: PointIntake;
  meter: IngestMeter;
}

/** The max bytes of a body on the wire. Few senders divide a request that is too large. */
export const AGENT_WIRE_BYTES = 16 * 1_048_576;

const scratch = new ScratchBuffer();

/** Returns functions that create the handlers of a protocol over HTTP. Handlers answer success only once every sample is durable. */
export function createAgentIngest({ take, meter }: AgentIngestOptions) {
  async function answer(protocol: AgentProtocol, request: Request, response: Response): Promise<AgentAnswer> {
    const key = keyOf(response);
    const host = request.headers[HOST_HEADER];
    const outcome = await take({
      protocol,
      key,
      address: request.ip,
      host: typeof host === 'string' ? host : undefined,
      read: (body) => body.read(request, AGENT_WIRE_BYTES),
      async open(wire, body, receivedAt) {
        const { encoding, decode } = protocol.formOf(request, key.organizationId, receivedAt);
        if (encoding !== 'snappy') return { bytes: await body.decompress(wire, encoding, response), decode };
        await body.reserve(maxDecodedLength(wire, BOUNDS.inflatedBytes), () => clientGone(response));
        if (response.closed) throw new RequestAbortedError('the client disconnected');
        return decodingSnappy(wire, decode);
      },
    });
    return protocol.answer(outcome, request);
  }

  function refuse(protocol: AgentProtocol, error: unknown, request: Request, response: Response): boolean {
    const refusal = refusalOf(error, protocol.dividesLargeRequests);
    if (refusal === null) return false;
    const { problem, status } = refusal;
    meter.refused(problem.code);
    const own = protocol.refuse(problem, status, request);
    response.statusCode = own?.status ?? status;
    for (const [name, value] of Object.entries(refusalHeaders(problem, status)))
      response.setHeader(name, value);
    response.setHeader('Content-Type', own?.type ?? 'application/problem+json; charset=utf-8');
    const body = own?.body ?? problemText(request, response, problem);
    endRefusal(request, response, typeof body === 'string' ? Buffer.from(body) : body);
    return true;
  }

  return {
    handlerOf(protocol: AgentProtocol): RequestHandler {
      return (request, response, next) => {
        answer(protocol, request, response).then((answered) => send(response, answered), next);
      };
    },
    /** Behind it and behind authentication: says what went wrong in the way of the protocol. */
    errorHandlerOf(protocol: AgentProtocol): ErrorRequestHandler {
      return (error: unknown, request, response, next) => {
        if (error instanceof RequestAbortedError || response.headersSent) {
          response.destroy();
          return;
        }
        if (!refuse(protocol, error, request, response)) next(error);
      };
    },
  };
}

/** Snappy is decoded in place: it is fast, and its senders bound their bodies. */
function decodingSnappy(wire: Buffer, decode: PointDecoder): { bytes: Buffer; decode: PointDecoder } {
  let taken: Buffer | null = null;
  const allocate = (length: number) => {
    taken = scratch.take(length);
    return taken;
  };
  return {
    bytes: decodeSnappy(wire, BOUNDS.inflatedBytes, allocate),
    *decode(bytes, sink) {
      try {
        yield* decode(bytes, sink);
      } finally {
        if (taken !== null) scratch.giveBack(taken);
      }
    },
  };
}

function send(response: Response, { status, type, body, headers }: AgentAnswer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (type !== '') response.setHeader('Content-Type', type);
  response.end(body);
}
