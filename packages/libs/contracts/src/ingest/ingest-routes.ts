import type { Route } from '../document/route.ts';
import { COLLECTD_ROUTES } from './agents/collectd-routes.ts';
import { DATADOG_ROUTES, DATADOG_VALIDATE_ROUTE } from './agents/datadog-routes.ts';
import {
  INFLUX_HEALTH_ROUTE,
  INFLUX_PING_ROUTE,
  INFLUX_QUERY_ROUTE,
  INFLUX_WRITE_ROUTES,
} from './agents/influx-routes.ts';
import { OTLP_ROUTES } from './agents/otlp-routes.ts';
import { REMOTE_WRITE_ROUTES } from './agents/remote-write-routes.ts';
import { INGEST_ROUTE } from './ingest-route.ts';

/** The endpoints by which other agents send. */
export const AGENT_INGEST_ROUTES: readonly Route[] = [
  ...REMOTE_WRITE_ROUTES,
  ...OTLP_ROUTES,
  ...INFLUX_WRITE_ROUTES,
  ...COLLECTD_ROUTES,
  ...DATADOG_ROUTES,
];

/** The endpoints that other agents ask beside them. */
export const AGENT_QUESTION_ROUTES: readonly Route[] = [
  INFLUX_PING_ROUTE,
  INFLUX_HEALTH_ROUTE,
  INFLUX_QUERY_ROUTE,
  DATADOG_VALIDATE_ROUTE,
];

/** The endpoints for other agents. */
export const AGENT_ROUTES: readonly Route[] = [...AGENT_INGEST_ROUTES, ...AGENT_QUESTION_ROUTES];

/** The endpoints of gateways, to which reverse proxies forward these methods and paths. */
export const INGEST_ROUTES: readonly Route[] = [INGEST_ROUTE, ...AGENT_ROUTES];
