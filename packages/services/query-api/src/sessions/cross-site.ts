/** The headers that reveal the origin of a request, and the origins of the console. */
export interface RequestSource {
  /** `X-Tidewatch-Console`, which other origins cannot send, since the API has no CORS. */
  consoleHeader: string | undefined;
  /** `Sec-Fetch-Site`, which browsers leave out over plain HTTP outside of the loopback interface. */
  fetchSite: string | undefined;
  /** `Origin`, which browsers leave out of reads of the same origin. */
  origin: string | undefined;
  /** The origins under which the console is served, such as `https://tidewatch.example.com`. */
  ownOrigins: readonly string[];
  /** Whether this is a download, which is a plain link and sends no header of ours. */
  isDownload: boolean;
}

/** Why a request that uses a session may come from another site; undefined where it comes from the console. */
export function crossSiteFault(source: RequestSource): string | undefined {
  const { consoleHeader, fetchSite, origin, ownOrigins, isDownload } = source;
  if (fetchSite !== undefined && fetchSite !== 'same-origin')
    return `Sec-Fetch-Site is ${shown(fetchSite)}, and must be same-origin.`;
  if (origin !== undefined && !ownOrigins.includes(origin))
    return `Origin is ${shown(origin)}, and the console is at ${ownOrigins.join(' or ')}. Behind a proxy set TIDEWATCH_PUBLIC_URL, or TIDEWATCH_TRUST_PROXY.`;
  if (!isDownload && consoleHeader !== '1')
    return 'The request uses a session, or signs in, and so must have the header X-Tidewatch-Console: 1. Programs send a key, and no cookie.';
  return undefined;
}

/** The origin of a URL, as browsers spell it; undefined if the text is not a URL. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

const MAX_SHOWN = 200;

function shown(text: string): string {
  return text.slice(0, MAX_SHOWN);
}
