import type { Preferences } from '../../../preferences/preferences.ts';

interface PreferenceText<Name extends keyof Preferences> {
  name: Name;
  title: string;
  choices: readonly (readonly [value: Preferences[Name], word: string])[];
}

type AnyPreferenceText = { [Name in keyof Preferences]: PreferenceText<Name> }[keyof Preferences];

/** The preferences in the order of the page, with the words of their values. */
export const PREFERENCE_TEXTS: readonly AnyPreferenceText[] = [
  {
    name: 'theme',
    title: 'Theme',
    choices: [
      ['system', 'As the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  },
  {
    name: 'density',
    title: 'Density of lists',
    choices: [
      ['comfortable', 'Comfortable'],
      ['compact', 'Compact'],
    ],
  },
  {
    name: 'zone',
    title: 'Times',
    choices: [
      ['local', 'In the zone of this browser'],
      ['utc', 'In UTC'],
    ],
  },
  {
    name: 'shortcuts',
    title: 'Shortcuts of a single character',
    choices: [
      ['on', 'On: such as / for the filter of a page, and u to change between local time and UTC'],
      ['off', 'Off: Escape, and keys within tables and charts, go on working'],
    ],
  },
  {
    name: 'motion',
    title: 'Motion',
    choices: [
      ['system', 'As the system'],
      ['reduced', 'None'],
    ],
  },
  {
    name: 'start',
    title: 'Start page',
    choices: [
      ['overview', 'Overview'],
      ['alerts', 'Alerts'],
      ['hosts', 'Hosts'],
      ['rules', 'Rules'],
    ],
  },
];
