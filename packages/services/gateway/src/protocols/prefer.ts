import type { IncomingHttpHeaders } from 'node:http';

/** Whether `Prefer: return=representation` (RFC 7240) requests a receipt; only the first `return` counts. */
export function prefersReceipt({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return (
    /(?:^|[,;])\s*return\s*=\s*"?([\w-]+)/i.exec(textOf(prefer))?.[1]?.toLowerCase() === 'representation'
  );
}

/**
 * Whether `Prefer: handling=lenient` (RFC 7240) requests that the valid payloads of a batch are accepted; only the first
 * `handling` counts.
 */
export function prefersLenient({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return /(?:^|[,;])\s*handling\s*=\s*"?(\w+)/i.exec(textOf(prefer))?.[1]?.toLowerCase() === 'lenient';
}

/** Whether `Prefer: warnings` (or `warnings=true`) requests the names of ignored fields. */
export function prefersWarnings({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return /(?:^|,)\s*warnings\s*(?:=\s*(?:""|true|"true")\s*)?(?:[,;]|$)/i.test(textOf(prefer));
}

function textOf(prefer: string | string[]): string {
  return Array.isArray(prefer) ? prefer.join(',') : prefer;
}
