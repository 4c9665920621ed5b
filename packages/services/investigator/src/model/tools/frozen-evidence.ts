import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import { toIso } from '@tidewatch/contracts/time/time';
import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';
import { thinned } from '@tidewatch/domain/prompt-text/shown-evidence';
import { ASKED_BY_MODEL } from '../prompt/case.ts';
import { QUESTION_STAT } from './question-key.ts';

const MAX_PIECES = 8;
const MAX_POINTS = 240;
const MAX_QUERY = 1_000;
/** The max length of one piece of evidence as JSON. */
const MAX_CHARACTERS = 32_768;

/** Evidence with the key of its source. */
export interface ReadEvidence extends Evidence {
  readonly ref: string;
}

export interface FrozenEvidence {
  /** Whether another piece may be added. */
  hasRoom(): boolean;
  /**
   * Stores the result of a query as evidence with a new id, or returns the earlier piece of the same source. `question` is
   * the key of the query.
   */
  freeze(draft: EvidenceDraft, question: string): ReadEvidence;
}

/** Keeps copies of the data that a model read, limited in number and size, to be stored as evidence. */
export function frozenEvidence(newId: (prefix: 'evd') => string): FrozenEvidence {
  const byRef = new Map<string, ReadEvidence>();
  return {
    hasRoom: () => byRef.size < MAX_PIECES,
    freeze(draft, question) {
      const before = byRef.get(draft.ref);
      if (before !== undefined) return before;
      const whole: ReadEvidence = {
        id: newId('evd'),
        ref: draft.ref,
        query: draft.query.slice(0, MAX_QUERY),
        from: toIso(draft.from),
        to: toIso(draft.to),
        stats: { ...draft.stats, ...ASKED_BY_MODEL, [QUESTION_STAT]: question },
        points: thinned(draft.points, MAX_POINTS).map((row) => ({ ...row })),
      };
      const piece = withinSize(whole);
      byRef.set(draft.ref, piece);
      return piece;
    },
  };
}

function withinSize(evidence: ReadEvidence): ReadEvidence {
  let piece = evidence;
  while (piece.points.length > 0 && JSON.stringify(piece).length > MAX_CHARACTERS)
    piece = { ...piece, points: [...thinned(piece.points, Math.floor(piece.points.length / 2))] };
  return piece;
}
