import type { IncomingHttpHeaders } from 'node:http';
import { keyText } from '@tidewatch/runtime/auth/authentication';

/**
 * The text of the key in the ways in which agents can send it: X-API-Key, a bearer token, the token of InfluxDB, the password of
 * basic authentication (whose user name is ignored), or DD-API-KEY. Undefined if there is none. Never from the URL, which is logged.
 */
export function agentKeyText(headers: IncomingHttpHeaders): string | undefined {
  const usual = keyText(headers);
  if (usual !== undefined) return usual;
  const ofDatadog = headers['dd-api-key'];
  if (typeof ofDatadog === 'string' && ofDatadog !== '') return ofDatadog;
  const [, scheme = '', text = ''] = /^(token|basic) +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'token') return text;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const credentials = Buffer.from(text, 'base64').toString('utf8');
  return credentials.slice(credentials.indexOf(':') + 1) || undefined;
}
