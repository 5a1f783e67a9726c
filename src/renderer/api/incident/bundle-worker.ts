import { type Answer, createBundleAnswers } from './bundle-answers.ts';
import { type BundleLimits, type BundleProblem, BundleFault, readBundle } from './read.ts';
import type { IncidentEnd, IncidentManifest } from '../../../contract/incident.ts';

/** Unpacks a bundle and answers from it, away from the window's own thread. */
export type BundleRequest =
  | { readonly id: number; readonly file: Blob; readonly limits: BundleLimits }
  | { readonly id: number; readonly method: string; readonly url: string };
export type BundleReply =
  | { readonly id: number; readonly bytes: number }
  | { readonly id: number; readonly opened: { readonly manifest: IncidentManifest; readonly end: IncidentEnd } }
  | { readonly id: number; readonly trouble: BundleProblem; readonly detail: string }
  | ({ readonly id: number } & Answer);

const say = (reply: BundleReply): void => self.postMessage(reply);
let answers: ReturnType<typeof createBundleAnswers> | null = null;
/** How often it tells how far it is. */
const TELL_MS = 100;

self.onmessage = async ({ data }: MessageEvent<BundleRequest>) => {
  const { id } = data;
  try {
    if ('file' in data) {
      let told = 0;
      const bundle = await readBundle(data.file.stream(), data.limits, (bytes) => {
        if (performance.now() - told < TELL_MS) return;
        told = performance.now();
        say({ id, bytes });
      });
      answers = createBundleAnswers(bundle);
      return say({ id, opened: { manifest: bundle.manifest, end: bundle.end } });
    }
    if (!answers) throw new Error('no bundle is open');
    say({ id, ...answers(data.method, data.url) });
  } catch (error) {
    if (error instanceof BundleFault) say({ id, trouble: error.trouble, detail: error.detail });
    else say({ id, trouble: 'damaged', detail: error instanceof Error ? error.message : String(error) });
  }
};
