import type { SubjectFamily } from '../subject-family.ts';
import { CADVISOR } from './cadvisor.ts';
import { COLLECTD_PROCESSES } from './collectd-processes.ts';
import { OTEL_CONTAINERS } from './otel-containers.ts';
import { OTEL_PROCESSES } from './otel-processes.ts';
import { TELEGRAF_DOCKER } from './telegraf-docker.ts';
import { TELEGRAF_PROCSTAT } from './telegraf-procstat.ts';

/** The families of agents whose containers and processes are known; the first that matches a series counts. */
export const SUBJECT_FAMILIES: readonly SubjectFamily[] = [
  OTEL_PROCESSES,
  OTEL_CONTAINERS,
  CADVISOR,
  TELEGRAF_DOCKER,
  TELEGRAF_PROCSTAT,
  COLLECTD_PROCESSES,
];
