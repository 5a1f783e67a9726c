import { shell } from 'electron';
import { Fault } from '../../lib/fault.ts';
import type { LocalMaster } from '../local-master/local-master.ts';
import type { LocalPorts } from '../local-master/local-ports.ts';
import type { HandlersOf } from './register.ts';

export function localHandlers(local: LocalMaster, ports: LocalPorts): HandlersOf<'local'> {
  const own = () => {
    if (local.status().adopted)
      throw new Fault('MASTER_NOT_OWN', 'this master was started outside the app: stop it where it was started');
  };
  return {
    'local:status': () => local.status(),
    'local:start': async () => {
      await local.start();
      return local.status();
    },
    'local:stop': async () => {
      own();
      await local.stop();
      return local.status();
    },
    'local:restart': async () => {
      own();
      await local.stop();
      await local.start();
      return local.status();
    },
    'local:ports': () => ports.look(),
    'local:show-data': async () => {
      const fault = await shell.openPath(local.status().dataFolder);
      if (fault) throw new Fault('FOLDER_NOT_OPENED', `could not open ${local.status().dataFolder}: ${fault}`);
      return null;
    },
  };
}
