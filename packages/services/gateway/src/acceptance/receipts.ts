import type { Receipt as Publication } from '@tidewatch/bus/bus';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { Receipt, ReceiptRecord } from '@tidewatch/store/receipts/receipts';

export interface ReceiptsOptions extends Pick<ServiceEnvironment, 'clock' | 'logger'> {
  /** Saves a receipt, so that it can be read. */
  save(receipt: Receipt): Promise<void>;
  newId: (prefix: IdPrefix) => string;
}

/** A receipt in the form in which responses contain it. */
export interface ReceiptAnswer {
  id: string;
  records: readonly ReceiptRecord[];
}

/**
 * Creates receipts of ingest requests. A request never fails because of its receipt: one that cannot be saved is left out
 * of the response.
 */
export interface Receipts {
  /** Returns the id of a new receipt; null where the organization has used up its receipts of this minute. */
  begin(organizationId: string): string | null;
  /**
   * Saves what was published under the receipt's id; returns null if nothing was published or the receipt cannot be saved.
   */
  finish(
    of: { id: string; organizationId: string; keyId: string; acceptedAt: number },
    published: Publication | null,
  ): Promise<ReceiptAnswer | null>;
}

/** The max number of receipts per organization and minute, which bounds their rows. */
const RECEIPTS_A_MINUTE = 600;
/** How long a response waits for the database to save a receipt, ms. */
const SAVE_WITHIN_MS = 1_500;

export function createReceipts({ save, clock, newId, logger }: ReceiptsOptions): Receipts {
  const given = { minute: 0, counts: new Map<string, number>() };

  function take(organizationId: string): boolean {
    const minute = Math.floor(clock() / MINUTE_MS);
    if (minute !== given.minute) {
      given.minute = minute;
      given.counts.clear();
    }
    const count = given.counts.get(organizationId) ?? 0;
    if (count >= RECEIPTS_A_MINUTE) return false;
    given.counts.set(organizationId, count + 1);
    return true;
  }

  return {
    begin: (organizationId) => (take(organizationId) ? newId('rcp') : null),
    async finish({ id, organizationId, keyId, acceptedAt }, published) {
      if (published === null) return null;
      const records = recordsOf(published);
      try {
        await within(SAVE_WITHIN_MS, save({ organizationId, id, keyId, acceptedAt, records }));
        return { id, records };
      } catch (error) {
        logger.warn(
          { err: error },
          'a receipt was dropped because it could not be saved in time; its payloads are durable',
        );
        return null;
      }
    },
  };
}

function recordsOf(published: Publication): ReceiptRecord[] {
  if ('transaction' in published) return [{ transaction: published.transaction }];
  return published.records.map(({ topic, partition, offset }) => ({
    topic,
    partition,
    offset: String(offset),
  }));
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout: the receipt was not saved within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
