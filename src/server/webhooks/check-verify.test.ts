import { expect, it } from 'vitest';
import { HMAC_PRESETS } from '../../contract/webhook-presets.ts';
import { checkVerify } from './check-verify.ts';

it.each(HMAC_PRESETS)('takes the preset %s as it is', (preset) => {
  expect(checkVerify({ type: 'hmac', preset }).stored).toMatchObject({ type: 'hmac', preset });
});

it('refuses a time of signing that is not signed', () => {
  const timed = { type: 'hmac', timestampHeader: 'x-time' } as const;
  expect(() => checkVerify(timed)).toThrow('/verify/signedContent must contain {timestamp}');
  expect(() => checkVerify({ type: 'hmac', preset: 'slack', signedContent: '{body}' })).toThrow('{timestamp}');
  expect(checkVerify({ ...timed, signedContent: '{timestamp}.{body}' }).stored).toMatchObject({
    scheme: { timestampHeader: 'x-time' },
  });
  expect(checkVerify({ type: 'hmac', preset: 'slack', signedContent: '{body}', timestampHeader: null })).toBeDefined();
});
