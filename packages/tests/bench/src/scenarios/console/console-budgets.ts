import { summarise } from '../../measure/percentile.ts';
import { mebibytes, number } from '../../report/table.ts';
import { atMost, type Budget, medianAtMost } from './budgets.ts';
import type { ConsoleResult } from './console-result.ts';
import type { LivePage } from './live-page.ts';
import { CONSOLES, ON_HOSTS } from './open-consoles.ts';

/** At most this share of interactions may be slower than the budget. */
const SLOW_INTERACTIONS = 0.02;

/** Every budget of the console with what was measured of it. */
export function budgetsOf(result: ConsoleResult): Budget[] {
  return [
    ...sizeBudgets(result),
    ...firstPageBudgets(result),
    ...hostsBudgets(result),
    ...liveBudgets(result),
    ...serverBudgets(result),
  ];
}

function sizeBudgets({ sizes }: ConsoleResult): Budget[] {
  const routes = sizes.filter(({ what }) => what.includes('src/routes/'));
  const largest = routes.reduce((max, each) => (each.size > max.size ? each : max));
  return [...sizes.filter((each) => !routes.includes(each)), largest].map(({ what, size, max }) =>
    atMost(`${what}, gzip`, size / 1_000, max / 1_000, ' kB', 1),
  );
}

function firstPageBudgets({ firstPage, alertPage, hostsPage }: ConsoleResult): Budget[] {
  const shifts = [...firstPage.shifts, ...alertPage.shifts, ...hostsPage.shifts];
  return [
    atMost('requests until the first page shows data', firstPage.requests.length, 6, ''),
    medianAtMost('first contentful paint, cold', firstPage.coldPaint, 1_000),
    medianAtMost('first contentful paint, warm', firstPage.warmPaint, 400),
    medianAtMost('main-thread CPU until data are shown, unthrottled', firstPage.cpu, 200),
    medianAtMost('page of an alert usable from a cold link', alertPage.usable, 1_500),
    atMost('layout shift, the worst of all loads', Math.max(...shifts), 0.02, '', 4),
  ];
}

function hostsBudgets({
  hostsPage: { interactions, draws, updates, longTasks, loadingTasks },
}: ConsoleResult): Budget[] {
  const times = interactions.map(({ ms }) => ms).sort((a, b) => a - b);
  const p98 = times[Math.ceil(times.length * (1 - SLOW_INTERACTIONS)) - 1] ?? 0;
  const afterArrival = longTaskBudget('tasks from the response with 10,000 hosts on', longTasks, 50);
  const slowest = interactions.reduce((max, each) => (each.ms > max.ms ? each : max));
  return [
    {
      ...atMost('interactions with 10,000 hosts, p98', p98, 100, ' ms'),
      measured: `${number(p98)} ms of ${times.length}; longest ${number(slowest.ms)} ms: ${slowest.name}`,
    },
    medianAtMost('fleet map: full draw', draws, 50, 1),
    medianAtMost('fleet map: update of 100 hosts', updates, 8, 1),
    {
      ...afterArrival,
      measured: `${afterArrival.measured}; before it, longest ${number(Math.max(...loadingTasks))} ms`,
    },
  ];
}

function liveBudgets({ livePage, hidden }: ConsoleResult): Budget[] {
  const { seconds, watchedSeconds, sent, received, repeated, agrees } = livePage;
  const p95 = percentile(livePage.visible, 0.95);
  return [
    longTaskBudget(`50 events/s for ${watchedSeconds} s: tasks`, livePage.longTasks, 100),
    atMost('the same: frames, p99', summarise(livePage.frames).p99, 34, ' ms'),
    {
      what: `the same for ${seconds} s more: every event applied once`,
      budget: 'all',
      measured: `${number(sent)} sent, ${number(received)} received, ${number(repeated)} twice; the list ${agrees ? 'agrees' : 'DISAGREES'} with the API`,
      isWithin: received >= sent && repeated === 0 && agrees,
    },
    longTaskBudget(`the same for ${seconds} s more, unthrottled: tasks`, livePage.unthrottledTasks, 100),
    heapBudget(livePage),
    {
      ...atMost('event emitted to visible, p95', p95, 500, ' ms'),
      measured: `${number(p95)} ms of ${number(livePage.visible.length)}`,
    },
    {
      what: 'hidden tab',
      budget: 'no requests, stream open',
      measured: `${hidden.requests.length === 0 ? 'no requests' : hidden.requests.join(', ')}, stream ${hidden.streamIsOpen ? 'open' : 'CLOSED'}`,
      isWithin: hidden.requests.length === 0 && hidden.streamIsOpen,
    },
  ];
}

/** The heap after the first minutes and at the end, at one rate of events. Before the first event the list is shorter. */
function heapBudget({ watchedSeconds, seconds, memory }: LivePage): Budget {
  const [atFirst, warm] = memory;
  const last = memory.at(-1) ?? warm;
  const growth = (100 * (last.heap - warm.heap)) / warm.heap;
  const signed = (value: number) => `${value > 0 ? '+' : ''}${number(value, 1)} %`;
  const code = (100 * ((last.code ?? 0) - (warm.code ?? 0))) / warm.heap;
  return {
    what: `the same: heap after garbage collection, from second ${watchedSeconds} to ${watchedSeconds + seconds}`,
    budget: 'grows by at most 5 %',
    measured: [
      `${mebibytes(warm.heap)} to ${mebibytes(last.heap)} MiB, ${signed(growth)}, of which compiled code ${signed(code)}`,
      `before the first event ${mebibytes(atFirst.heap)} MiB`,
      `nodes ${number(warm.nodes)} to ${number(last.nodes)}, listeners ${number(warm.listeners)} to ${number(last.listeners)}`,
    ].join('; '),
    isWithin: growth <= 5,
  };
}

function serverBudgets({ openConsoles, snapshot: { full } }: ConsoleResult): Budget[] {
  const share = 100 * (openConsoles.with - openConsoles.without);
  return [
    atMost(
      `server: ${CONSOLES} open consoles, ${ON_HOSTS} of them on all hosts, of a core`,
      share,
      5,
      ' %',
      1,
    ),
    {
      ...atMost('server: a snapshot of 10,000 hosts', full.tidewatchMs + full.postgresMs, 50, ' ms CPU', 1),
      measured: `${number(full.tidewatchMs + full.postgresMs, 1)} ms CPU (PostgreSQL ${number(full.postgresMs, 1)})`,
    },
  ];
}

function longTaskBudget(what: string, tasks: readonly number[], max: number): Budget {
  const longest = Math.max(0, ...tasks);
  const above = [50, 100].map((ms) => `${tasks.filter((task) => task > ms).length} > ${ms} ms`).join(', ');
  return {
    what,
    budget: `none > ${max} ms`,
    measured: tasks.length === 0 ? 'none > 50 ms' : `${above}, longest ${number(longest)} ms`,
    isWithin: longest <= max,
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
