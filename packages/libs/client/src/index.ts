export {
  type ClientOptions,
  createTidewatchClient,
  type TidewatchClient,
} from '@tidewatch/api-client/client';
export { type Event, type EventsOptions, events, type StreamItem } from '@tidewatch/api-client/events';
export type { components, operations, paths } from '@tidewatch/api-client/generated/api';
export {
  type BatchBounds,
  type BatchOutcome,
  type IngestAnswer,
  type Payload,
  type Refusal,
  type SendOptions,
  sendBody,
  sendLines,
} from '@tidewatch/api-client/ingest';
export { entries, type Page, pages } from '@tidewatch/api-client/pages';
export { ApiProblem, type Fault, type Problem, UnreachableError } from '@tidewatch/api-client/problem';
export type { Schema } from '@tidewatch/api-client/schema';
