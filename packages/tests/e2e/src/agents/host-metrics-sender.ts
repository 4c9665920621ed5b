import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { HostMetrics } from '@opentelemetry/host-metrics';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

// Sends the metrics of this machine and of one application until it is ended. The variables of its environment are those of
// every SDK of OpenTelemetry.
const isGrpc = process.env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL === 'grpc';
const provider = new MeterProvider({
  resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
  readers: [
    new PeriodicExportingMetricReader({
      exporter: isGrpc ? new GrpcExporter() : new OTLPMetricExporter(),
      exportIntervalMillis: Number(process.env.OTEL_METRIC_EXPORT_INTERVAL),
      exportTimeoutMillis: Number(process.env.OTEL_METRIC_EXPORT_INTERVAL),
    }),
  ],
});
metrics.setGlobalMeterProvider(provider);
new HostMetrics({ meterProvider: provider }).start();
const meter = provider.getMeter('checkout');
const orders = meter.createCounter('orders');
const latency = meter.createHistogram('checkout.duration', { unit: 'ms' });
const working = setInterval(() => {
  orders.add(2, { payment: 'card' });
  latency.record(20);
}, 100);
process.once('SIGTERM', () => {
  clearInterval(working);
  void provider.shutdown();
});
