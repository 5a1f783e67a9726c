import { test } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalFile } from '../../src/contract/process.ts';
import { publishAndCall } from '../goals/publish-and-call.ts';
import { openDesktop } from '../support/desktop.ts';

test('an author makes a workflow, publishes it, calls it and sees its job, in the desktop window', async () => {
  test.setTimeout(90_000);
  const { app, page, data } = await openDesktop();
  try {
    const { url } = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')) as LocalFile;
    await publishAndCall(page, url);
  } finally {
    await app.close();
  }
});
