import { expect, test } from 'vitest';
import limits from '../../../../../docs/limits.md?raw';
import { LIMITS } from '../../../../contract/limits.ts';
import { OTHER_SETTINGS } from '../../../../contract/settings.ts';
import { SETTING_GROUPS, settingGroup } from '../setting-groups.ts';
import { readMeanings } from './use-meanings.ts';

test('each limit has a sentence in the docs', () => {
  const meanings = readMeanings(limits);
  expect(Object.keys(LIMITS).filter((name) => !meanings.get(name)?.endsWith('.'))).toEqual([]);
});

test('every group has settings, and retention is the first', () => {
  const groups = [...Object.keys(LIMITS), ...Object.keys(OTHER_SETTINGS)].map(settingGroup);
  expect(new Set(groups)).toEqual(new Set(SETTING_GROUPS));
  expect(SETTING_GROUPS[0]).toBe('retention');
  expect(
    ['jobRetentionDays', 'logStoreBytes', 'scheduleTimeoutSeconds', 'schedules', 'traceLink', 'logLineBytes'].map(
      settingGroup,
    ),
  ).toEqual(['retention', 'retention', 'tasks', 'webhooks', 'console', 'logs']);
});
