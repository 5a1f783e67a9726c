import { ipcMain, type WebFrameMain } from 'electron';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { IPC_CHANNELS, type IpcChannel, type IpcMap, type IpcOutcome } from '../../contract/ipc.ts';
import { isConsole } from '../window/guard-contents.ts';
import { parseArgument } from './arguments.ts';

type Answer<C extends IpcChannel> = IpcMap[C]['answer'];
export type IpcHandlers = { [C in IpcChannel]: (argument: IpcMap[C]['argument']) => Answer<C> | Promise<Answer<C>> };

/** Those of the channels whose names begin so. */
export type HandlersOf<P extends string> = Pick<IpcHandlers, Extract<IpcChannel, `${P}:${string}`>>;

/** Answers every channel: only to the console's own main frame, only valid arguments, faults as values. */
export function registerIpc(handlers: IpcHandlers): void {
  for (const channel of IPC_CHANNELS)
    ipcMain.handle(channel, (event, argument: unknown) =>
      isConsoleFrame(event.senderFrame) ? outcome(channel, handlers, argument) : refused(),
    );
}

const refused = (): IpcOutcome<never> => ({ ok: false, code: 'FORBIDDEN', message: 'only the console may call this' });

function isConsoleFrame(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && isConsole(frame.url);
}

async function outcome<C extends IpcChannel>(
  channel: C,
  handlers: IpcHandlers,
  argument: unknown,
): Promise<IpcOutcome<Answer<C>>> {
  try {
    return { ok: true, value: await handlers[channel](parseArgument(channel, argument)) };
  } catch (error) {
    return {
      ok: false,
      code: errorCode(error) ?? 'INTERNAL',
      message: errorMessage(error),
    };
  }
}
