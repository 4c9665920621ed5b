import { openForTest } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { TEST_KEY } from '../testing/gateway.harness.ts';
import { openGatewayProcess } from '../testing/gateway-process.harness.ts';
import { openGrpcSender } from '../testing/grpc-sender.harness.ts';
import { readCapture } from './testing/captures.fixture.ts';
import { HOSTILE_BODIES } from './testing/hostile/hostile-bodies.fixture.ts';

const MIB = 1_048_576;
/** How much memory a request may take beside that of a gateway that serves ordinary ones. */
const MAX_PEAK_BYTES = 64 * MIB;

const post = (url: string, type: string, body: Buffer, encoding?: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'X-API-Key': TEST_KEY,
      'Content-Type': type,
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    },
    body: new Uint8Array(body),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });

/** Lines of 20,000 series, which are known after the first time: what a gateway has to do all the time. */
const ordinary = Buffer.from(
  Array.from(
    { length: 20_000 },
    (_, index) => `m${index % 200},host=h${Math.floor(index / 200)} v=${index}\n`,
  ).join(''),
);
const ORDINARY_REQUESTS = 12;

/** Those that need most, of each way of needing it: a process for each of all of them would take minutes. */
const HEAVY = new Set([
  'random bytes',
  'new series with 256 labels each',
  '20,000 histograms with 150 buckets each',
  'new series that refer to 255 labels each',
  'labels that refer to a symbol of a mebibyte',
  'hundreds of thousands of metrics',
  'texts of 7 MiB beyond Latin',
  'lines without fields',
  'a series with 900,000 different tags',
  '240,000 tags of one series',
]);

/** The code of gRPC that says what a status of HTTP says. */
const GRPC_CODES: Readonly<Record<number, number>> = { 200: 0, 400: 3, 413: 8 };

async function postByGrpc(port: number, message: Buffer): Promise<number> {
  const sender = openGrpcSender(port);
  const { code } = await sender.send(message, { 'x-api-key': TEST_KEY });
  sender.close();
  return code;
}

/** A gateway with the memory that it has after ordinary requests. */
async function openBusyGateway() {
  const gateway = await openForTest(openGatewayProcess());
  for (let request = 0; request < ORDINARY_REQUESTS; request += 1)
    expect(await post(`${gateway.url}/api/v2/write?bucket=b`, 'text/plain', ordinary)).toBe(204);
  return gateway;
}

async function expectGoodIsTaken(url: string): Promise<void> {
  const { body } = readCapture('prometheus', 1);
  expect(await post(`${url}/api/v1/write`, 'application/x-protobuf', body, 'identity')).toBe(204);
}

const heavy = HOSTILE_BODIES.filter(({ name }) => HEAVY.has(name));

describe('a gateway that serves ordinary requests', { timeout: 120_000 }, () => {
  it.each(heavy)(
    'needs at most 64 MiB more for one to $path with $name, and takes the next one',
    async ({ path, type, body, encoding, status }) => {
      const gateway = await openBusyGateway();
      const bytes = body();
      const rest = gateway.rest();
      const answered = await post(gateway.url + path, type, bytes, encoding);
      const above = gateway.peak() - rest;
      expect(answered).toBe(status);
      expect(above).toBeLessThan(MAX_PEAK_BYTES);
      await expectGoodIsTaken(gateway.url);
    },
  );

  it.each(
    heavy.filter(
      ({ path, type, encoding }) =>
        path === '/v1/metrics' && type === 'application/x-protobuf' && encoding === undefined,
    ),
  )(
    'needs at most 64 MiB more for a call of gRPC with $name, and takes the next request',
    async (hostile) => {
      const gateway = await openBusyGateway();
      const message = hostile.body();
      const rest = gateway.rest();
      const code = await postByGrpc(gateway.grpcPort, message);
      const above = gateway.peak() - rest;
      expect(code).toBe(GRPC_CODES[hostile.status]);
      expect(above).toBeLessThan(MAX_PEAK_BYTES);
      await expectGoodIsTaken(gateway.url);
    },
  );
});
