import type { ServiceName } from '@tidewatch/runtime/process/backend-service';

/** What a process of the stack is. */
export type Role = ServiceName | 'proxy' | 'kafka' | 'postgres' | 'redis';
