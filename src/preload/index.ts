import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import {
  IPC_CHANNELS,
  IPC_EVENTS,
  type DesktopBridge,
  type IpcEvent,
  type IpcEvents,
  type IpcOutcome,
} from '../contract/ipc.ts';

/** All that the page sees of the desktop: the named channels and events, nothing of Electron. */
const bridge: DesktopBridge = {
  call: (channel, argument) =>
    IPC_CHANNELS.includes(channel)
      ? ipcRenderer.invoke(channel, argument)
      : Promise.resolve<IpcOutcome<never>>({
          ok: false,
          code: 'CHANNEL_UNKNOWN',
          message: `unknown channel ${String(channel)}`,
        }),
  on<E extends IpcEvent>(event: E, listener: (data: IpcEvents[E]) => void) {
    if (!IPC_EVENTS.includes(event)) return () => {};
    const hear = (_event: IpcRendererEvent, data: IpcEvents[E]) => listener(data);
    ipcRenderer.on(event, hear);
    return () => ipcRenderer.off(event, hear);
  },
};

contextBridge.exposeInMainWorld('yardmaster', bridge);
