import { UsageError } from '../usage-error.ts';

/** Longer than the service takes in any form. */
const LONGEST = 16 * 1024 * 1024;

/** Lines of a stream of bytes, read no faster than they are taken. Throws UsageError where it is no UTF-8 text. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decode(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST)
      throw new UsageError('a line is longer than 16 MiB: one payload to a line is expected');
    yield* lines;
  }
  rest += decode(decoder);
  if (rest !== '') yield rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array | string): string {
  if (typeof chunk === 'string') return chunk;
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new UsageError('the input is not UTF-8 text');
  }
}
