import { type Bus, BusUnavailableError, PublicationRefusedError } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { IngestWarning } from '@tidewatch/contracts/ingest/ingest-warning';
import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { KeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { warningsOf } from '../decoding/warnings-of.ts';
import { countPayloads, type IngestMeter, type PayloadCounts } from '../ingest-meter.ts';
import type { PartLimit } from '../part-limit/part-limit.ts';
import type { SamplesLimit } from '../samples-limit/samples-limit.ts';
import { countStored } from '../samples-limit/stored-samples.ts';
import type { Admitted, SeriesLimit } from '../series-limit/series-limit.ts';
import type { StallMeter } from '../stall-meter.ts';
import { requireHosts } from './allowed-hosts.ts';
import type { ReceiptAnswer, Receipts } from './receipts.ts';

export interface AcceptanceOptions {
  bus: Bus<never>;
  stalls: StallMeter;
  meter: IngestMeter;
  receipts: Receipts;
  /** The limit of samples; undefined if samples are not limited. */
  samplesLimit: SamplesLimit | undefined;
  /** The limit of the parts of a host; undefined if parts are not limited. */
  partLimit: PartLimit | undefined;
  /** The limit of series; undefined if series are not limited. */
  seriesLimit: SeriesLimit | undefined;
  /** Records the hosts that keys report for. */
  uses: Pick<KeyUses, 'noteHosts'>;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
}

/** A request that has begun and not ended. */
export interface Arrival {
  readonly key: KeyRecord;
  /** When the request was received, milliseconds since the epoch; also the time of payloads without one. */
  readonly receivedAt: number;
}

/** What the client of a request asked for. */
export interface Preferences {
  /** Accept the valid payloads of a body that also has invalid ones. */
  lenient: boolean;
  receipt: boolean;
  /** Name the fields that are ignored. */
  warnings: boolean;
}

/** The outcome of a body whose publication has begun. Holds none of the payloads, so that their memory is freed. */
export interface Accepted {
  accepted: number;
  rejected: number;
  /** Faults of the payloads that were rejected, at most a hundred of `faultCount`. */
  faults: readonly Fault[];
  faultCount: number;
  warnings: readonly IngestWarning[];
  /** The value of the header Tidewatch-Series; undefined where the organization is not near its limit of series. */
  seriesWarning: string | undefined;
  /** Resolves once every payload is durable, with the receipt where one was asked for and could be kept. */
  durable: Promise<ReceiptAnswer | null>;
}

/** Checks and publishes decoded payloads and returns the result, for every protocol. */
export interface Acceptance {
  /**
   * Registers a request before its body is decoded: until `end`, heartbeats state that the topic is complete only up to its
   * `receivedAt`.
   */
  begin(key: KeyRecord): Arrival;
  /**
   * Checks hosts and limits, then publishes. Throws or rejects, before anything is published, with the problem that refuses the
   * body; `durable` rejects with the problem of the publication. Returns a promise only if a limit has to be looked up.
   */
  accept(arrival: Arrival, body: DecodedBody, preferences: Preferences): Accepted | Promise<Accepted>;
  /** Ends a request, whatever its outcome. */
  end(arrival: Arrival): void;
  /** `receivedAt` of the oldest request whose payloads are not published yet; undefined if there is none. */
  oldestUnpublished(): number | undefined;
}

/** A body whose hosts the key may report for. */
interface CheckedBody {
  arrival: Arrival;
  body: DecodedBody;
  counts: PayloadCounts;
  preferences: Preferences;
  warnings: readonly IngestWarning[];
}

interface Publication {
  arrival: Arrival;
  counts: PayloadCounts;
  rejected: number;
  receiptId: string | null;
  /** Called once the outcome of the publication is known. */
  settle(isDurable: boolean): void;
}

const NO_WARNINGS: readonly IngestWarning[] = [];

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { bus, stalls, meter, receipts, uses, samplesLimit, partLimit, seriesLimit, clock } = options;
  const unpublished = new Set<Arrival>();

  /**
   * Publishes without holding `payloads` in any awaiting function, so that their memory is freed while the bus makes them
   * durable.
   */
  function publish(payloads: Payload[], publication: Publication): Promise<ReceiptAnswer | null> {
    const { arrival, receiptId } = publication;
    if (payloads.length === 0) {
      publication.settle(false);
      meter.rejectedPayloads(publication.rejected);
      return Promise.resolve(null);
    }
    const { id: keyId, organizationId } = arrival.key;
    const value: SampleBatch = {
      kind: 'samples',
      organizationId,
      receivedAt: arrival.receivedAt,
      stalledMs: stalls.stalledMs(),
      ...(receiptId !== null && { receiptId }),
      payloads,
    };
    const wanted = { receipt: receiptId !== null };
    return bus.publish(TOPICS.samples, [{ key: organizationId, value }], wanted).then(
      (published) => {
        publication.settle(true);
        unpublished.delete(arrival);
        meter.accepted(publication.counts);
        meter.rejectedPayloads(publication.rejected);
        if (receiptId === null) return null;
        return receipts.finish({ id: receiptId, organizationId, keyId, acceptedAt: clock() }, published);
      },
      (error: unknown) => {
        publication.settle(false);
        throw problemOf(error);
      },
    );
  }

  function publishAdmitted(checked: CheckedBody, admitted: Admitted | undefined): Accepted {
    const { arrival, body, counts, preferences, warnings } = checked;
    const { organizationId } = arrival.key;
    const { payloads, faults, faultCount, rejected } = admitted?.body ?? body;
    const durable = publish(payloads, {
      arrival,
      counts: admitted === undefined || admitted.body === body ? counts : countPayloads(payloads),
      rejected,
      receiptId: preferences.receipt ? receipts.begin(organizationId) : null,
      settle: admitted?.settle ?? nothing,
    });
    const seriesWarning = seriesLimit?.warning(organizationId);
    return { accepted: payloads.length, rejected, faults, faultCount, warnings, seriesWarning, durable };
  }

  /** Publishes what the limits of parts and of series admit. */
  function admit(checked: CheckedBody): Accepted | Promise<Accepted> {
    const { arrival, body, preferences } = checked;
    const within = partLimit?.admit(arrival.key.organizationId, body, preferences.lenient) ?? body;
    return within instanceof Promise
      ? within.then((left) => admitSeries(withBody(checked, left)))
      : admitSeries(withBody(checked, within));
  }

  function admitSeries(checked: CheckedBody): Accepted | Promise<Accepted> {
    const { arrival, body, counts, preferences } = checked;
    const { organizationId } = arrival.key;
    const admitting = seriesLimit?.admit(organizationId, body, counts.samples, preferences.lenient);
    return admitting instanceof Promise
      ? admitting.then((admitted) => publishAdmitted(checked, admitted))
      : publishAdmitted(checked, admitting);
  }

  return {
    begin(key) {
      const arrival = { key, receivedAt: clock() };
      unpublished.add(arrival);
      return arrival;
    },
    accept(arrival, body, preferences) {
      const { key } = arrival;
      meter.ignoredFields(body.ignored);
      if (body.refused || (body.faultCount > 0 && !preferences.lenient)) throw validationProblem(body.faults);
      const warnings = preferences.warnings ? warningsOf(body) : NO_WARNINGS;
      requireHosts(key, body.payloads);
      uses.noteHosts(key, body.payloads);
      const counts = countPayloads(body.payloads);
      const checked = { arrival, body, counts, preferences, warnings };
      const waiting = samplesLimit?.take(key.organizationId, countStored(body.payloads, counts.samples));
      return waiting === undefined ? admit(checked) : waiting.then(() => admit(checked));
    },
    end(arrival) {
      unpublished.delete(arrival);
    },
    oldestUnpublished: () => unpublished.values().next().value?.receivedAt,
  };
}

function withBody(checked: CheckedBody, body: DecodedBody): CheckedBody {
  return checked.body === body ? checked : { ...checked, body, counts: countPayloads(body.payloads) };
}

function nothing(): void {}

/**
 * Maps an error of the publication to a problem. A refused publication is not a 503: every retry would fail and block what
 * the sender has queued.
 */
function problemOf(error: unknown): unknown {
  if (error instanceof PublicationRefusedError) {
    const detail = 'The payloads are valid but cannot be stored. Sending them again will not help.';
    return new ProblemError('unsupported', { detail, cause: error });
  }
  if (!(error instanceof BusUnavailableError)) return error;
  const retryAfter = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  return new ProblemError('ingest_unavailable', { headers: { 'Retry-After': retryAfter }, cause: error });
}
