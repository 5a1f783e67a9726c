import { isOfAdmins } from '../../../contract/settings.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { dataDisk } from './data-disk.ts';
import { adminAlone } from './admin-alone.ts';
import { JsonText, route, type App } from '../core/route.ts';

/** Settings that can be changed while the master runs (docs/retention-and-backup.md). */
export function settingRoutes(app: App): void {
  const { services } = app;
  const inForce = async () => {
    const settings = services.settings();
    const disk = await dataDisk(settings.dataFolder);
    return disk === undefined ? settings : { ...settings, disk };
  };
  route(app, 'settings.get', inForce);
  route(app, 'settings.update', async ({ body, actor, identity, reply }) => {
    const { limits, ...others } = body;
    // `GET` shows the limits together, so they may come back together.
    const changes = isRecord(limits) ? { ...limits, ...others } : body;
    const kept = Object.keys(changes).find(isOfAdmins);
    if (kept !== undefined) adminAlone(identity, `changes ${kept}`);
    if (!services.overrides.weakens(changes)) await services.overrides.patch(changes, actor);
    else {
      const principal = services.access.principal(identity);
      const approval = await services.approvals.requestSettings(changes, { principal, actor });
      if (approval.status === 'open') {
        reply.code(202).header('location', `/api/v1/approvals/${approval.id}`);
        return new JsonText(JSON.stringify({ ...approval, mine: true }));
      }
    }
    return inForce();
  });
}
