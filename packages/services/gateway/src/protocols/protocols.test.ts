import type { Route } from '@tidewatch/contracts/document/route';
import { INGEST_ROUTE } from '@tidewatch/contracts/ingest/ingest-route';
import { AGENT_INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import { expect, it } from 'vitest';
import { createAgentProtocols } from '../agent-protocols/handling/agent-protocols.ts';
import { decoderNamed, PROTOCOLS } from './protocols.ts';

it('the gateway serves every ingest route of the contract by one protocol', () => {
  const served = [
    ...PROTOCOLS.map(({ route }) => route),
    ...createAgentProtocols(1_000).flatMap(({ routes }) => routes),
  ];
  const names = (routes: readonly Route[]) => routes.map(({ operationId }) => operationId).toSorted();
  expect(names(served)).toEqual(names([INGEST_ROUTE, ...AGENT_INGEST_ROUTES]));
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
