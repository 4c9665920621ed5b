import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { BATCH, type BatchOutcome, sendBody, sendLines } from '@tidewatch/api-client/ingest';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { collect, parseAssignment, parseCountOf } from '../arguments.ts';
import { EXIT } from '../exit-code.ts';
import { counted } from '../output/counted.ts';
import { safeText } from '../output/safe-text.ts';
import { readLines } from '../send/read-lines.ts';
import { readSample } from '../send/sample-arguments.ts';
import type { Session } from '../session.ts';

const PROGRESS_INTERVAL_MS = 1_000;
const MAX_SHOWN_FAULTS = 20;

export function addSend(program: CommandUnknownOpts, session: Session): void {
  program
    .command('send')
    .description('send a sample, or payloads from standard input as NDJSON')
    .argument('[host]', 'name of the host; without it, or with -, standard input is read')
    .argument('[metric=number...]', 'metric values, such as cpu_percent=93.5')
    .option('--tag <name=value>', 'tag of the host (repeatable)', collect(parseAssignment))
    .option('--time <time>', 'time of the sample; now by default')
    .option('--lenient', 'store the valid payloads of standard input and print the faults of the others')
    .option('--batch <payloads>', 'maximum number of payloads in one request', parseCountOf(BATCH.payloads))
    .action(async (host, values, options) => {
      const client = session.client();
      if (host === undefined || host === '-') {
        if (options.tag || options.time)
          throw new UsageError(
            '--tag and --time apply only to a sample given as arguments, not to standard input',
          );
        return sendInput(session, options);
      }
      const payload = readSample(host, values, { tags: options.tag ?? [], time: options.time });
      const answer = await sendBody(client, JSON.stringify(payload), 'application/json', {
        warnings: true,
        signal: session.signal,
      });
      for (const { path, message } of answer.warnings ?? [])
        session.terminal.note(safeText(`warning: ${path} ${message}`));
      if (session.json()) return session.terminal.json(answer);
      const count = Object.keys(payload.metrics).length;
      return session.terminal.print(`sent ${counted(count, 'value')} of ${safeText(host)}\n`);
    });
}

async function sendInput(
  session: Session,
  options: { lenient?: true | undefined; batch?: number | undefined },
): Promise<void> {
  const { terminal, input, signal } = session;
  if (input.isTTY) terminal.note('reading payloads from the terminal, one to a line, until Ctrl-D');
  const sent = { accepted: 0, rejected: 0, batches: 0 };
  let reportedAt = session.clock();
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
      shown += noteRefusals(session, outcome, MAX_SHOWN_FAULTS - shown);
      noteWarnings(session, outcome, warned);
      if (terminal.showsProgress && session.clock() - reportedAt >= PROGRESS_INTERVAL_MS) {
        reportedAt = session.clock();
        terminal.note(terminal.paint('gray', `${sent.accepted} payloads so far`));
      }
    }
  } catch (error) {
    terminal.note(`${sent.accepted} payloads were accepted before this error:`);
    throw error;
  }
  if (session.json())
    await terminal.json({ status: 'ok', events_accepted: sent.accepted, events_rejected: sent.rejected });
  else
    await terminal.print(
      `${counted(sent.accepted, 'payload')} accepted, ${sent.rejected} refused, in ${counted(sent.batches, 'request')}\n`,
    );
  if (sent.rejected > 0) session.exitCode = options.lenient ? EXIT.failed : EXIT.invalid;
}

/** Prints each ignored field once, with the first line that has it, over all batches. */
function noteWarnings({ terminal }: Session, { warnings }: BatchOutcome, warned: Set<string>): void {
  for (const { line, path, payloads, message } of warnings) {
    if (warned.has(path) || warned.size >= MAX_SHOWN_FAULTS) continue;
    warned.add(path);
    const more = payloads > 1 ? ` (${payloads} payloads of its request)` : '';
    terminal.note(safeText(`warning: line ${line}: ${path} ${message}${more}`));
  }
}

/** Prints at most `max` faults with their lines. Returns how many were printed. */
function noteRefusals({ terminal }: Session, { refusals }: BatchOutcome, max: number): number {
  const named = refusals.slice(0, Math.max(0, max));
  for (const { line, path, message } of named)
    terminal.note(safeText(`line ${line}: ${path === '' ? message : `${path} ${message}`}`));
  if (refusals.length > named.length && max > 0) terminal.note('further faults are not shown');
  return named.length;
}
