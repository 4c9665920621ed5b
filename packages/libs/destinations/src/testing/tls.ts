import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** A certificate of `localhost` and 127.0.0.1 for tests, which nobody trusts, and its key. */
export const LOCALHOST = { cert: read('localhost.crt'), key: read('localhost.key') };

/** Makes this process trust LOCALHOST until the answered function is called. */
export function trustLocalhost(): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, LOCALHOST.cert]);
  return () => setDefaultCACertificates(before);
}
