import { COLLECTD_PROTOCOL } from '../collectd/collectd-protocol.ts';
import { DATADOG_PROTOCOL } from '../datadog/datadog-protocol.ts';
import { INFLUX_PROTOCOL } from '../influx/influx-protocol.ts';
import { OTLP_PROTOCOL } from '../otlp/otlp-protocol.ts';
import { createRemoteWriteProtocol } from '../remote-write/remote-write-protocol.ts';
import type { AgentProtocol } from './agent-protocol.ts';

/** Every ingest protocol of other agents that the gateway serves. `maxSeries` is how many series it remembers at most. */
export function createAgentProtocols(maxSeries: number): readonly AgentProtocol[] {
  const remoteWrite = createRemoteWriteProtocol(maxSeries);
  return [remoteWrite, OTLP_PROTOCOL, INFLUX_PROTOCOL, COLLECTD_PROTOCOL, DATADOG_PROTOCOL];
}
