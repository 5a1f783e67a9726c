import type { CDPSession, Page } from '@playwright/test';
import { pathTo } from '../../../src/lib/api-client.ts';
import { probe, settled } from '../browser.ts';
import { cpuMs } from '../processor-time.ts';

const STREAM = pathTo('live.stream');

/** What a page cost while it was only looked at. */
export interface Watched {
  readonly framesPerSecond: number;
  readonly longestMs: number;
  readonly heapMegabytes: number;
  /** Share of one processor: the page's main thread, and the master that it shows. */
  readonly pageBusy: number;
  readonly masterBusy: number;
  /** Kilobytes a second, as sent: live changes, and what was read beside them. */
  readonly streamKilobytes: number;
  readonly readKilobytes: number;
  readonly readsPerSecond: number;
}

/** Watches what a page does and receives. One for a page, for as long as it is there. */
export async function openWatch(page: Page, masterPid: number) {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Performance.enable');
  const urls = new Map<string, string>();
  let [stream, read, reads] = [0, 0, 0];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url);
    if (request.url.includes('/api/')) reads++;
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength, dataLength }) => {
    const bytes = encodedDataLength || dataLength;
    if (urls.get(requestId)?.includes(STREAM)) stream += bytes;
    else read += bytes;
  });
  const taskSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };

  return {
    /** Of so many seconds. */
    async during(seconds: number): Promise<Watched> {
      [stream, read, reads] = [0, 0, 0];
      const [tasks, master, from] = [await taskSeconds(), cpuMs(masterPid), performance.now()];
      await probe(page);
      await page.waitForTimeout(seconds * 1000);
      const { framesPerSecond, longestMs, heapMegabytes } = await settled(page);
      const took = (performance.now() - from) / 1000;
      return {
        ...{ framesPerSecond, longestMs, heapMegabytes },
        pageBusy: ((await taskSeconds()) - tasks) / took,
        masterBusy: (cpuMs(masterPid) - master) / 1000 / took,
        streamKilobytes: stream / 1000 / took,
        readKilobytes: read / 1000 / took,
        readsPerSecond: reads / took,
      };
    },
  };
}
