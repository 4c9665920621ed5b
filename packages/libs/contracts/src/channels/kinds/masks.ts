const HIDDEN = '…';
/** Shorter secrets are masked whole. */
const MIN_SHOWN = 12;

/** The masked form of a secret: "…last4". */
export function maskSecret(secret: string): string {
  return secret.length < MIN_SHOWN ? HIDDEN : `${HIDDEN}${secret.slice(-4)}`;
}

/** An address without what its path and query may hide: "https://hooks.slack.com/…last4". */
export function maskUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  const rest = `${pathname}${search}`;
  return rest === '/' ? `${origin}/` : `${origin}/${maskSecret(rest)}`;
}

/** The address of a provider is not secret; one that a client sets in its place may be. */
export function maskApi(own: string): (url: string) => string {
  return (url) => (url === own ? url : maskUrl(url));
}

/** A configuration whose fields of these names, where they are texts, are masked. */
export function maskFields(
  config: object,
  masks: Readonly<Record<string, (value: string) => string>>,
): Record<string, unknown> {
  const masked: Record<string, unknown> = { ...config };
  for (const [name, mask] of Object.entries(masks)) {
    const value = masked[name];
    if (typeof value === 'string') masked[name] = mask(value);
  }
  return masked;
}
