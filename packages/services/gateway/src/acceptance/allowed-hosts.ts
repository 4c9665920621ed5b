import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { compilePatterns } from '@tidewatch/domain/rules/pattern';

/** Compiled host patterns of API keys, by the key's record in the cache, which is replaced when the key is read again. */
const compiled = new WeakMap<KeyRecord, (host: string) => boolean>();

/** Returns a function that says whether the key may report for a host. */
export function allowedHosts(key: KeyRecord): (host: string) => boolean {
  if (key.hosts === null) return always;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const isAllowed = compilePatterns(key.hosts);
  compiled.set(key, isAllowed);
  return isAllowed;
}

/** Throws 403 `host_not_allowed` if a payload is of a host that the key may not report for. */
export function requireHosts(key: KeyRecord, payloads: readonly Pick<Payload, 'host'>[]): void {
  const isAllowed = allowedHosts(key);
  if (isAllowed === always) return;
  for (const { host } of payloads) {
    if (isAllowed(host)) continue;
    const detail = `The key may not report for the host ${JSON.stringify(host)}.`;
    throw new ProblemError('host_not_allowed', { detail });
  }
}

function always(): boolean {
  return true;
}
