import { isIP } from 'node:net';
import { originOf } from '../sessions/cross-site.ts';

/** Where a message comes from. */
export interface MessageSource {
  /** The header `Origin`, which only browsers send. */
  origin: string | undefined;
  /** The origin under which the server was reached. */
  reached: string;
  /** The public URL of Tidewatch, if it is known. */
  publicUrl: string | null;
}

/**
 * Why a message of a browser is refused; undefined where there is no browser, or its page is of this server. A name other than that of
 * the public URL may lead here by DNS rebinding, so that it is no proof.
 */
export function originFault({ origin, reached, publicUrl }: MessageSource): string | undefined {
  if (origin === undefined) return undefined;
  if (publicUrl !== null && origin === originOf(publicUrl)) return undefined;
  if (origin === reached && isOwnAddress(new URL(reached).hostname)) return undefined;
  return 'Origin is that of another site. Assistants in a browser are not accepted.';
}

function isOwnAddress(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
