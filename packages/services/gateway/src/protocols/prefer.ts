import type { IncomingHttpHeaders } from 'node:http';

/** Whether `Prefer: return=representation` (RFC 7240) asks for a receipt; the first return counts. */
export function prefersReceipt({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return (
    /(?:^|[,;])\s*return\s*=\s*"?([\w-]+)/i.exec(textOf(prefer))?.[1]?.toLowerCase() === 'representation'
  );
}

/** Whether `Prefer: handling=lenient` (RFC 7240) asks to accept what is valid of a batch; the first handling counts. */
export function prefersLenient({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return /(?:^|[,;])\s*handling\s*=\s*"?(\w+)/i.exec(textOf(prefer))?.[1]?.toLowerCase() === 'lenient';
}

/** Whether `Prefer: warnings` asks to name the ignored fields of payloads; `warnings=true` means the same. */
export function prefersWarnings({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  return /(?:^|,)\s*warnings\s*(?:=\s*(?:""|true|"true")\s*)?(?:[,;]|$)/i.test(textOf(prefer));
}

function textOf(prefer: string | string[]): string {
  return Array.isArray(prefer) ? prefer.join(',') : prefer;
}
