import type { ServiceName } from '@tidewatch/runtime/process/backend-service';

/** The roles of processes of the stack. */
export type Role = ServiceName | 'proxy' | 'kafka' | 'postgres' | 'redis';
