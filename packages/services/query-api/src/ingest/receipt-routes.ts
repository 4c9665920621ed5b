import type { TracedReceipt as Answer } from '@tidewatch/contracts/ingest/receipt';
import type { RECEIPT_ROUTES } from '@tidewatch/contracts/ingest/receipt-routes';
import { toIso } from '@tidewatch/contracts/time/time';
import { hasScope, keyOf } from '@tidewatch/runtime/auth/authentication';
import { type RecordStatus, readReceipt } from '@tidewatch/store/receipts/receipts';
import type { Handlers } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** Handler of `GET /api/v1/ingest/receipts/:id`. */
export function createReceiptHandlers({ sql }: QueryApiOptions): Handlers<typeof RECEIPT_ROUTES> {
  return {
    async getIngestReceipt({ organizationId, id, response }) {
      const receipt = found(await readReceipt(sql, organizationId, id));
      const key = keyOf(response);
      found(receipt.keyId === key.id || hasScope(key, 'read') ? receipt : null);
      const answer: Answer = {
        id: receipt.id,
        accepted_at: toIso(receipt.acceptedAt),
        records: receipt.records.map(outcomeOf),
      };
      response.json(answer);
    },
  };
}

const timeOf = (at: number | null) => (at === null ? null : toIso(at));

function outcomeOf({
  storedAt,
  evaluatedAt,
  deadLettered,
  ...place
}: RecordStatus): Answer['records'][number] {
  return {
    ...place,
    stored_at: timeOf(storedAt),
    evaluated_at: timeOf(evaluatedAt),
    dead_lettered: deadLettered && { reason: deadLettered.reason, at: toIso(deadLettered.at) },
  };
}
