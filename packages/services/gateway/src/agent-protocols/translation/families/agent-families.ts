import { COLLECTD } from './collectd.ts';
import { DATADOG_AGENT } from './datadog-agent.ts';
import type { AgentFamily } from './family.ts';
import { NODE_EXPORTER } from './node-exporter.ts';
import { OTEL_HOSTMETRICS, OTEL_HOSTMETRICS_RENAMED } from './otel-hostmetrics.ts';
import { TELEGRAF } from './telegraf.ts';
import { WINDOWS_EXPORTER } from './windows-exporter.ts';

/** The families of agents whose metrics of hosts are known; the first that matches a series counts. */
export const AGENT_FAMILIES: readonly AgentFamily[] = [
  COLLECTD,
  DATADOG_AGENT,
  NODE_EXPORTER,
  WINDOWS_EXPORTER,
  OTEL_HOSTMETRICS,
  OTEL_HOSTMETRICS_RENAMED,
  TELEGRAF,
];
