import type { Route } from '@tidewatch/contracts/document/route';
import type { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Request, RequestHandler } from 'express';
import type { Refusals } from '../series/point-batch.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';
import type { AgentEncoding } from './agent-encoding.ts';

/** What a response consists of. */
export interface AgentAnswer {
  status: number;
  /** The media type of the body; empty where there is no body. */
  type: string;
  body: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
}

/** How the body of a request is read. */
export interface BodyForm {
  encoding: AgentEncoding;
  decode: PointDecoder;
}

/** What of a request is durable, and what was refused for ever. */
export interface AgentOutcome {
  /** Points and histograms that were sent. */
  points: number;
  histograms: number;
  exemplars: number;
  refusals: Refusals;
}

/**
 * An ingest protocol of other agents. What it has to say is said in the way that its senders understand: a status that makes a
 * sender drop or repeat what it should not is worse than none.
 */
export interface AgentProtocol {
  name: AgentProtocolName;
  /** The endpoints, whose requests differ by what `formOf` reads from them. */
  routes: readonly Route[];
  /** Whether a time of 0 means that the sender does not know it. */
  zeroIsArrival: boolean;
  /** Whether senders divide a request that is answered 413; others drop it or send it for ever. */
  dividesLargeRequests: boolean;
  /** Refuses requests before their key is checked. */
  precheck?: RequestHandler;
  /** How the body is read, by headers and parameters. Throws a ProblemError for what is not supported. `organizationId` keeps apart what is remembered. */
  formOf(request: Request, organizationId: string, receivedAt: number): BodyForm;
  /** The successful response, or the one that says what was refused. */
  answer(outcome: AgentOutcome, request: Request): AgentAnswer;
  /** The response of a request of which nothing was taken. `status` is the one that makes senders do the right thing. */
  refuse(problem: ProblemError, status: number, request: Request): AgentAnswer | null;
}
