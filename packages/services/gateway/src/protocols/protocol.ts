import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from '@tidewatch/contracts/document/route';
import type { Response } from 'express';
import type { Accepted, Preferences } from '../acceptance/accept.ts';
import type { ReceiptAnswer } from '../acceptance/receipts.ts';
import type { Decoder } from '../decoding/decoder.ts';

/** The parts that differ between ingest protocols; authentication, limits and publication are the same for all. */
export interface Protocol {
  /** The endpoint of the protocol, one of `INGEST_ROUTES` of the contract. */
  route: Route;
  /** The decoders that Content-Type chooses from. */
  decoders: readonly Decoder[];
  preferencesOf(headers: IncomingHttpHeaders): Preferences;
  /** Sends the successful response, once every payload is durable. */
  answer(
    response: Response,
    accepted: Accepted,
    preferences: Preferences,
    receipt: ReceiptAnswer | null,
  ): void;
}
