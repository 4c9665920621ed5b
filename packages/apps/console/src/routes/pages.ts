import type { RouteComponent } from '@tanstack/react-router';
import type { ServedPage } from '@tidewatch/contracts/console/paths';
import { lazyRouteComponent } from '../upgrade/lazy-route-component.ts';
import { AlertPage } from './alerts/alert/alert-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';

/**
 * The component of each page. The two that people open first, by the address or from a notification, are part of the first
 * script; each other one is loaded when somebody is about to open it, or while its list is idle (next-page.ts).
 */
export const PAGE_COMPONENTS: Readonly<Record<ServedPage, RouteComponent>> = {
  overview: OverviewPage,
  hosts: lazyRouteComponent(() => import('./hosts/hosts-page.tsx'), 'HostsPage'),
  addHost: lazyRouteComponent(() => import('./add-host/add-host-page.tsx'), 'AddHostPage'),
  compare: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
  host: lazyRouteComponent(() => import('./host/host-page.tsx'), 'HostPage'),
  alerts: lazyRouteComponent(() => import('./alerts/list/alerts-page.tsx'), 'AlertsPage'),
  alert: AlertPage,
  investigations: lazyRouteComponent(
    () => import('./investigations/list/investigations-page.tsx'),
    'InvestigationsPage',
  ),
  investigation: lazyRouteComponent(
    () => import('./investigations/page/investigation-page.tsx'),
    'InvestigationPage',
  ),
  signIn: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  query: lazyRouteComponent(() => import('./query/query-page.tsx'), 'QueryPage'),
  rules: lazyRouteComponent(() => import('./rules/rules-page.tsx'), 'RulesPage'),
  newRule: lazyRouteComponent(() => import('./rules/editor/new-rule-page.tsx'), 'NewRulePage'),
  editRule: lazyRouteComponent(() => import('./rules/editor/edit-rule-page.tsx'), 'EditRulePage'),
  rule: lazyRouteComponent(() => import('./rules/rule-page.tsx'), 'RulePage'),
  silences: lazyRouteComponent(() => import('./silences/silences-page.tsx'), 'SilencesPage'),
  newSilence: lazyRouteComponent(() => import('./silences/new-silence-page.tsx'), 'NewSilencePage'),
  channels: lazyRouteComponent(() => import('./channels/channels-page.tsx'), 'ChannelsPage'),
  channel: lazyRouteComponent(() => import('./channels/channel-page.tsx'), 'ChannelPage'),
  notifications: lazyRouteComponent(
    () => import('./notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  events: lazyRouteComponent(() => import('./events/events-page.tsx'), 'EventsPage'),
  markers: lazyRouteComponent(() => import('./markers/markers-page.tsx'), 'MarkersPage'),
  preferences: lazyRouteComponent(
    () => import('./settings/preferences/preferences-page.tsx'),
    'PreferencesPage',
  ),
  keys: lazyRouteComponent(() => import('./settings/keys/keys-page.tsx'), 'KeysPage'),
  key: lazyRouteComponent(() => import('./settings/keys/key-page.tsx'), 'KeyPage'),
  sessions: lazyRouteComponent(() => import('./settings/sessions/sessions-page.tsx'), 'SessionsPage'),
  organizations: lazyRouteComponent(
    () => import('./settings/organizations/organizations-page.tsx'),
    'OrganizationsPage',
  ),
  limits: lazyRouteComponent(() => import('./settings/limits/limits-page.tsx'), 'LimitsPage'),
  audit: lazyRouteComponent(() => import('./settings/audit/audit-page.tsx'), 'AuditPage'),
  system: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
};
