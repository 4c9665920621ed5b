import createClient, { type Client, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { paths } from './generated/api.ts';
import { problemOf } from './problem.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends Partial<TransportOptions> {
  /** The address of Tidewatch: `https://monitor.example`. */
  url: string;
  /** The API key; not needed for paths without authentication. */
  key?: string;
  /** Headers of every request besides the key, such as those by which the server knows the console. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Calls one method of the API with a path of the document, its parameters and body; returns the body of a successful
 * response.
 */
type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: RequiredKeysOf<Init> extends never ? [Init?] : [Init]
) => Promise<Content<Path, Method, Init>>;

type Content<Path extends PathsWithMethod<paths, Method>, Method extends HttpMethod, Init> = OrUndefined<
  NonNullable<FetchResponse<paths[Path][Method] & object, Init, MediaType>['data']>
>;

/** Turns the type of an empty response body, `never`, into undefined. */
type OrUndefined<T> = [T] extends [never] ? undefined : T;

/**
 * A client of the API. Every call throws ApiProblem if the server refuses the request, and UnreachableError if no
 * response arrives.
 */
export interface TidewatchClient {
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  /** Makes the same calls, but returns the status and headers of every response, also of a refusal. */
  raw: Client<paths>;
  readonly url: string;
  /** The headers that identify the client to the server. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Creates a client of the whole API with the types of its document. Throws TypeError if `url` is no http or https
 * address.
 */
export function createTidewatchClient(options: ClientOptions): TidewatchClient {
  const clock = options.clock ?? Date.now;
  const url = baseUrl(options.url);
  const credentials: Record<string, string> = {
    ...options.headers,
    ...(options.key !== undefined && { 'X-API-Key': options.key }),
  };
  const transport = createTransport({
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    random: options.random ?? Math.random,
    clock,
    ...(options.fetch && { fetch: options.fetch }),
  });
  const raw = createClient<paths>({ baseUrl: url, headers: credentials, fetch: transport });

  // The types of a call are those of openapi-fetch without the error, which is thrown.
  const call = <Method extends HttpMethod>(method: Method) =>
    (async (path: string, init?: object) => {
      const send = raw.request as (method: string, path: string, init?: object) => Promise<Answer>;
      const { data, error, response } = await send(method, path, init);
      if (response.ok) return data;
      throw problemOf(response, typeof error === 'string' ? error : JSON.stringify(error ?? ''), clock());
    }) as Call<Method>;

  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    raw,
    url,
    credentials,
  };
}

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${text} is not an http or https address`);
  return text.replace(/\/+$/, '');
}
