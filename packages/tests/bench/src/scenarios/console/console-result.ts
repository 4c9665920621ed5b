import type { PartSize } from '@tidewatch/tools/console-sizes';
import type { AlertPage } from './alert-page.ts';
import type { FirstPage } from './first-page.ts';
import type { HiddenTab } from './hidden-tab.ts';
import type { HostsPage } from './hosts-page.ts';
import type { LivePage } from './live-page.ts';
import type { OpenConsoles } from './open-consoles.ts';
import type { SnapshotCost } from './snapshot-cost.ts';

/** Everything that the scenario measures. */
export interface ConsoleResult {
  sizes: PartSize[];
  firstPage: FirstPage;
  alertPage: AlertPage;
  hostsPage: HostsPage;
  hidden: HiddenTab;
  livePage: LivePage;
  openConsoles: OpenConsoles;
  snapshot: SnapshotCost;
}
