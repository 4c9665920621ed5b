import { config } from 'zod';

// The policy of the page forbids compiled validators. This is to run before the first schema is made.
config({ jitless: true });
