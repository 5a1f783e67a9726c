import { expect, it } from 'vitest';
import { checkUrl } from './check-url.ts';

it.each([
  'file:///etc/passwd',
  'ftp://x/',
  'FILE:///{{path}}',
  'javascript:1',
  'http://169.254.169.254/latest',
  'https://metadata.google.internal/{{path}}',
  'http://[::ffff:a9fe:a9fe]/',
])('%s is a fault', (url) => {
  expect(checkUrl(url, '/nodes/1/config/url')).toMatchObject([{ pointer: '/nodes/1/config/url', code: 'BAD_CONFIG' }]);
});

it.each([
  'http://127.0.0.1:8080/',
  'https://{{host}}/x',
  '{{url}}',
  'http://169.254.{{rest}}',
  'https://example.com/{{ secrets.PATH }}',
  'http://10.0.0.1/',
])('%s is left to the worker', (url) => expect(checkUrl(url, '')).toEqual([]));
