import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** A self-signed certificate for `localhost` and 127.0.0.1, and its key. */
export const LOCALHOST = { cert: read('localhost.crt'), key: read('localhost.key') };

/** Makes this process trust the certificate LOCALHOST until the returned function is called. */
export function trustLocalhost(): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, LOCALHOST.cert]);
  return () => setDefaultCACertificates(before);
}
