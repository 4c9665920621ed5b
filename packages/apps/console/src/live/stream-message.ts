import type { Event } from '@tidewatch/api-client/events';
import type { LinkState } from './link-state.ts';

/** What a stream says to a page. `reset`: events may have been missed, so that everything must be read again. */
export type StreamMessage =
  | { kind: 'state'; state: LinkState }
  | { kind: 'events'; events: readonly Event[] }
  | { kind: 'reset' };

/** What a page asks of the worker that reads the stream. `start` begins again after a sign-in, `leave` when it closes. */
export type StreamRequest = 'start' | 'retry' | 'leave';
