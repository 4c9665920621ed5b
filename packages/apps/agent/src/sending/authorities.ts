import { readFileSync } from 'node:fs';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Makes this process trust the authorities of a PEM file in addition to the default ones. Throws ConfigError. */
export async function trustAuthorities(file: string): Promise<void> {
  try {
    // Loaded only where it is needed, because it takes 5 MB of memory.
    const { getCACertificates, setDefaultCACertificates } = await import('node:tls');
    const added = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (added.length === 0) throw new Error('the file contains no PEM certificate');
    setDefaultCACertificates([...getCACertificates('default'), ...added]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`--ca-file ${file} is not usable: ${code ?? message}`);
  }
}
