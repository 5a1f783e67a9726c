import { expect, it } from 'vitest';
import { isRetention, readSetting, settingName, settingText, settingUnit } from './setting-words.ts';

it('names a setting and its unit for people', () => {
  expect([settingName('codeMemoryBytes'), settingUnit('codeMemoryBytes')]).toEqual(['Code memory', 'bytes']);
  expect([settingName('queueDepth'), settingUnit('queueDepth')]).toEqual(['Queue depth', '']);
  expect([settingText('jobRetentionDays', 0), settingText('jobRetentionDays', 1), settingText('runTimeoutSeconds', 600), settingText('httpAllow', []), settingText('jobRetentionMode', 'delete')]).toEqual(['no limit', '1 day', '600 s', 'none', 'delete']);
  expect([isRetention('jobRetentionDays'), isRetention('retries')]).toEqual([true, false]);
});
it('reads what is typed by the kind of the setting', () => {
  expect(readSetting({ default: 3 }, '7.5')).toBe(7.5);
  expect(readSetting({ default: 3 }, 'seven')).toBeUndefined();
  expect(readSetting({ default: [] }, '10.0.0.0/8, intranet.local')).toEqual(['10.0.0.0/8', 'intranet.local']);
  expect(readSetting({ default: 'delete' }, ' archive ')).toBe('archive');
});
