import { violationsOf } from '../support/accessibility.ts';
import { greeter } from '../support/workflow-definitions.ts';
import { expect, test } from '../support/test.ts';
import { forget, lastingPort, publish, startMaster } from '../support/master.ts';

test('whatever id is pasted opens from the palette, and the place is offered again', async ({ page, master }) => {
  const hash = await publish(master, 'frame-greeter', greeter);
  const { jobId } = (await (
    await master.event('frame-greeter/dev', [{ name: 'Ada' }], { prefer: 'respond-async' })
  ).json()) as { jobId: string };
  const [task] = await master.tasks(jobId);
  await page.goto(master.url);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const paste = async (text: string, option: RegExp) => {
    await page.keyboard.press('ControlOrMeta+K');
    await palette.getByRole('combobox').fill(text);
    const wanted = palette.getByRole('option', { name: option });
    await expect(wanted).toBeVisible();
    while ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  await paste(hash.slice(0, 9), /Version/);
  await expect(page).toHaveURL(new RegExp(`/workflows/frame-greeter\\?.*version=${hash}`));
  await paste(jobId, /Job ·/);
  await expect(page).toHaveURL(new RegExp(`/jobs/${jobId}$`));
  await paste(task?.id ?? '', /Task ·/);
  await expect(page).toHaveURL(new RegExp(`/jobs/${jobId}\\?task=${task?.id}`));
  await page.keyboard.press('Escape');
  await paste(master.apiKey, /API key ·/);
  await expect(page).toHaveURL(/settings\?tab=keys/);
  await page.keyboard.press('ControlOrMeta+K');
  await expect(palette.getByText('Recent')).toBeVisible();
  await page.keyboard.type('dead letters');
  await expect(palette.getByRole('option', { name: /Dead letters/ }).first()).toBeVisible();
  expect(await violationsOf(page, { within: '[role="dialog"]' })).toEqual([]);
});

test('a name that is cut shows whole under the pointer, one that has room shows nothing', async ({ page, master }) => {
  const name = `Frame ${'long '.repeat(30)}name`;
  await master.call('workflows.create', { body: { id: 'frame-cut', name } });
  await page.goto(`${master.url}/workflows?q=frame-cut`);
  await page.getByRole('gridcell', { name }).getByText(name).hover();
  await expect(page.getByRole('tooltip')).toHaveText(name);
  await page.getByRole('link', { name: 'frame-cut' }).hover();
  await expect(page.getByRole('tooltip')).toBeHidden();
});

test('a name that is written to the left keeps its beginning where it is cut', async ({ page, master }) => {
  const name = 'تدفق التحقق من الفواتير الواردة من الموردين في المنطقة الشمالية';
  await publish(master, 'frame-left', {
    ...greeter,
    nodes: (greeter['nodes'] as { id: string }[]).map((node) => (node.id === 'greet' ? { ...node, name } : node)),
  });
  await page.goto(`${master.url}/workflows/frame-left`);
  const shown = page.locator('.react-flow__node[data-id="greet"]').getByText(name);
  await expect(shown).toBeVisible();
  const [first, box] = await shown.evaluate((host) => {
    const letter = new Range();
    letter.setStart(host.firstChild as Node, 0);
    letter.setEnd(host.firstChild as Node, 1);
    return [letter, host].map((one) => (({ left, right }) => ({ left, right }))(one.getBoundingClientRect()));
  });
  expect(first?.left).toBeGreaterThan(box?.left ?? 0);
  expect(first?.right).toBeLessThanOrEqual((box?.right ?? 0) + 1);
});

test('while the master is gone the page keeps what it knew and offers nothing that changes; then it catches up by itself', async ({
  page,
  master: _other,
}) => {
  const port = await lastingPort();
  let master = await startMaster({ workers: 1, port });
  await publish(master, 'offline-greeter', greeter);
  await master.event('offline-greeter/dev', [{ name: 'Ada' }], { 'x-external-id': 'before' });
  await page.context().request.post(`${master.url}/api/v1/session`, { data: { token: master.token } });
  const row = page.getByRole('grid', { name: 'Jobs' }).getByText('before', { exact: true });
  await page.goto(`${master.url}/jobs`);
  await expect(row).toBeVisible();
  const go = async (letter: string) => {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
  };
  await go('w');
  const create = page.getByRole('button', { name: 'New workflow' }).first();
  await expect(create).not.toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('offline-greeter').first()).toBeVisible();

  await master.kill();
  await expect(page.getByText(/^Offline since/).first()).toBeVisible();
  await expect(page.getByText('offline-greeter').first()).toBeVisible();
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.focus();
  await expect(page.getByText('The master is not responding: changes are disabled.').first()).toBeVisible();
  // Nor does a list end because somebody works in it, which asks for rows that stand still.
  await go('j');
  await expect(row).toBeVisible();
  await page.getByRole('grid', { name: 'Jobs' }).press('ControlOrMeta+a');
  await expect(page.getByText('1 selected').first()).toBeVisible();
  await expect(page.getByText(/^Last updated .* The master is not responding/)).toBeVisible();
  await expect(row).toBeVisible();
  await expect(page.getByText('No jobs yet')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await go('w');

  master = await startMaster({ workers: 1, port, data: master.data });
  await publish(master, 'later-greeter', greeter);
  await expect(page.getByText('later-greeter').first()).toBeVisible();
  await expect(page.getByText(/^Offline since/)).toHaveCount(0);
  await expect(create).not.toHaveAttribute('aria-disabled', 'true');
  await master.stop();
  forget(master.data);
});

test('the filter in an address can be read, and links of earlier releases open', async ({ page, master }) => {
  await page.goto(`${master.url}/jobs?status=%5B%22FAILED%22%5D`);
  const chosen = page.getByRole('group', { name: 'Status' }).getByRole('button', { pressed: true });
  await expect(chosen).toHaveText(['Failed']);
  await page.getByRole('button', { name: 'Timeout', exact: true }).click();
  await expect(page).toHaveURL(`${master.url}/jobs?status=FAILED&status=TIMEOUT`);
  await page.reload();
  await expect(chosen).toHaveText(['Failed', 'Timeout']);
});

test('the tour is taken by keyboard, gives the focus back and is not offered again; help and commands are one key away', async ({
  page,
  master,
}) => {
  await page.goto(`${master.url}/jobs?status=FAILED`);
  const invite = page.getByRole('button', { name: 'Take the tour' });
  await invite.focus();
  await page.keyboard.press('Enter');
  const tour = page.getByRole('dialog').filter({ hasText: /\d of 5/ });
  for (let stop = 1; stop <= 5; stop++) {
    await expect(tour).toContainText(`${stop} of 5`);
    await expect(tour.getByRole('button', { name: stop < 5 ? 'Next' : 'Done' })).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(tour).toHaveCount(0);
  await expect(invite).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
  await expect(invite).toHaveCount(0);

  await page.keyboard.press('c');
  await expect(page.getByText('yardmaster jobs list --display-status FAILED', { exact: true })).toBeVisible();
  // Escape is for what has the focus.
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Link to this page')).toHaveCount(0);
  await page.keyboard.press('h');
  await page.getByRole('textbox', { name: 'Search the docs' }).fill('retry kill dry run');
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click();
  await expect(page.getByRole('dialog').getByRole('article')).toContainText(/dry run/i);
  expect(await violationsOf(page, { within: '[role="dialog"]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a part of the console that did not come is asked for again', async ({ page, master }) => {
  await publish(master, 'parts-greeter', greeter);
  await page.goto(`${master.url}/workflows/parts-greeter`);
  await expect(page.getByRole('tab', { name: 'Versions' })).toBeVisible();
  // As with a master that was updated since the page was opened: what was named in it is no longer there.
  await page.route(/\/assets\/VersionsTab/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByText('Could not load part of the console')).toBeVisible();
  await page.unroute(/\/assets\/VersionsTab/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('grid', { name: /Versions of/ })).toBeVisible();
});

test('the console writes in its own typefaces, and nothing moves when they arrive', async ({ page, master }) => {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/*.woff2', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`${master.url}/settings`, { waitUntil: 'commit' });
  const heading = page.getByRole('heading', { name: 'Settings' });
  await expect(heading).toBeVisible();
  const before = await heading.boundingBox();
  arrive();
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')),
      ),
    )
    .toContain('Inter Variable');
  const after = await heading.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
  expect(Math.abs((after?.height ?? 0) - (before?.height ?? 0))).toBeLessThanOrEqual(1);
});
