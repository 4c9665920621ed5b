import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConfigError } from '@tidewatch/runtime/settings/config';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Makes this process trust the authorities in a PEM file besides those that it trusts anyway. Throws ConfigError. */
export function trustAuthorities(file: string): void {
  try {
    const added = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (added.length === 0) throw new Error('it holds no certificate in PEM');
    setDefaultCACertificates([...getCACertificates('default'), ...added]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`--ca-file ${file} is not usable: ${code ?? message}`);
  }
}
