const HIDDEN = '…';
/** Secrets shorter than this are masked completely. */
const MIN_SHOWN = 12;

/** The masked form of a secret: "…last4". */
export function maskSecret(secret: string): string {
  return secret.length < MIN_SHOWN ? HIDDEN : `${HIDDEN}${secret.slice(-4)}`;
}

/** Masks the parts of an address that may be secret, path and query: "https://hooks.slack.com/…last4". */
export function maskUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  const rest = `${pathname}${search}`;
  return rest === '/' ? `${origin}/` : `${origin}/${maskSecret(rest)}`;
}

/** Masks the address of an API unless it is the provider's own, which is not secret. */
export function maskApi(own: string): (url: string) => string {
  return (url) => (url === own ? url : maskUrl(url));
}

/** Masks the fields with these names in a configuration, if they are texts. */
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
