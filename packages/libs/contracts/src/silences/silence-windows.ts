import { z } from 'zod';
import { timeQuery, windowInOrder } from '../queries/query.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';

/** Days that the windows of silences are expanded over at most, and windows of one answer. */
export const MAX_WINDOW_DAYS = 92;
export const MAX_WINDOWS = 10_000;

/** Query of the windows of silences; `from` and `to` are milliseconds, undefined where not given. */
export const silenceWindowsQuerySchema = z
  .object({
    from: timeQuery('Start of the range; by default now, or a week before its end.'),
    to: timeQuery('End of the range, not part of it; by default a week after its start.'),
  })
  .check(windowInOrder);

export const silenceWindowsSchema = z
  .object({
    from: timestampSchema,
    to: timestampSchema,
    windows: z
      .array(
        z
          .object({
            silence_id: idSchema('sil'),
            from: timestampSchema.meta({ description: 'When the window begins.' }),
            until: timestampSchema.meta({ description: 'When it ends, or when the silence does.' }),
          })
          .meta({ id: 'SilenceWindow', description: 'A time during which a silence mutes.' }),
      )
      .meta({ description: 'Windows that overlap the range, by their beginning, then by silence.' }),
  })
  .meta({ id: 'SilenceWindows', description: 'When the silences of the list mute, within `[from, to)`.' });

export type SilenceWindowsAnswer = z.infer<typeof silenceWindowsSchema>;
