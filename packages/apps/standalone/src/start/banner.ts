export interface BannerFacts {
  url: string;
  /** The file with the admin key; null if no file contains it, as after a restore. */
  keyFile: string | null;
  /** The key that was created at this start; null at later starts. */
  newKey: string | null;
  /** A link that signs in to the console once; null where none was made. */
  signInUrl: string | null;
}

/** The banner for people after the start. It shows the key only at the start that created it. */
export function banner({ url, keyFile, newKey, signInUrl }: BannerFacts): string {
  const key = newKey
    ? ['', `  Admin key, shown only this once: ${newKey}`, `  It is kept in ${keyFile}`]
    : ['', keyFile ? `  The admin key is in ${keyFile}` : '  The keys that you have go on working.'];
  const insecure = url.startsWith('https:') ? '-k ' : '';
  const shown = keyFile ? `$(cat ${shellWord(keyFile)})` : '$TIDEWATCH_API_KEY';
  return [
    '',
    `  Tidewatch runs at ${url} (documentation: ${url}/docs)`,
    ...(signInUrl === null ? [] : [`  Sign in once, within 15 minutes: ${signInUrl}`]),
    ...key,
    '',
    `  curl ${insecure}-H "X-API-Key: ${shown}" ${url}/api/v1/services`,
    '',
    '',
  ].join('\n');
}

/**
 * The line that programs get after the start: JSON without the key, because such output is kept in logs; `admin_key_file`
 * is the path of the key.
 */
export function readyLine(facts: { url: string; keyFile: string | null; version: string }): string {
  const { url, keyFile, version } = facts;
  const docs = `${url}/docs`;
  return `${JSON.stringify({ event: 'ready', url, docs, version, admin_key_file: keyFile })}\n`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The address at which this machine reaches a server that may listen on all addresses. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
