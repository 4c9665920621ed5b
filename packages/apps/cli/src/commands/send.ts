import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { BATCH, type BatchOutcome, sendBody, sendLines } from '@tidewatch/api-client/ingest';
import { collect, parseCountOf, parsePair } from '../arguments.ts';
import { EXIT } from '../exit-code.ts';
import { safeText } from '../output/safe-text.ts';
import { readLines } from '../send/read-lines.ts';
import { readSample } from '../send/sample-arguments.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const TELL_EVERY_MS = 1_000;
/** More faults than these help nobody. */
const SHOWN = 20;

export function addSend(program: CommandUnknownOpts, session: Session): void {
  program
    .command('send')
    .description('send a sample, or payloads from standard input as NDJSON')
    .argument('[host]', 'name of the host; left out, or -, standard input is read')
    .argument('[metric=number...]', 'values, such as cpu_percent=93.5')
    .option('--tag <name=value>', 'a tag of the host (again for more)', collect(parsePair))
    .option('--time <time>', 'when it was so; now unless given')
    .option('--lenient', 'of standard input, send what is valid and name the rest')
    .option('--batch <payloads>', 'of standard input, payloads in one request', parseCountOf(BATCH.payloads))
    .action(async (host, pairs, options) => {
      const client = session.client();
      if (host === undefined || host === '-') {
        if (options.tag || options.time)
          throw new UsageError('--tag and --time are for a sample from arguments');
        return sendInput(session, options);
      }
      const payload = readSample(host, pairs, { tags: options.tag ?? [], time: options.time });
      const answer = await sendBody(client, JSON.stringify(payload), 'application/json', {
        warnings: true,
        signal: session.signal,
      });
      for (const { path, message } of answer.warnings ?? [])
        session.terminal.note(safeText(`warning: ${path} ${message}`));
      if (session.json()) return session.terminal.json(answer);
      const count = Object.keys(payload.metrics).length;
      return session.terminal.print(
        `sent ${count} ${count === 1 ? 'value' : 'values'} of ${safeText(host)}\n`,
      );
    });
}

async function sendInput(
  session: Session,
  options: { lenient?: true | undefined; batch?: number | undefined },
): Promise<void> {
  const { terminal, input, signal } = session;
  if (input.isTTY) terminal.note('reading payloads from the terminal, one to a line, until Ctrl-D');
  const sent = { accepted: 0, rejected: 0, batches: 0 };
  let told = session.clock();
  const bounds = { ...BATCH, payloads: options.batch ?? BATCH.payloads };
  const outcomes = sendLines(session.client(), readLines(input), {
    bounds,
    lenient: options.lenient ?? false,
    warnings: true,
    signal,
  });
  let shown = 0;
  const warned = new Set<string>();
  try {
    for await (const outcome of outcomes) {
      sent.accepted += outcome.accepted;
      sent.rejected += outcome.rejected;
      sent.batches += 1;
      shown += noteRefusals(session, outcome, SHOWN - shown);
      noteWarnings(session, outcome, warned);
      if (terminal.watched && session.clock() - told >= TELL_EVERY_MS) {
        told = session.clock();
        terminal.note(terminal.paint('gray', `${sent.accepted} payloads so far`));
      }
    }
  } catch (error) {
    terminal.note(`${sent.accepted} payloads were accepted before this:`);
    throw error;
  }
  if (session.json())
    await terminal.json({ status: 'ok', events_accepted: sent.accepted, events_rejected: sent.rejected });
  else
    await terminal.print(
      `${sent.accepted} payloads accepted, ${sent.rejected} refused, in ${sent.batches} requests\n`,
    );
  if (sent.rejected > 0) session.exitCode = options.lenient ? EXIT.failed : EXIT.invalid;
}

/** Names what is ignored by the first line that has it, each field once however many batches have it. */
function noteWarnings({ terminal }: Session, { warnings }: BatchOutcome, warned: Set<string>): void {
  for (const { line, path, payloads, message } of warnings) {
    if (warned.has(path) || warned.size >= SHOWN) continue;
    warned.add(path);
    const more = payloads > 1 ? ` (${payloads} payloads of its request)` : '';
    terminal.note(safeText(`warning: line ${line}: ${path} ${message}${more}`));
  }
}

/** Names at most so many faults by their lines; answers how many it named. */
function noteRefusals({ terminal }: Session, { refusals }: BatchOutcome, most: number): number {
  const named = refusals.slice(0, Math.max(0, most));
  for (const { line, path, message } of named)
    terminal.note(safeText(`line ${line}: ${path === '' ? message : `${path} ${message}`}`));
  if (refusals.length > named.length && most > 0) terminal.note('further faults are not shown');
  return named.length;
}
