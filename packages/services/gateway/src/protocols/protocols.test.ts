import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-route';
import { expect, it } from 'vitest';
import { decoderNamed, PROTOCOLS } from './protocols.ts';

it('the gateway serves every ingest route of the contract by one protocol', () => {
  expect(PROTOCOLS.map(({ route }) => route)).toEqual(INGEST_ROUTES);
});

it('the gateway decodes every media type that the contract documents for an ingest route', () => {
  for (const { route, decoders } of PROTOCOLS) {
    const decoded = decoders.flatMap(({ contentTypes }) => contentTypes);
    const documented = route.body?.map(({ type }) => type) ?? [];
    expect(documented).not.toEqual([]);
    expect(documented.filter((type) => !decoded.includes(type))).toEqual([]);
  }
});

it('each decoder of every protocol is found by a name that no other decoder has', () => {
  const decoders = PROTOCOLS.flatMap((protocol) => protocol.decoders);
  expect(decoders.map(({ name }) => decoderNamed(name))).toEqual(decoders);
  expect(new Set(decoders.map(({ name }) => name)).size).toBe(decoders.length);
  expect(() => decoderNamed('xml')).toThrow('There is no decoder "xml".');
});
