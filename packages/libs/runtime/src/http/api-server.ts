import type { BackendService } from '../process/backend-service.ts';
import type { ConfigOf } from '../settings/config.ts';
import { type httpSettings, readListening } from '../settings/http-settings.ts';
import { type AppOptions, createApp } from './app.ts';
import { type HttpServer, listen } from './http-server.ts';
import { listenRefusal } from './listen-refusal.ts';

export interface ApiServerOptions extends Pick<AppOptions, 'logger' | 'metrics'> {
  /** The services whose endpoints are served; a request is offered to them in this order. */
  services: readonly Pick<BackendService, 'http'>[];
  http: ConfigOf<typeof httpSettings>;
}

/** The max time that running requests may take to finish when the server stops, ms. */
const FINISH_WITHIN_MS = 4_000;

/** The HTTP server of the services of a process. */
export interface ApiServer {
  /** Listens. Throws StartRefusedError where the address cannot be used. */
  start(): Promise<void>;
  /** Returns the address of the server once it has started, such as `http://127.0.0.1:8230`. */
  url(): string;
  close(): Promise<void>;
}

/** Creates the server, which does not listen yet. Throws ConfigError where its settings do not fit together. */
export function createApiServer({ services, http, logger, metrics }: ApiServerOptions): ApiServer {
  const parts = services.flatMap((service) => service.http ?? []);
  const app = createApp({
    first: parts.flatMap(({ first }) => first ?? []),
    routers: parts.map(({ router }) => router),
    endpoints: parts.flatMap(({ endpoints }) => endpoints),
    answerNotFound: (request, response) =>
      parts.some(({ answerNotFound }) => answerNotFound?.(request, response)),
    logger,
    metrics,
    trustProxy: http.trustProxy,
  });
  const address = readListening(http);
  let server: HttpServer | undefined;
  return {
    async start() {
      server = await listen({ app, metrics, ...address }).catch((error: unknown) => {
        throw listenRefusal(address, 'TIDEWATCH_PORT or TIDEWATCH_HOST', error);
      });
      logger.info({ url: server.url }, 'the HTTP server of this process is listening');
    },
    url: () => server?.url ?? '',
    close: async () => server?.close(FINISH_WITHIN_MS),
  };
}
