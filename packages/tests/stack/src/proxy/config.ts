import { setting } from '@tidewatch/runtime/settings/config';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { z } from 'zod';

const urls = (env: string, meaning: string) =>
  setting({
    env,
    schema: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.url()).min(1)),
    meaning,
    example: 'http://127.0.0.1:9001,http://127.0.0.1:9002',
  });

/** Every setting of the stack's reverse proxy. */
export const proxySettings = {
  host: httpSettings.host,
  port: httpSettings.port,
  gateways: urls('TIDEWATCH_PROXY_GATEWAYS', 'Gateways, which take ingest in turns.'),
  api: urls('TIDEWATCH_PROXY_API', 'Query APIs, which take everything else in turns.'),
  members: urls('TIDEWATCH_PROXY_MEMBERS', 'The admin addresses of all services, for /readyz.'),
};
