import type { DesktopBridge } from '../../src/contract/ipc.ts';

declare global {
  interface Window {
    yardmaster?: DesktopBridge;
  }
}
