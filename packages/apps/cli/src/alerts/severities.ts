import type { Schema } from '@tidewatch/api-client/schema';

export const SEVERITIES = ['critical', 'warning', 'info'] as const satisfies Schema<'Alert'>['severity'][];
