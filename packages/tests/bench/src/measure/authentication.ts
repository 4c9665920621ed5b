import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import { type Authentication, createAuthentication, keyDigest } from '@tidewatch/runtime/auth/authentication';
import { startKeyUses } from '@tidewatch/runtime/auth/key-uses';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';

type Handler = ReturnType<Authentication['authenticate']>;
type Request = Parameters<Handler>[0];
type Response = Parameters<Handler>[1];

const CALLS = 300_000;
/** The max number of keys in the cache of the product. */
const MAX_KEYS = 10_000;

/**
 * CPU-microseconds that the authentication of a cached key adds to a request, with `count` keys in the cache of this
 * process.
 */
export async function authenticationCost(count: number): Promise<number> {
  const texts = Array.from(
    { length: Math.min(count, MAX_KEYS) },
    (_, index) => `tw_bench_${index}_${'a'.repeat(64)}`,
  );
  const records = new Map(
    texts.map((text, index) => [
      keyDigest(text),
      keyRecordOf({ id: `key_${index}`, organizationId: `org_${index % 100}`, scopes: ['ingest'] }),
    ]),
  );
  const logger = createSilentLogger();
  // A constant clock, so that no cached key expires on a busy machine.
  const began = Date.now();
  const uses = startKeyUses({ write: async () => undefined, clock: Date.now, logger });
  const keys = { find: async (digest: string) => records.get(digest) ?? null, revision: async () => 0 };
  const admit = createAuthentication({ keys, clock: () => began, logger, uses }).authenticate('ingest');
  // Each key has a separate connection, as agents have.
  const requests = texts.map(
    (text) => ({ headers: { 'x-api-key': text }, socket: {} }) as unknown as Request,
  );
  const response = { locals: {} } as Response;
  let admitted = 0;
  const next = (error?: unknown) => {
    if (error !== undefined) throw error;
    admitted += 1;
  };
  // Looks all keys up once; they stay cached for longer than the measurement takes.
  for (const each of requests) admit(each, response, next);
  await new Promise((resolve) => setTimeout(resolve, 100));
  admitted = 0;
  const usedBefore = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1)
    admit(requests[call % requests.length] as Request, response, next);
  const { user, system } = process.cpuUsage(usedBefore);
  await uses.stop();
  if (admitted !== CALLS) throw new Error('a key was not in the cache');
  return (user + system) / CALLS;
}
