import { openTestGateway } from './gateway.harness.ts';

const gateway = await openTestGateway({ seriesLimit: 1_000_000, foreignSeries: 50_000, otlpGrpcPort: 0 });

// What is published is kept for the request alone, as a process does that publishes to Kafka.
setInterval(() => {
  gateway.stored.length = 0;
}, 10).unref();
process.on('disconnect', () => void gateway.close());
process.send?.({ url: gateway.url, grpcPort: gateway.grpcPort });
