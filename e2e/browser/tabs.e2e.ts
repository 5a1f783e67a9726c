import type { Page, Request } from '@playwright/test';
import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { publish } from '../support/master.ts';

test('eight tabs of one browser are all live by one stream, beside a log that is followed, and the next one takes it over', async ({
  page,
  master,
}) => {
  await publish(master, 'tabs-greeter', greeter);
  const streams = new Set<Request>();
  const context = page.context();
  context.on('request', (request) => request.url().includes('/api/v1/stream') && streams.add(request));
  context.on('requestfinished', (request) => streams.delete(request));
  context.on('requestfailed', (request) => streams.delete(request));
  const holders = () =>
    [...new Set([...streams].map((request) => request.frame().page()))].filter((tab) => !tab.isClosed());
  const greet = async () =>
    (
      (await (await master.event('tabs-greeter/dev', [{ name: 'Ada' }], { prefer: 'respond-async' })).json()) as {
        jobId: string;
      }
    ).jobId;
  const shows = (tabs: readonly Page[], jobId: string) =>
    Promise.all(
      tabs.map((tab) => expect(tab.getByRole('link', { name: new RegExp(jobId.slice(-8)) }).first()).toBeVisible()),
    );

  const logs = await context.newPage();
  await logs.goto(`${master.url}/logs?live=on&query=${encodeURIComponent('greeted')}`);
  const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto(`${master.url}/jobs?workflow=tabs-greeter`)));
  for (const tab of [logs, ...tabs]) await expect(tab.locator('main[data-stream="live"]')).toBeVisible();
  await expect(logs.getByRole('main').getByText('Live', { exact: true })).toBeVisible();
  expect(holders()).toHaveLength(1);

  await shows(tabs, await greet());
  await expect(logs.getByText('greeted somebody').first()).toBeVisible();
  // The one that holds the stream goes; whatever happens meanwhile reaches the others.
  const [leader] = holders();
  const left = [logs, ...tabs].filter((tab) => tab !== leader);
  const meanwhile = greet();
  await leader?.close();
  await expect.poll(holders).toHaveLength(1);
  expect(holders()).not.toContain(leader);
  const lists = left.filter((tab) => tab !== logs);
  await shows(lists, await meanwhile);
  await shows(lists, await greet());
  // The API is open to each of them all the while.
  expect(
    await Promise.all(left.map((tab) => tab.evaluate(async () => (await fetch('/api/v1/session')).status))),
  ).toEqual(left.map(() => 200));

  // Who signs out in one tab is signed out in all.
  const [first, second, ...rest] = lists as [Page, Page, ...Page[]];
  const two = [first, second];
  await Promise.all(rest.map((tab) => tab.close()));
  await first.getByRole('button', { name: /^Account/ }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  await Promise.all(
    two.map((tab) => expect(tab.getByRole('heading', { name: 'Sign in to Yardmaster' })).toBeVisible()),
  );
  // And in again.
  await first.getByLabel('Token').fill(master.token);
  await first.getByRole('button', { name: 'Sign in' }).click();
  await Promise.all(two.map((tab) => expect(tab.locator('main[data-stream="live"]')).toBeVisible()));
});
