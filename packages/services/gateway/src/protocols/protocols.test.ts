import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-route';
import { expect, it } from 'vitest';
import { DECODERS } from '../decoding/decoders.ts';
import { PROTOCOLS } from './protocols.ts';

it('serves every ingest route of the contract by one protocol', () => {
  expect(PROTOCOLS.map(({ route }) => route)).toEqual(INGEST_ROUTES);
});

it('decodes every media type that the contract documents for an ingest route', () => {
  for (const { route, decoders } of PROTOCOLS) {
    const decoded = decoders.flatMap((name) => DECODERS[name].contentTypes);
    const documented = route.body?.map(({ type }) => type) ?? [];
    expect(documented).not.toEqual([]);
    expect(documented.filter((type) => !decoded.includes(type))).toEqual([]);
  }
});
