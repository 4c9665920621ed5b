import type { Silence } from '@tidewatch/contracts/silences/silence';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { instantOf, localTime } from '../../components/time/zoned-time.ts';
import type { Draft } from '../../form/form-state.ts';

/** A silence of an hour from now, in that zone. */
export function newSilence(now: number, timezone: string, matchers: Draft = {}): Draft {
  const from = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return {
    matchers: { hosts: [], tags: {}, rule_ids: [], severities: [], subjects: [], ...matchers },
    from: localTime(from, timezone),
    until: localTime(from + HOUR_MS, timezone),
    recurrence: null,
    timezone,
    comment: '',
  };
}

/** A copy of a silence; one that is over begins now and lasts as long. */
export function copyOfSilence(silence: Silence, now: number): Draft {
  const { matchers, recurrence, timezone, comment } = silence;
  const [from, until] = [Date.parse(silence.from), Date.parse(silence.until)];
  const start = recurrence !== null || from > now ? from : Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return {
    matchers,
    from: localTime(start, timezone),
    until: localTime(start + until - from, timezone),
    recurrence,
    timezone,
    comment,
  };
}

/** The body of the request: the clocks of the draft's zone as times. What cannot be read stays, and the API refuses it. */
export function silenceBody(draft: Draft): Draft {
  const zone = String(draft['timezone']);
  const time = (local: unknown) => {
    const at = instantOf(String(local), zone);
    return Number.isNaN(at) ? String(local) : new Date(at).toISOString();
  };
  return { ...draft, from: time(draft['from']), until: time(draft['until']) };
}
