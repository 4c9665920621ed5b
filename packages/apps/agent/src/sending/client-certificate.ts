import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

/** The certificate and key (PEM) with which the agent shows a server who it is. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/**
 * Reads a certificate with its chain and its key, and reads them again once a file was replaced, since certificates are renewed
 * while the agent runs. While a file cannot be read, the former ones are used. Throws a ConfigError for files that cannot be
 * read at first, or that contain something else.
 */
export function readClientCertificate(certFile: string, keyFile: string): () => ClientCertificate {
  let version = '';
  let current: ClientCertificate;
  const read = () => ({
    cert: pemOf('--client-cert', certFile, /-----BEGIN CERTIFICATE-----/),
    key: pemOf('--client-key', keyFile, /-----BEGIN [A-Z ]*PRIVATE KEY-----/),
  });
  current = read();
  version = versionOf(certFile, keyFile);
  return () => {
    const found = versionOf(certFile, keyFile);
    if (found === version) return current;
    try {
      current = read();
      version = found;
    } catch {
      // Continues with the former ones; the next request reads again.
    }
    return current;
  };
}

function pemOf(setting: string, file: string, begin: RegExp): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${setting} ${file} is not usable: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (!begin.test(text)) throw new ConfigError(`${setting} ${file} is not usable: it must be PEM`);
  return text;
}

function versionOf(...files: string[]): string {
  try {
    return files
      .map((file) => {
        const { ino, size, mtimeMs } = statSync(file);
        return `${ino} ${size} ${mtimeMs}`;
      })
      .join(', ');
  } catch {
    return '';
  }
}
