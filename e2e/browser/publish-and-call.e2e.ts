import { publishAndCall } from '../support/publish-and-call.ts';
import { test } from '../support/test.ts';

test(
  'an author makes a workflow, publishes it, calls it and sees its job',
  { tag: '@goal' },
  async ({ page, master }) => {
    await page.goto(master.url);
    await publishAndCall(page, master.url);
  },
);
