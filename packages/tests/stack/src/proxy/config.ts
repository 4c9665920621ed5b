import { SERVICE_NAMES } from '@tidewatch/contracts/system/service-names';
import { setting } from '@tidewatch/runtime/settings/config';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { foreignIngestSettings } from '@tidewatch/runtime/settings/limit-settings';
import { z } from 'zod';

const listOfUrls = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.url()).min(1));

const urls = (env: string, meaning: string) =>
  setting({
    env,
    schema: listOfUrls,
    meaning,
    example: 'http://127.0.0.1:9001,http://127.0.0.1:9002',
  });

/** Every setting of the stack's reverse proxy. */
export const proxySettings = {
  host: httpSettings.host,
  port: httpSettings.port,
  gateways: urls('TIDEWATCH_PROXY_GATEWAYS', 'Gateways, which take ingest in turns.'),
  otlpGrpcPort: foreignIngestSettings.otlpGrpcPort,
  grpcGateways: setting({
    env: 'TIDEWATCH_PROXY_GRPC_GATEWAYS',
    schema: listOfUrls.optional(),
    meaning: 'Gateways by their ports for OTLP over gRPC, which keep their clients.',
    example: 'http://127.0.0.1:9101,http://127.0.0.1:9102',
  }),
  api: urls('TIDEWATCH_PROXY_API', 'Query APIs, which take everything else in turns.'),
  members: setting({
    env: 'TIDEWATCH_PROXY_MEMBERS',
    schema: z
      .string()
      .transform((text) =>
        text.split(',').map((each) => {
          const [role, url] = each.split(/=(.*)/);
          return { role, url };
        }),
      )
      .pipe(z.array(z.object({ role: z.enum(SERVICE_NAMES), url: z.url() })).min(1)),
    meaning: 'The admin addresses of all services, each after its role, for /readyz.',
    example: 'gateway=http://127.0.0.1:9001,writer=http://127.0.0.1:9002',
  }),
};
