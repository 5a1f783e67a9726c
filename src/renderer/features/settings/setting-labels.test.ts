import { expect, it } from 'vitest';
import {
  boundsFault,
  boundsText,
  limitsOfMaster,
  readSetting,
  settingText,
  settingUnit,
  variableOf,
} from './setting-labels.ts';
import { settingName } from '../../ui/setting-name.ts';

it('names a setting and its unit for people', () => {
  expect([settingName('codeMemoryBytes'), settingUnit('codeMemoryBytes')]).toEqual(['Code memory', 'bytes']);
  expect([settingName('batchJsonValues'), settingName('httpRedirects')]).toEqual([
    'Batch JSON values',
    'HTTP redirects',
  ]);
  expect([settingName('queueDepth'), settingUnit('queueDepth')]).toEqual(['Queue depth', '']);
  expect([
    settingText('jobRetentionDays', 0),
    settingText('jobRetentionDays', 1),
    settingText('runTimeoutSeconds', 600),
    settingText('httpAllow', []),
    settingText('jobRetentionMode', 'delete'),
  ]).toEqual(['no limit', '1 day', '600 s', 'none', 'delete']);
});
it('reads what is typed by the kind of the setting', () => {
  expect(readSetting({ default: 3 }, '7.5')).toBe(7.5);
  expect(readSetting({ default: 3 }, 'seven')).toBeUndefined();
  expect(readSetting({ default: [] }, '10.0.0.0/8, intranet.local')).toEqual(['10.0.0.0/8', 'intranet.local']);
  expect(readSetting({ default: 'delete' }, ' archive ')).toBe('archive');
  expect([readSetting({ default: 'delete' }, ' '), readSetting({ default: '' }, ' ')]).toEqual([undefined, '']);
});
it('says what a setting may be, and what is out of it', () => {
  const step = { name: 'retentionStepMs', bounds: { least: 1, most: 50, or: null } };
  const waiting = { name: 'eventWaitingBytes', bounds: { least: 1_048_576, most: 1_073_741_824, or: 0 } };
  expect([boundsText(step), boundsText(waiting), boundsText({ name: 'httpAllow', bounds: null })]).toEqual([
    'From 1 ms to 50 ms',
    '0, or from 1.0 MiB to 1.0 GiB',
    null,
  ]);
  expect(boundsText({ name: 'traceLink', bounds: null })).toContain('{traceId} {jobId}');
  expect([boundsFault(step, 51), boundsFault(step, 50), boundsFault(waiting, 0), boundsFault(waiting, 10)]).toEqual([
    'Out of range.',
    null,
    null,
    'Out of range.',
  ]);
});

it('shows limits of each master with the variable that sets them, and those alone', () => {
  expect(limitsOfMaster({ limits: { ownerWaitSeconds: 7, snapshotsKept: 2, retries: 3, ofANewerMaster: 1 } })).toEqual([
    {
      ...{ name: 'ownerWaitSeconds', value: 7, default: 4, override: null, restart: true },
      bounds: { least: 0.1, most: 60, or: null },
    },
    {
      ...{ name: 'snapshotsKept', value: 2, default: 2, override: null, restart: true },
      bounds: { least: 1, most: 100, or: null },
    },
  ]);
  expect([variableOf('ownerWaitSeconds'), variableOf('retries')]).toEqual(['YARDMASTER_OWNER_WAIT_SECONDS', null]);
});
