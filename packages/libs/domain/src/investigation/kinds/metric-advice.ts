import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { classOf } from '../metric-class.ts';
import { plain } from '../words/names.ts';
import { type Advice, READS_ONLY } from './advice.ts';

export function metricAdvice({ metric, host }: FindingDraft, facts: Facts): Advice[] {
  const where = `On ${plain(host)}`;
  switch (classOf(metric ?? '')) {
    case 'space':
      return [
        {
          title: 'Find what fills the disk',
          description: `${where}: the largest folders, then the largest files. Free space stops falling once their writer is found.`,
          command:
            'du -xh --max-depth=2 / 2>/dev/null | sort -h | tail -n 25; find / -xdev -type f -mmin -60 -size +50M 2>/dev/null',
          risk: 'None to data; reading a large disk takes a while and slows it.',
        },
        {
          title: 'Free space at once',
          description: `${where}: removes archived journals beyond 200 MB; df shows what it gave.`,
          command: 'journalctl --vacuum-size=200M',
          risk: 'Destructive: older journals are gone for good.',
        },
      ];
    case 'traffic':
      return [
        {
          title: `See who moves the bytes on ${plain(host)}`,
          description: `${where}: connections by what they carried, and the counters of the devices. The one that grows between two looks is it.`,
          command:
            "ss -tinp state established | grep -B1 bytes_; awk '{print $1, $2, $10}' /proc/net/dev; iostat -dx 2 3",
          risk: READS_ONLY,
        },
      ];
    case 'memory':
      return [
        {
          title: `See what takes the memory of ${plain(host)}`,
          description: `${where}: the largest processes, and the caches of the kernel.`,
          command:
            'ps -eo pid,user,rss,etime,args --sort=-rss | head -n 15; grep -E "MemAvailable|Slab|Shmem" /proc/meminfo',
          risk: READS_ONLY,
        },
      ];
    default:
      return [
        {
          title: `See what ${plain(host)} is doing`,
          description: `${where}: the busiest processes and what waits.${facts.service.host === host ? '' : ' It is another host than the one that alerted.'}`,
          command: 'top -b -n 1 -o %CPU | head -n 25; vmstat 1 5',
          risk: READS_ONLY,
        },
      ];
  }
}
