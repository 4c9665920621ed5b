import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { compilePatterns } from '@tidewatch/domain/rules/pattern';

/** Compiled host patterns of API keys, by the key's record in the cache, which is replaced when the key is read again. */
const compiled = new WeakMap<KeyRecord, (host: string) => boolean>();

/** Throws 403 `host_not_allowed` if a payload is of a host that the key may not report for. */
export function requireHosts(key: KeyRecord, payloads: readonly Pick<Payload, 'host'>[]): void {
  if (key.hosts === null) return;
  let isAllowed = compiled.get(key);
  if (isAllowed === undefined) {
    isAllowed = compilePatterns(key.hosts);
    compiled.set(key, isAllowed);
  }
  for (const { host } of payloads) {
    if (isAllowed(host)) continue;
    const detail = `The key may not report for the host ${JSON.stringify(host)}.`;
    throw new ProblemError('host_not_allowed', { detail });
  }
}
