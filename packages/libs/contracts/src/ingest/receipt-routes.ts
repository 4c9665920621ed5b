import { defineRoutes, idParameter } from '../document/route.ts';
import { tracedReceiptSchema } from './receipt.ts';

/** The route of receipts. */
export const RECEIPT_ROUTES = defineRoutes('Ingest', [
  {
    operationId: 'getIngestReceipt',
    method: 'get',
    path: '/api/v1/ingest/receipts/{id}',
    summary: 'Read what became of payloads',
    description:
      'Says of each record of a receipt whether it was stored, evaluated by rules, or moved to the dead letters. Receipts are kept for ' +
      '48 hours. A key that cannot read sees its own alone.',
    scope: 'ingest',
    parameters: idParameter('rcp', 'receipt'),
    answers: [
      {
        status: 200,
        description: 'What is known of the payloads.',
        content: { type: 'application/json', schema: tracedReceiptSchema },
      },
    ],
    problems: ['not_found'],
  },
]);
