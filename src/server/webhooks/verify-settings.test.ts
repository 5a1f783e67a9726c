import { expect, it } from 'vitest';
import { HMAC_PRESETS } from '../../contract/webhook-presets.ts';
import { checkVerifySettings } from './verify-settings.ts';

it.each(HMAC_PRESETS)('takes the preset %s as it is', (preset) => {
  expect(checkVerifySettings({ type: 'hmac', preset }).stored).toMatchObject({ type: 'hmac', preset });
});

it('refuses a time of signing that is not signed', () => {
  const timed = { type: 'hmac', timestampHeader: 'x-time' } as const;
  expect(() => checkVerifySettings(timed)).toThrow('/verify/signedContent must contain {timestamp}');
  expect(() => checkVerifySettings({ type: 'hmac', preset: 'slack', signedContent: '{body}' })).toThrow('{timestamp}');
  expect(checkVerifySettings({ ...timed, signedContent: '{timestamp}.{body}' }).stored).toMatchObject({
    scheme: { timestampHeader: 'x-time' },
  });
  expect(
    checkVerifySettings({ type: 'hmac', preset: 'slack', signedContent: '{body}', timestampHeader: null }),
  ).toBeDefined();
});
