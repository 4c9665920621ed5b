import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '@tidewatch/runtime/process/run';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { proxySettings } from './config.ts';
import { createForwarding } from './forward.ts';
import { createGrpcForwarding } from './forward-grpc.ts';
import { askMembers, combine } from './readiness.ts';

const logger = createLogger({ name: 'proxy', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });

await run({
  process,
  logger,
  async start(lifecycle) {
    const config = readConfig(proxySettings, process.env, (file) => keepSecretPrivate(file, logger));
    const send = (response: ServerResponse, status: number, body: object) => {
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Request-Id': randomUUID(),
      });
      response.end(JSON.stringify(body));
    };
    const { server, endStreams } = createForwarding({
      ...config,
      answer(request, response) {
        if (request.url === '/healthz') send(response, 200, { status: 'ok' });
        else if (request.url === '/readyz') {
          void askMembers(config.members, 3_000).then((members) => {
            const body = combine(members);
            send(response, body.status === 'unavailable' ? 503 : 200, body);
          });
        } else return false;
        return true;
      },
    });
    server.listen(config.port, config.host);
    await once(server, 'listening');
    lifecycle.defer(
      'server',
      () => new Promise<void>((resolve) => void server.close(() => resolve()).closeIdleConnections()),
    );
    lifecycle.defer('streams', endStreams);
    if (config.otlpGrpcPort !== undefined && config.grpcGateways !== undefined) {
      const grpc = createGrpcForwarding(config.grpcGateways);
      grpc.server.listen(config.otlpGrpcPort, config.host);
      await once(grpc.server, 'listening');
      logger.info({ port: (grpc.server.address() as AddressInfo).port }, 'listening for OTLP over gRPC');
      lifecycle.defer(
        'connections of gRPC',
        () =>
          new Promise<void>((resolve) => {
            grpc.server.close(() => resolve());
            grpc.endConnections();
          }),
      );
    }
  },
});
