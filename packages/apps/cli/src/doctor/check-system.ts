import type { Schema } from '@tidewatch/api-client/schema';
import { gradeSystem } from '@tidewatch/contracts/system/system-grades';
import { type Finding, finding } from './finding.ts';

const GIB = 2 ** 30;

/** Checks the state of the installation that its operator can read: the facts of the console's page "System". */
export function checkSystem(system: Schema<'System'>): Finding[] {
  const grades = gradeSystem(system);
  return [
    ...checkProcesses(system),
    checkDeadLetters(system, grades.dead_letters),
    checkJobs(system, grades.jobs),
    checkStorage(system, grades.storage),
  ];
}

function checkProcesses({ processes, reasons, status }: Schema<'System'>): Finding[] {
  const running = processes.filter((process) => process.status !== 'missing').length;
  const count = `${running} ${running === 1 ? 'process reports' : 'processes report'}`;
  if (reasons.length === 0) return [finding('processes', 'ok', count)];
  return reasons.map((reason) =>
    finding(
      'processes',
      status === 'unavailable' ? 'failed' : 'warning',
      `${reason} (${count})`,
      'start what is missing, and read the log of the process that reports this',
    ),
  );
}

function checkDeadLetters({ dead_letters: { count } }: Schema<'System'>, grade: Finding['status']): Finding {
  if (count === 0) return finding('dead letters', 'ok', 'none since the processes started');
  return finding(
    'dead letters',
    grade,
    `${count} since the processes started`,
    'search the logs for "dead letter": each line says which record was given up, and why',
  );
}

function checkJobs({ jobs: { failing, failures } }: Schema<'System'>, grade: Finding['status']): Finding {
  if (failing.length > 0)
    return finding(
      'jobs',
      grade,
      `failing: ${failing.join(', ')}`,
      'search the log of the writers for "a background job failed"',
    );
  return finding('jobs', 'ok', `none fails, ${failures} failed rounds since the processes started`);
}

function checkStorage({ storage }: Schema<'System'>, grade: Finding['status']): Finding {
  const { database_bytes, disk, growth_bytes_per_day: growth, days_left } = storage;
  const words = [`the database is ${(database_bytes / GIB).toFixed(1)} GiB`];
  if (growth !== null) words.push(`grows ${(growth / GIB).toFixed(1)} GiB a day`);
  if (disk === null) words.push('the disk of PostgreSQL is not seen from here');
  else words.push(`${(disk.free_bytes / GIB).toFixed(1)} GiB of ${(disk.total_bytes / GIB).toFixed(1)} free`);
  if (days_left !== null) words.push(`full in ${Math.floor(days_left)} days`);
  const isShort = grade === 'warning' || grade === 'failed';
  return finding(
    'storage',
    disk === null ? 'ok' : grade,
    words.join(', '),
    isShort ? 'free disk space, or reduce the retention' : null,
  );
}
