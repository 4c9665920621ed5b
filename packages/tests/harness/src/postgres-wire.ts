/** The effect of a message of PostgreSQL's protocol on a transaction. */
export interface WireMessage {
  kind: number;
  body: Buffer;
}

const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);

/** Calls `look` with each complete message of one direction; skips the client's first message, which has no type. */
export function readMessages(
  look: (message: WireMessage) => void,
  startup: boolean,
): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = startup;
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!untyped) look({ kind: rest[0] as number, body: rest.subarray(5, end) });
      untyped = false;
      rest = rest.subarray(end);
    }
  };
}

/**
 * Creates a function that returns the statement that a client's message runs, directly or as prepared before; null for
 * none.
 */
export function createStatementFinder(): (message: WireMessage) => string | null {
  const prepared = new Map<string, string>();
  return ({ kind, body }) => {
    if (kind === QUERY) return textAt(body, 0)[0];
    if (kind !== PARSE && kind !== BIND) return null;
    const [first, after] = textAt(body, 0);
    const [second] = textAt(body, after);
    if (kind === BIND) return prepared.get(second) ?? null;
    prepared.set(first, second);
    return null;
  };
}

/** The tag of a statement that the server has completed, such as `COMMIT`; null for any other message. */
export function completedBy({ kind, body }: WireMessage): string | null {
  return kind === COMPLETE ? textAt(body, 0)[0] : null;
}

function textAt(body: Buffer, from: number): [text: string, end: number] {
  const end = body.indexOf(0, from);
  return [body.toString('utf8', from, end), end + 1];
}
