import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { examine } from '../doctor/examine.ts';
import { type Finding, worst } from '../doctor/finding.ts';
import { EXIT } from '../exit-code.ts';
import { safeText } from '../output/safe-text.ts';
import type { Paint } from '../output/terminal.ts';
import type { Session } from '../session.ts';

const COLOURS: Readonly<Record<Finding['status'], Paint>> = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  unknown: 'gray',
};

export function addDoctor(program: CommandUnknownOpts, session: Session): void {
  program
    .command('doctor')
    .description(
      'check the installation (readiness, clocks, lag, limits, disk) and print advice; exit code 1 if a check fails',
    )
    .action(async () => {
      const { terminal, address, env, clock } = session;
      const client = session.hasKey() ? session.client() : undefined;
      const findings = await examine({ address: address(), env, client, clock });
      const status = worst(findings);
      if (status === 'failed') session.exitCode = EXIT.failed;
      if (session.json()) return terminal.json({ status, findings });
      for (const each of findings) {
        const mark = terminal.paint(COLOURS[each.status], each.status.padEnd(7));
        await terminal.print(`${mark}  ${each.check.padEnd(15)}  ${safeText(each.summary)}\n`);
        if (each.advice !== null) await terminal.print(`${' '.repeat(26)}→ ${safeText(each.advice)}\n`);
      }
    });
}
